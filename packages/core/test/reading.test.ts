import { describe, expect, it } from "vitest";
import {
  type Axis,
  boolean,
  category,
  circular,
  cpu,
  Histogram,
  histogramsFromJSON,
  JointHistogram,
  MeanJointHistogram,
  openEngine,
  regular,
  type SampleType,
  Segmented,
  variable,
  WeightedJointHistogram,
} from "../src/index.ts";
import { errorOf, expectError } from "./helpers.ts";

const regularAxis = (bins: number, flow = false) => ({
  type: "regular",
  lower: 0,
  upper: 1,
  bins,
  underflow: flow,
  overflow: flow,
  circular: false,
});
const empty = (axes: readonly object[], type = "int") => ({ uhi_schema: 1, axes, storage: { type } });

describe("a short file that names many cells", () => {
  const wide = [regularAxis(20_000), regularAxis(20_000)];

  it.each(["int", "double", "weighted", "mean", "weighted_mean"])("of storage %s is refused", (type) => {
    expectError(() => JointHistogram.fromJSON(empty(wide, type)), "ERR_LIMIT", "at most 67108864 numbers");
    expectError(() => histogramsFromJSON({ h: empty(wide, type) }), "ERR_LIMIT", "h.axes");
  });

  it("with many axes is refused with a code", () => {
    const axes = (count: number, flow: boolean) => Array.from({ length: count }, () => regularAxis(1, flow));
    expectError(() => JointHistogram.fromJSON(empty(axes(40, false))), "ERR_LIMIT", "at most 32 axes");
    expectError(() => JointHistogram.fromJSON(empty(axes(32, true))), "ERR_LIMIT", "67108864 numbers");
    expect((JointHistogram.fromJSON(empty(axes(32, false))) as JointHistogram).cells).toHaveLength(1);
  });

  it("is refused by the sum of all arrays", () => {
    const axes = [regularAxis(8192), regularAxis(4097)];
    expectError(() => JointHistogram.fromJSON(empty(axes, "weighted")), "ERR_LIMIT", "numbers");
  });
});

describe("a histogram without axes", () => {
  it.each([[1], 1])("has one cell, written as %j", (values) => {
    const json = { uhi_schema: 1, axes: [], storage: { type: "int", values } };
    const found = JointHistogram.fromJSON(json) as JointHistogram;
    expect([found.shape, [...found.cells], found.at(), found.sum()]).toEqual([[], [1], 1, 1]);
    expect([...found.density(), [...found.entries()].length]).toEqual([1, 1]);
    const again = JointHistogram.fromJSON(JSON.parse(JSON.stringify(found))) as JointHistogram;
    expect(again).toEqual(found);
    expect(again.merge(found).at()).toBe(2);
    expect(again.rebin(2).at()).toBe(1);
    expect(histogramsFromJSON({ one: json }).one).toEqual(found);
    expectError(() => Histogram.fromJSON(json), "ERR_UNSUPPORTED", "JointHistogram.fromJSON");
  });

  it("may hold sums and means", () => {
    const weighted = { type: "weighted", values: 2.5, variances: 3 };
    const sums = JointHistogram.fromJSON({ uhi_schema: 1, axes: [], storage: weighted });
    expect(sums).toBeInstanceOf(WeightedJointHistogram);
    expect((sums as WeightedJointHistogram).at().sum).toBe(2.5);
    const mean = { type: "mean", counts: [4], values: [1.5], variances: [null] };
    expect(JointHistogram.fromJSON({ uhi_schema: 1, axes: [], storage: mean })).toBeInstanceOf(
      MeanJointHistogram,
    );
  });

  it("has no indices and no more than one number", () => {
    const of = (storage: object) => () => JointHistogram.fromJSON({ uhi_schema: 1, axes: [], storage });
    expectError(
      of({ type: "int", values: [1, 2] }),
      "ERR_INPUT",
      "1, flow bins included, for storage.values.length",
    );
    expectError(of({ type: "int", values: [1], index: [] }), "ERR_INPUT", "no indices");
  });
});

describe("segments", async () => {
  const engine = await openEngine({ backends: [cpu()] });
  const axes: readonly [SampleType, Axis][] = [
    ["u8", regular(3, 0, 6)],
    ["f32", regular(7, 0.1, 0.8, { closed: false })],
    ["f64", variable([-Infinity, 0, 1, Infinity])],
    ["u8", category([3, 1])],
    ["u8", category(["a", "b"])],
    ["u8", boolean()],
    ["f32", circular(3, -1, 2.5)],
  ];

  it.each(axes)("%s over %j survive JSON", async (type, axis) => {
    const data =
      type === "u8"
        ? Uint8Array.of(0, 1, 2, 3, 4, 9, 5)
        : type === "f32"
          ? Float32Array.of(0.1, 0.3, Number.NaN, 9, -1, 0.8, 1)
          : Float64Array.of(-1, 0, 0.5, Infinity, Number.NaN, 1, 2);
    const found = await engine.segments(data, { every: 3 }, { axis });
    const again = Segmented.fromJSON(JSON.parse(JSON.stringify(found)));
    expect(again).toBeInstanceOf(Segmented);
    expect([again.axis, again.type, again.segments]).toEqual([axis, type, 3]);
    for (const name of ["counts", "underflow", "overflow", "nan", "edges"] as const)
      expect(again[name]).toEqual(found[name]);
    expect([again.backend, again.device, again.algorithm, again.plan, again.timings]).toEqual(
      Array(5).fill(null),
    );
    expect(again.at(1).merge(found.at(1)).sum({ flow: true })).toBe(6);
    expect(JSON.stringify(again)).toBe(JSON.stringify(found));
  });

  it("past 2^32 are doubles", async () => {
    const json = {
      ...JSON.parse(
        JSON.stringify(await engine.segments(Uint8Array.of(1), { every: 1 }, { axis: boolean() })),
      ),
      nan: [2 ** 40],
    };
    expect(Segmented.fromJSON(json).counts).toBeInstanceOf(Float64Array);
    expect([...Segmented.fromJSON(json).nan]).toEqual([2 ** 40]);
  });

  it("are refused before memory is taken, if their parts do not fit", async () => {
    const whole = JSON.parse(
      JSON.stringify(await engine.segments(Uint8Array.of(1, 2), { every: 1 }, { axis: boolean() })),
    );
    const refused = (changes: object): string => {
      const { code, message } = errorOf(() => Segmented.fromJSON({ ...whole, ...changes }));
      return `${code}: ${message}`;
    };
    expect(refused({ segments: 2 ** 50 })).toContain(
      "ERR_INPUT: expected 1125899906842624 for counts.length",
    );
    expect(refused({ segments: -1 })).toContain("for segments");
    expect(refused({ counts: [[1, 2], [1]] })).toContain("2 for counts[1].length");
    expect(
      refused({
        counts: [
          [1, 2],
          [1, 0.5],
        ],
      }),
    ).toContain("for counts[1][1]");
    expect(refused({ nan: [0] })).toContain("2 for nan.length");
    expect(refused({ overflow: [0, -1] })).toContain("for overflow[1]");
    expect(refused({ underflow: null })).toContain("an array for underflow");
    expect(refused({ type: "u7" })).toContain("for type");
    expect(refused({ axis: { type: "regular", bins: 3 } })).toContain("ERR_AXIS");
    expect(refused({ axis: null })).toContain("ERR_INPUT");
  });
});
