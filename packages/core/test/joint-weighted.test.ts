import { describe, expect, it } from "vitest";
import { integer, regular } from "../src/axis/index.ts";
import { openEngine } from "../src/engine/open.ts";
import { ReadableJointHistogram } from "../src/result/reading.ts";
import { WeightedHistogram } from "../src/result/weighted-histogram.ts";
import { WeightedJointHistogram } from "../src/result/weighted-joint-histogram.ts";
import { expectError } from "./helpers.ts";

const row = (...values: number[]) => Float64Array.from(values);
const [x, y] = [regular(2, 0, 1), integer(0, 2)];
/** x with flow, y without. */
const made = (changes: object = {}) =>
  new WeightedJointHistogram([x, y], ["f64", "u8"], {
    cells: {
      counts: row(1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
      sums: row(0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5),
      sumsOfSquares: row(1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
      ...changes,
    },
    extents: [5, 2],
    masked: 3,
  });

describe("sums of cells", () => {
  it("are read by cell, by bin and together", () => {
    const joint = made();
    expect(joint.at(1, 0)).toEqual({ count: 3, sum: 1.5, sumOfSquares: 3 });
    expect(joint.at("nan", 1)).toEqual({ count: 10, sum: 5, sumOfSquares: 10 });
    expect(joint.at(0, "nan")).toEqual({ count: 0, sum: 0, sumOfSquares: 0 });
    expect([joint.counts, joint.sums, joint.sumsOfSquares]).toEqual([
      row(1, 2, 3, 4),
      row(0.5, 1, 1.5, 2),
      row(1, 2, 3, 4),
    ]);
    expect([joint.sum(), joint.sum({ flow: true })]).toEqual([5, 27.5]);
    expect(joint.density()).toEqual(row(0.2, 0.4, 0.6, 0.8));
    expect([...joint.entries()][1]).toEqual({ index: [0, 1], x0: [0, 1], x1: [0.5, 2], length: 2, sum: 1 });
    expectError(() => joint.at(2, 0), "ERR_INPUT", "index 0");
  });

  it("project, slice and rebin with their counts and squares", () => {
    const one = made().project(0);
    expect(one).toBeInstanceOf(WeightedHistogram);
    expect([one.counts, one.sums, one.sumsOfSquares]).toEqual([row(3, 7), row(1.5, 3.5), row(3, 7)]);
    expect(one).toMatchObject({ masked: 3, underflow: 11, overflow: 15, nan: 19 });
    expect(one.flowSums).toEqual({ underflow: 5.5, overflow: 7.5, nan: 9.5 });
    expect(one.flowSumsOfSquares).toEqual({ underflow: 11, overflow: 15, nan: 19 });
    expect(made().marginal(1).sums).toEqual(row(2, 3));
    expect((made().slice({ 1: 1 }) as WeightedHistogram).sums).toEqual(row(1, 2));
    expect(made().rebin({ 0: 2 }).sums).toEqual(row(2, 3));
    const unknown = made({ counts: null, sumsOfSquares: null }).project(0);
    expect([unknown.counts, unknown.flow, unknown.sumsOfSquares]).toEqual([null, null, null]);
    expect(made({ counts: null, sumsOfSquares: null }).at(0, 0)).toEqual({
      count: null,
      sum: 0.5,
      sumOfSquares: null,
    });
  });

  it("compensate for rounding", () => {
    const joint = made({ sums: row(1e16, 1, 0, 0, -1e16, 1, 0, 0, 0, 0), sumsOfSquares: null });
    const both = joint.rebin({ 0: 2, 1: 2 });
    expect(both.at(0, 0).sum).toBe(1e16 + 1);
    const far = made({ sums: row(1e16, 1, 1, -1e16, 0, 0, 0, 0, 0, 0) }).rebin({ 0: 2, 1: 2 });
    expect(far.at(0, 0).sum).toBe(2);
  });

  it("merge, and subtract undoes it", () => {
    const [a, b] = [made(), made({ sums: row(4, 2, 1, 0.5, 4, 2, 1, 0.5, 8, 8) })];
    expect(a.merge(b).subtract(b)).toEqual(a);
    expect(a.merge(b)).toMatchObject({ masked: 6 });
    expect(a.merge(made({ counts: null })).counts).toBeNull();
    expectError(
      () => a.subtract(made({ counts: row(2, 0, 0, 0, 0, 0, 0, 0, 0, 0) })),
      "ERR_INPUT",
      "in a bin with",
    );
    expectError(() => a.merge(made().project(1, 0)), "ERR_AXIS");
    expectError(() => a.merge({} as never), "ERR_INPUT", "a WeightedJointHistogram");
    const most = made({ sums: row(1.7e308, 0, 0, 0, 0, 0, 0, 0, 0, 0) });
    expectError(() => most.merge(most), "ERR_LIMIT", "finite");
  });

  it("have a profile", () => {
    const profile = made({ sumsOfSquares: row(1, 2.5, 3, 4, 0, 0, 0, 0, 0, 0) }).profile();
    const { means, variances } = profile;
    const json = profile.toJSON();
    expect(json.storage).toMatchObject({ type: "mean" });
    expect(ReadableJointHistogram.fromJSON(json).toJSON()).toEqual(json);
    expect(means).toEqual(row(0.5, 0.5, 0.5, 0.5));
    expect(variances).toEqual(row(Number.NaN, 2, 2.25 / 2, 1));
    expectError(() => made({ sumsOfSquares: null }).profile(), "ERR_INPUT", "squares: true");
  });
});

describe("of an engine", () => {
  it("are those of each column, and of each group", async () => {
    await using engine = await openEngine();
    const n = 500;
    const values = Float32Array.from({ length: n }, (_, i) => ((i * 37) % 130) / 100 - 0.1);
    const bytes = Uint8Array.from({ length: n }, (_, i) => (i * i) % 7);
    const weights = Float64Array.from({ length: n }, (_, i) => ((i * 13) % 17) / 4 - 1);
    const axes = [regular(5, 0, 1), integer(1, 5)];
    const joint = await engine.joint([values, bytes], { axes, weights, squares: true });
    expect(joint).toBeInstanceOf(WeightedJointHistogram);
    for (const [k, column] of [values, bytes].entries()) {
      const one = await engine.histogram(column, { axis: axes[k]!, weights, squares: true });
      // Sums of quarters are exact, in any order.
      const found = joint.project(k);
      expect([found.counts, found.sums, found.sumsOfSquares]).toEqual([
        one.counts,
        one.sums,
        one.sumsOfSquares,
      ]);
      expect([found.flow, found.flowSums, found.flowSumsOfSquares]).toEqual([
        one.flow,
        one.flowSums,
        one.flowSumsOfSquares,
      ]);
    }
    const counted = await engine.joint([values, bytes], { axes });
    expect(joint.cells.counts).toEqual(counted.cells);
    const { means } = joint.profile();
    expect(means[0]).toBe(joint.sums[0]! / counted.counts[0]!);
  });
});
