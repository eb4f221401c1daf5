import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { edgesOf, integer, type OrderedAxis, regular, variable } from "../src/axis/index.ts";
import { isPolybinError } from "../src/base/index.ts";
import {
  arrayOver,
  SAMPLE_TRAITS,
  SAMPLE_TYPES,
  type SampleArray,
  type SampleType,
} from "../src/input/index.ts";
import { cellFinder } from "../src/lowering/cell-finder.ts";
import { cellsOf, type Lowering, limits, lower, plainCellFinder } from "../src/lowering/index.ts";
import { random } from "./helpers.ts";

/** Edges, values right next to them, random bits, and a few values that are often wrong. */
function around(type: SampleType, axis: OrderedAxis, count: number, seed: number): SampleArray {
  const edges = edgesOf(axis, type);
  const { bytes } = SAMPLE_TRAITS[type];
  const raw = new Uint8Array(count * bytes);
  const array = arrayOver(type, raw);
  const next = random(seed);
  const below = (end: number): number => Math.floor(next() * end);
  const special = [0, -0, Number.NaN, Infinity, -Infinity, 1e-310, -1e-44, 2 ** 31, -(2 ** 31), 2 ** 32 - 1];
  const [first, end] = [edges[0]!, edges.at(-1)!];
  for (let i = 0; i < count; i++) {
    const kind = below(8);
    if (kind < 3) array[i] = edges[below(edges.length)]!;
    else if (kind < 5) array[i] = first + (end - first) * (next() * 1.4 - 0.2);
    else if (kind === 5) array[i] = special[below(special.length)]!;
    else for (let byte = 0; byte < bytes; byte++) raw[i * bytes + byte] = below(256);
    if (below(3) === 0) raw[i * bytes]! += below(2) * 2 - 1;
  }
  return array;
}

/** Compares the fast loops of every kind of device's columns with the specification. */
function check(axis: OrderedAxis, type: SampleType, seed: number, count: number): void {
  let lowering: Lowering;
  try {
    lowering = lower(axis, type);
  } catch (error) {
    // Edges that coincide in the samples' precision.
    if (isPolybinError(error) && error.code === "ERR_AXIS") return;
    throw error;
  }
  const array = around(type, axis, count, seed);
  for (const kind of ["cpu", "gpu"] as const) {
    // The second column gives the first one a stride.
    const other = lower(regular(7, 0, 1), "f32");
    for (const column of cellsOf([lowering, other], kind, 0).columns.slice(0, 1)) {
      for (const [first, step] of [
        [0, 1],
        [2, 3],
      ] as const) {
        const expected = Uint32Array.from({ length: count }, (_, i) => i);
        const found = expected.slice();
        const samples = plainCellFinder(column, lowering)(array, first, step, expected);
        expect(cellFinder(column, lowering)(array, first, step, found)).toBe(samples);
        expect(found).toEqual(expected);
      }
    }
  }
}

const bins = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constantFrom(1, 2, 255, 256, 257, 1024, 4096));
const number = fc.oneof(
  fc.integer({ min: -70_000, max: 70_000 }),
  fc.double({ noDefaultInfinity: true, noNaN: true, min: -1e9, max: 1e9 }),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
);
const axes = fc.oneof(
  fc.tuple(bins, number, number).map(
    ([count, a, b]) =>
      () =>
        regular(count, Math.min(a, b), Math.max(a, b)),
  ),
  fc.tuple(bins, fc.integer({ min: -(2 ** 31), max: 2 ** 32 })).map(
    ([count, start]) =>
      () =>
        integer(start, start + count),
  ),
  fc.array(number, { minLength: 2, maxLength: 60 }).map((edges) => () => {
    return variable([...new Set(edges.map((edge) => edge + 0))].sort((a, b) => a - b));
  }),
);

describe("fast loops find the cells of the specification", () => {
  it.each(SAMPLE_TYPES)("%s, over any axis", (type) => {
    fc.assert(
      fc.property(axes, fc.integer({ min: 1 }), fc.integer({ min: 1, max: 400 }), (make, seed, count) => {
        let axis: OrderedAxis;
        try {
          axis = make();
        } catch (error) {
          if (isPolybinError(error) && error.code === "ERR_AXIS") return;
          throw error;
        }
        check(axis, type, seed, count);
      }),
      { seed: Number(process.env.POLYBIN_SEED ?? 1), numRuns: 80 * Number(process.env.POLYBIN_RUNS ?? 1) },
    );
  });

  const crowded = variable([-1e30, ...Array.from({ length: 900 }, (_, i) => 1 + i * 2 ** -40), 1e30]);
  const octaves = variable(Float64Array.from({ length: 40 }, (_, i) => 2 ** (i - 20)));
  it.each([
    ["f64", crowded],
    ["f64", octaves],
    ["f32", octaves],
    ["u32", octaves],
    ["f64", regular(65_536, 0.1, 0.7)],
    ["f64", regular(64, -Number.MAX_VALUE / 2, Number.MAX_VALUE / 2)],
    ["f32", variable([-3.4028234663852886e38, 0, 3.4028234663852886e38])],
    ["f64", variable([-Number.MAX_VALUE, 0, Number.MAX_VALUE])],
    ["f64", regular(3, 0, 2 ** -1070)],
    ["i32", regular(1000, -(2 ** 31), 2 ** 31)],
    ["i32", integer(-(2 ** 31), -(2 ** 31) + 9)],
    ["u32", integer(2 ** 32 - 50, 2 ** 32)],
    ["i16", regular(100, -1000, 1000)],
    ["u8", regular(10, 3, 250)],
  ] as const)("%s, over %o", (type, axis) => {
    // More samples than are converted to doubles at a time.
    check(axis, type, 7, 2 * limits.DOUBLES_AT_ONCE + 5);
  });
});
