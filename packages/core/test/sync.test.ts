import { describe, expect, it } from "vitest";
import {
  type Axis,
  boolean,
  category,
  circular,
  integer,
  openEngine,
  regular,
  variable,
} from "../src/index.ts";
import { SAMPLE_TYPES, type SampleType } from "../src/input/index.ts";
import { histogramSync, type SyncOptions } from "../src/sync/index.ts";
import { exactCodes, samplesNear } from "./exact-bins.ts";
import { random } from "./helpers.ts";

const ARRAYS = {
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

/** An array of each type that devices count. */
const arrayOf = (type: SampleType, values: readonly number[]) =>
  ARRAYS[type as keyof typeof ARRAYS].from(values);

const AXES: readonly Axis[] = [
  integer(0, 256),
  integer(-3, 5),
  integer(250, 70_000 - 5_000),
  regular(10, 0, 1),
  regular(100, -3, 3, { closed: false }),
  regular(7, 0, 255),
  regular(1, 0, 2 ** 100),
  variable([0, 0.1, 0.5, 3, 200]),
  variable([-Infinity, -1, 0, 1e300, Infinity]),
  variable(
    Float64Array.from({ length: 1001 }, (_, i) => i ** 3 / 1e6),
    { closed: false },
  ),
];

describe("histogramSync counts as the definition says", () => {
  for (const type of SAMPLE_TYPES) {
    it.each(AXES)(`${type} over %o`, (axis) => {
      const near = samplesNear(axis, type, 7).map(Number);
      const samples = arrayOf(type, near);
      const codes = exactCodes(axis, type);
      const expected = new Array(axis.bins + 3).fill(0);
      for (const sample of samples) expected[codes(sample)]++;
      const { counts, underflow, overflow, nan } = histogramSync(samples, { axis });
      expect([...counts, underflow, overflow, nan]).toEqual(expected);
    });
  }
});

describe("histogramSync equals an engine", () => {
  const next = random(5);
  const values = Array.from({ length: 5000 }, () => next() * 300 - 20);
  const options: readonly SyncOptions[] = [
    {},
    { bins: 10 },
    { bins: 100, range: [0, 100] },
    { bins: 65_536, range: [-1, 1000] },
    { bins: [0, 1, 10, 100] },
    { bins: Float64Array.of(0, 1, 10, 100) },
    { range: "data" },
    { axis: regular(10, 0, 1) },
  ];
  for (const type of SAMPLE_TYPES) {
    it.each(options)(`${type} with %o`, async (given) => {
      const samples = arrayOf(type, values);
      const engine = await openEngine();
      const of = await engine.histogram(samples, given as object);
      const { counts, edges, underflow, overflow, nan } = histogramSync(samples, given);
      expect(counts).toEqual(of.counts);
      expect(edges).toEqual(of.edges);
      expect([underflow, overflow, nan]).toEqual([of.underflow, of.overflow, of.nan]);
      await engine.close();
    });
  }

  it("over lists of numbers, and clamped bytes", () => {
    expect(histogramSync([1, 2, 2, Number.NaN], { bins: [1, 2, 3] })).toEqual({
      counts: Float64Array.of(1, 2),
      edges: Float64Array.of(1, 2, 3),
      underflow: 0,
      overflow: 0,
      nan: 1,
    });
    expect(histogramSync(Uint8ClampedArray.of(300)).counts[255]).toBe(1);
  });

  it("over nothing, one sample, and equal samples", () => {
    expect([...histogramSync([], { bins: 2 }).edges]).toEqual([0, 0.5, 1]);
    expect([...histogramSync([5], { bins: 2 }).counts]).toEqual([0, 1]);
    expect([...histogramSync(new Float32Array(9).fill(-0), { bins: 1 }).counts]).toEqual([9]);
  });

  it("after other calls, whose tables it shares", () => {
    const samples = Float32Array.from(values);
    const alone = histogramSync(samples, { bins: 50, range: [0, 100] });
    for (const axis of AXES) histogramSync(samples, { axis });
    histogramSync(Uint16Array.from(values));
    expect(histogramSync(samples, { bins: 50, range: [0, 100] })).toEqual(alone);
  });
});

describe("histogramSync refuses", () => {
  it.each<[unknown, object | undefined, RegExp]>([
    ["text", {}, /^expected a typed array or a list of numbers for values but received "text"/],
    [null, {}, /for values but received null/],
    [undefined, {}, /for values but received undefined/],
    [BigInt64Array.of(1n), {}, /an engine counts everything else$/],
    [[1, "2"], {}, /^expected a number for values\[1\] but received "2"/],
    [[1, undefined, 2], {}, /^expected a number for values\[1\] but received undefined/],
    [[1], { bin: 3 }, /^did you mean bins\?/],
    [[1], { bins: "fd" }, /received the rule fd; an engine counts everything else$/],
    [[1], { axis: category([1, 2]) }, /received a category axis/],
    [[1], { axis: boolean() }, /received a boolean axis/],
    [[1], { axis: circular(4, 0, 1) }, /received a circular axis/],
    [[1], { axis: null }, /^expected an axis/],
    [[1], { bins: 0 }, /^expected a whole number of at least 1 for bins/],
    [[1], { bins: [1] }, /^expected at least two ascending numbers for edges/],
    [[1], { bins: [1, 2], range: [0, 1] }, /^expected either edges for bins or range/],
    [[1e308, -1e308], { bins: 2 }, /^expected data with a range that f64 can divide/],
  ])("%o with %o", (values, options, message) => {
    expect(() => histogramSync(values as number[], options)).toThrow(message);
  });
});
