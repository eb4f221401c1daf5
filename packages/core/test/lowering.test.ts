import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { edgesOf, integer, type OrderedAxis, regular, variable } from "../src/axis/axis.ts";
import { PolybinError } from "../src/base/errors.ts";
import { SAMPLE_TRAITS, SAMPLE_TYPES } from "../src/input/sample-types.ts";
import {
  codeOfValue,
  type KeysLowering,
  lower,
  lowerInto,
  NAN,
  OVERFLOW,
  UNDERFLOW,
} from "../src/lowering/lowering.ts";
import { AXES, valuesAround } from "./around.ts";
import { arrayOf, expectError } from "./helpers.ts";
import { byDefinition } from "./oracle.ts";

/** The definition in the design, bin by bin, with no search at all. */
function definition(axis: OrderedAxis, edges: Float64Array, value: number): number {
  const { bins } = axis;
  if (Number.isNaN(value)) return bins + NAN;
  if (value < edges[0]!) return bins + UNDERFLOW;
  for (let bin = 0; bin < bins; bin++) {
    if (edges[bin]! <= value && value < edges[bin + 1]!) return bin;
  }
  const isClosed = axis.type !== "integer" && (axis as { readonly closed?: boolean }).closed !== false;
  return value === edges[bins] && isClosed ? bins - 1 : bins + OVERFLOW;
}

describe.each(SAMPLE_TYPES)("%s", (type) => {
  it.each(Object.entries(AXES))("%s", (name, axis) => {
    let edges: Float64Array;
    try {
      edges = edgesOf(axis, type);
    } catch (error) {
      expect((error as PolybinError).code).toBe("ERR_AXIS");
      expect(["f32"]).toContain(type);
      expectError(() => lower(axis, type), "ERR_AXIS");
      return;
    }
    const few = axis.bins > 600 ? edges.filter((_, i) => i % 97 === 0 || i > edges.length - 9) : edges;
    const array = valuesAround(type, few);
    const lowering = lower(axis, type);
    const codes = new Uint32Array(array.length);
    expect(lowerInto(lowering, array, 0, 1, codes)).toBe(array.length);

    const tally = new Float64Array(axis.bins + 3);
    for (const [i, code] of codes.entries()) {
      tally[code]! += 1;
      const value = array[i]!;
      if (codeOfValue(axis, edges, value) !== code) expect({ value, code }).toEqual({ value, code: NaN });
      if (axis.bins <= 600 && definition(axis, edges, value) !== code) {
        expect({ name, value, code }).toEqual({ value, code: definition(axis, edges, value) });
      }
    }
    expect(byDefinition(axis, type, array)).toEqual(tally);
    if (!lowering.flow) expect(Math.max(...codes)).toBeLessThan(axis.bins);
    expect(lowering).toMatchObject({ type, bins: axis.bins });
  });
});

describe("the kind of a lowering", () => {
  it.each([
    ["u8", integer(0, 256), "table", false],
    ["u8", integer(0, 255), "table", true],
    ["i8", regular(4, -128, 128), "table", false],
    ["u16", integer(0, 65_536), "direct", false],
    ["u16", integer(1, 65_536), "direct", true],
    ["u16", integer(0, 65_535), "direct", true],
    ["u16", integer(-1, 65_535), "table", true],
    ["i16", integer(-32_768, 32_768), "direct", false],
    ["i16", regular(4, 0, 4), "table", true],
    ["u32", integer(2 ** 32 - 5, 2 ** 32), "direct", true],
    ["u32", integer(2 ** 32 - 5, 2 ** 32 + 1), "keys", true],
    ["u32", regular(4, 0, 2 ** 32), "keys", false],
    ["u32", regular(4, 0, 2 ** 32 - 1), "keys", false],
    ["u32", regular(4, 0, 2 ** 32 - 2), "keys", true],
    ["i32", regular(4, -(2 ** 31), 2 ** 31), "keys", false],
    ["i32", regular(4, -(2 ** 31) + 1, 2 ** 31), "keys", true],
    ["f32", integer(0, 4), "keys", true],
    ["f64", regular(4, -1, 4), "keys", true],
    ["u32", regular(4, -9, -1), "constant", true],
    ["u32", regular(4, 2 ** 32, 2 ** 33), "constant", true],
    ["i32", integer(2 ** 31, 2 ** 31 + 5), "constant", true],
    ["i32", integer(-(2 ** 31) - 5, -(2 ** 31)), "constant", true],
  ] as const)("%s over %j is %s, flow %s", (type, axis, kind, flow) => {
    expect(lower(axis, type)).toMatchObject({ kind, flow });
  });

  it("constants are the code of every sample", () => {
    const codes = new Uint32Array(3);
    const array = Uint32Array.of(0, 5, 2 ** 32 - 1);
    lowerInto(lower(regular(4, -9, -1), "u32"), array, 0, 1, codes);
    expect([...codes]).toEqual([4 + OVERFLOW, 4 + OVERFLOW, 4 + OVERFLOW]);
    lowerInto(lower(regular(4, 2 ** 32, 2 ** 33), "u32"), array, 0, 1, codes);
    expect([...codes]).toEqual([4 + UNDERFLOW, 4 + UNDERFLOW, 4 + UNDERFLOW]);
  });
});

