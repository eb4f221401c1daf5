import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { edgesOf, integer, type OrderedAxis, regular, regularSpaced, variable } from "../src/axis/axis.ts";
import { PolybinError } from "../src/base/errors.ts";
import { countSequential } from "../src/cpu/oracle.ts";
import {
  bitsOf,
  SAMPLE_TRAITS,
  SAMPLE_TYPES,
  type SampleArray,
  type SampleType,
} from "../src/input/sample-types.ts";
import {
  codeOfValue,
  type KeysLowering,
  lower,
  lowerInto,
  NAN,
  OVERFLOW,
  UNDERFLOW,
} from "../src/lowering/lowering.ts";
import { noCounts } from "../src/result/merge.ts";
import { arrayOf, expectError, neighbour, random } from "./helpers.ts";

/** The definition in the design, bin by bin, with no search at all. */
function definition(axis: OrderedAxis, edges: Float64Array, value: number): number {
  const { bins } = axis;
  if (Number.isNaN(value)) return bins + NAN;
  if (value < edges[0]!) return bins + UNDERFLOW;
  for (let bin = 0; bin < bins; bin++) {
    if (edges[bin]! <= value && value < edges[bin + 1]!) return bin;
  }
  return value === edges[bins] && axis.type !== "integer" ? bins - 1 : bins + OVERFLOW;
}

/** Values of a type around each edge, at the ends of its range, in between, and the strange ones. */
function valuesAround(type: SampleType, edges: Iterable<number>): SampleArray {
  const { min, max, integer: isInteger } = SAMPLE_TRAITS[type];
  const next = random(7);
  const values: number[] = [];
  for (const edge of edges) {
    if (isInteger) values.push(...[-1, 0, 1, 2].map((by) => Math.floor(edge) + by));
    else {
      const at = type === "f32" ? Math.fround(edge) : edge;
      const wide = type as "f32" | "f64";
      values.push(at, neighbour(wide, at, true), neighbour(wide, at, false), edge + (next() - 0.5));
    }
  }
  if (isInteger) {
    values.push(min, min + 1, -1, 0, 1, max - 1, max, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1);
    for (let i = 0; i < 100; i++) values.push(min + Math.floor(next() * (max - min + 1)));
    return arrayOf(
      type,
      values.filter((value) => value >= min && value <= max),
    );
  }
  values.push(Number.NaN, -Number.NaN, Infinity, -Infinity, 0, -0, 5e-324, -5e-324, 2 ** -149, -(2 ** -149));
  values.push(3.4028234663852886e38, -3.4028234663852886e38, Number.MAX_VALUE, -Number.MAX_VALUE);
  const array = arrayOf(type, values);
  // NaN with its sign set, which assignment would lose.
  const words = bitsOf(array);
  const nan = array.findIndex((value) => Number.isNaN(value)) + 1;
  if (type === "f32") words[nan] = 0xffc0_0001;
  else words.set([1, 0xfff0_0000], 2 * nan);
  return array;
}

const AXES: Readonly<Record<string, OrderedAxis>> = {
  bytes: integer(0, 256),
  "signed bytes": integer(-128, 128),
  "one integer": integer(7, 8),
  "integers around zero": integer(-5, 5),
  "integers below every range": integer(-(2 ** 40), -(2 ** 40) + 10),
  "integers above every range": integer(2 ** 40, 2 ** 40 + 10),
  "the first of i32": integer(-(2 ** 31), -(2 ** 31) + 100),
  "across i32's start": integer(-(2 ** 31) - 50, -(2 ** 31) + 50),
  "across i32's end": integer(2 ** 31 - 50, 2 ** 31 + 50),
  "the last of u32": integer(2 ** 32 - 100, 2 ** 32),
  "across u32's end": integer(2 ** 32 - 100, 2 ** 32 + 100),
  "just past u32": integer(2 ** 32, 2 ** 32 + 100),
  "across zero, for unsigned": integer(-100, 3),
  "all of u16": integer(0, 65_536),
  "all of i16": integer(-32_768, 32_768),
  "integers that f32 cannot tell apart": integer(2 ** 24 - 4, 2 ** 24 + 60),
  unit: regular(10, 0, 1),
  "unit, 65,536 bins": regular(65_536, 0, 1),
  "halves of bytes": regular(512, 0, 256),
  thirds: regular(100, -3, 3),
  "one bin": regular(1, -0.5, 0.5),
  "all of i32": regular(7, -(2 ** 31), 2 ** 31),
  "all of u32": regular(13, 0, 2 ** 32),
  "wider than 32 bits": regular(11, -1e11, 1e11),
  "below unsigned": regular(4, -10, -1),
  huge: regular(3, -1e38, 3e38),
  denormal: regular(4, 0, 2 ** -140),
  "found in f32": regularSpaced(7, Math.fround(0.1), Math.fround(0.7), "f32"),
  "one ulp": variable([1, 1 + 2 ** -52, 1 + 2 ** -51]),
  "between integers": variable([0.2, 0.8]),
  "edges between f32 values": variable([0.1, 0.1 + 2 ** -40, 0.2, 0.30000000000000004]),
  zeros: variable([-1, -0, 1]),
  "from zero": variable([0, 1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e9, 1e12]),
  "to zero": variable([-1e12, -1e6, -1, 0]),
  denormals: variable([-5e-324, 5e-324, 2 ** -149, 2 ** -148, 2 ** -126]),
  "beyond f32": variable([-1e300, -1e39, 0, 1e39, 1e300]),
  "wholly above f32": variable([1e39, 2e39]),
  "wholly below f32": variable([-2e39, -1e39]),
  "as far as f64 goes": variable([-Number.MAX_VALUE, -1, 1, Number.MAX_VALUE]),
  "wholly above u32": variable([2 ** 32 - 0.5, 2 ** 33]),
  "wholly below i32": variable([-1e10, -(2 ** 31) - 0.5]),
  "up to i32's first": variable([-1e10, -(2 ** 31)]),
  "half integers": variable([-1.5, -0.5, 0.5, 1.5, 254.5, 255.5, 65_535.5, 2 ** 31 - 0.5, 2 ** 32 - 1.5]),
};

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

    const counts = noCounts(axis.bins);
    countSequential(counts, { axis, edges }, array, 0, 1);
    const tally = new Float64Array(axis.bins + 3);
    for (const [i, code] of codes.entries()) {
      tally[code]! += 1;
      const value = array[i]!;
      if (codeOfValue(axis, edges, value) !== code) expect({ value, code }).toEqual({ value, code: NaN });
      if (axis.bins <= 600 && definition(axis, edges, value) !== code) {
        expect({ name, value, code }).toEqual({ value, code: definition(axis, edges, value) });
      }
    }
    expect([...counts.counts, counts.underflow, counts.overflow, counts.nan]).toEqual([...tally]);
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
      const counts = noCounts(axis.bins);
      countSequential(counts, { axis, edges }, array, 0, 1);
      const right = new Float64Array(axis.bins + 3);
      for (const code of codes) right[code]!++;
      const { underflow, overflow, nan } = counts;
      expect([...counts.counts, underflow, overflow, nan]).toEqual([...right]);
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