describe("crowded edges", () => {
  it("65,536 edges within [1, 1 + 1e-9] and one far away, in one cell of the guess", () => {
    const crowd = Float64Array.from({ length: 65_536 }, (_, i) => 1 + i * 2 ** -46);
    expect(crowd.at(-1)! - 1).toBeLessThan(1e-9);
    const axis = variable([...crowd, 1e300]);
    const lowering = lower(axis, "f64") as KeysLowering;
    const { guess } = lowering;
    if (guess.kind !== "cells") throw new Error("expected cells");
    const sizes = [...guess.starts].slice(1).map((end, i) => end - guess.starts[i]!);
    expect(Math.max(...sizes)).toBeGreaterThan(65_000);

    const array = valuesAround("f64", [...crowd.filter((_, i) => i % 50 === 0), 1e300]) as Float64Array;
    const codes = new Uint32Array(array.length);
    lowerInto(lowering, array, 0, 1, codes);
    const edges = edgesOf(axis, "f64");
    for (const [i, value] of array.entries()) expect(codes[i]).toBe(codeOfValue(axis, edges, value));
    // Each edge opens its own bin.
    const own = new Uint32Array(crowd.length);
    lowerInto(lowering, crowd, 0, 1, own);
    expect(own.every((code, i) => code === i)).toBe(true);
  });

  it("for f32 the same edges are equal, and all but the last of equal bins stay empty", () => {
    const axis = variable([...Array.from({ length: 1000 }, (_, i) => 1 + i * 2 ** -46), 2]);
    const edges = edgesOf(axis, "f32");
    const array = valuesAround("f32", [1, 1 + 2 ** -23, 1.5, 2]);
    const codes = new Uint32Array(array.length);
    lowerInto(lower(axis, "f32"), array, 0, 1, codes);
    for (const [i, value] of array.entries()) expect(codes[i]).toBe(codeOfValue(axis, edges, value));
    expect(codeOfValue(axis, edges, 1)).toBe(0);
    expect(codeOfValue(axis, edges, 1 + 2 ** -23)).toBe(999);
  });
});

describe("evenly spaced edges of denormal width", () => {
  const least = { f32: 2 ** -149, f64: 2 ** -1074 };
  const normal = { f32: 2 ** -126, f64: 2 ** -1022 };

  it.each(["f32", "f64"] as const)("are found by cells instead of an infinite scale: %s", (type) => {
    const axes = [
      regular(10, 0, 10 * least[type]),
      regular(5000, -2000 * least[type], 3000 * least[type]),
      regular(1000, 0, 999.5 * normal[type]),
      regular(999, 0, 999.5 * normal[type]),
    ];
    const kinds = axes.map((axis) => (lower(axis, type) as KeysLowering).guess.kind);
    expect(kinds).toEqual(["cells", "cells", "cells", "linear"]);
    for (const axis of axes) {
      const edges = edgesOf(axis, type);
      const array = valuesAround(type, edges);
      const codes = new Uint32Array(array.length);
      lowerInto(lower(axis, type), array, 0, 1, codes);
      expect([...codes]).toEqual(Array.from(array, (value) => codeOfValue(axis, edges, value)));
      const right = new Float64Array(axis.bins + 3);
      for (const code of codes) right[code]!++;
      expect(byDefinition(axis, type, array)).toEqual(right);
    }
  });
});

describe("any axis", () => {
  const edgeLists = fc
    .uniqueArray(
      fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: -300, max: 70_000 }),
        fc.constantFrom(0, 2 ** 31, 2 ** 32, -(2 ** 31), 5e-324, 1e39, -1e39, 0.1, Math.fround(0.1)),
      ),
      { minLength: 2, maxLength: 40, comparator: (a, b) => a === b },
    )
    .map((edges) => variable(edges.sort((a, b) => a - b)));
  const regulars = fc
    .tuple(
      fc.integer({ min: 1, max: 300 }),
      fc.double({ noNaN: true, min: -1e12, max: 1e12 }),
      fc.double({ noNaN: true, min: 1e-3, max: 1e12 }),
    )
    .map(([bins, lo, width]) => (lo + width > lo ? regular(bins, lo, lo + width) : regular(bins, 0, 1)));

  it.each(SAMPLE_TYPES)("lowers %s by the definition", (type) => {
    fc.assert(
      fc.property(fc.oneof(edgeLists, regulars), (axis) => {
        let edges: Float64Array;
        try {
          edges = edgesOf(axis, type);
        } catch (error) {
          expect((error as PolybinError).code).toBe("ERR_AXIS");
          return;
        }
        const array = valuesAround(type, edges);
        const codes = new Uint32Array(array.length);
        lowerInto(lower(axis, type), array, 0, 1, codes);
        const right = Array.from(array, (value) => definition(axis, edges, value));
        expect([...codes]).toEqual(right);
      }),
      { numRuns: SAMPLE_TRAITS[type].bytes === 2 ? 50 : 200 },
    );
  });
});

describe("lowerInto", () => {
  it("reads every stride-th sample, starting at the first", () => {
    for (const type of SAMPLE_TYPES) {
      const array = arrayOf(type, [0, 10, 20, 1, 11, 21, 2]);
      const codes = new Uint32Array(9).fill(99);
      const lowering = lower(integer(0, 30), type);
      expect(lowerInto(lowering, array, 0, 3, codes)).toBe(3);
      expect([...codes.subarray(0, 4)]).toEqual([0, 1, 2, 99]);
      expect(lowerInto(lowering, array, 1, 3, codes)).toBe(2);
      expect([...codes.subarray(0, 2)]).toEqual([10, 11]);
      expect(lowerInto(lowering, array, 7, 3, codes)).toBe(0);
    }
  });

  it("suggests a fix for an invalid axis", () => {
    expectError(
      () => lower(regular(10, 1, 1 + 2 ** -22), "f32"),
      "ERR_AXIS",
      "distinct edges; use a wider range, or bins up to",
      "f32",
    );
    expect(() => lower(regular(10, 1, 1 + 2 ** -22), "f64")).not.toThrow(PolybinError);
  });
});
