import { afterAll, describe, expect, it } from "vitest";
import { type Axis, integer, regular } from "../src/axis/axis.ts";
import { openEngine } from "../src/engine/open.ts";
import type { SampleType } from "../src/input/sample-types.ts";
import {
  ReadableHistogram as Histogram,
  ReadableWeightedHistogram as WeightedHistogram,
} from "../src/result/reading.ts";
import { expectError } from "./helpers.ts";

const engine = await openEngine();
afterAll(() => engine.close());

const axis = regular(4, 0, 2);
const samples = Float32Array.of(0.1, 0.2, 0.6, 1.9, 2, -1, 9, 8, Number.NaN);
const weights = Float32Array.of(1, 2, 4, 8, 16, 32, 64, 128, 256);
const h = await engine.histogram(samples, { axis, weights, squares: true, timings: true });

/** One without squares, of another writer: counts unknown. */
function foreign(of: Axis, type: SampleType, sums: readonly number[]): WeightedHistogram {
  return new WeightedHistogram(of, type, {
    counts: null,
    flow: null,
    sums: Float64Array.from(sums),
    flowSums: { underflow: 0.5, overflow: 0.25, nan: 0 },
    sumsOfSquares: null,
    flowSumsOfSquares: null,
    limbs: null,
    limbsOfSquares: null,
  });
}

describe("a weighted result", () => {
  it("has the shape of a plain one", async () => {
    const plain = await engine.histogram(samples, { axis, timings: true });
    expect(h).toBeInstanceOf(WeightedHistogram);
    for (const name of ["axis", "type", "bins", "counts", "edges", "underflow", "overflow", "nan"] as const) {
      expect(h[name]).toEqual(plain[name]);
    }
    expect(h).toMatchObject({ backend: "cpu", device: plain.device, algorithm: "weighted-sequential" });
    expect(h.plan.algorithm).toBe(h.algorithm);
    expect(Object.keys(h.timings!)).toEqual(Object.keys(plain.timings!));
    expect([h.metadata, h.axisMetadata]).toEqual([{}, {}]);
    for (const name of ["sum", "density", "cumulative", "merge", "toJSON"] as const) {
      expect(typeof h[name]).toBe(typeof plain[name]);
    }
  });

  it("has sums in addition to the counts, also for flow and NaN", () => {
    expect([...h.counts]).toEqual([2, 1, 0, 2]);
    expect([...h.sums]).toEqual([3, 4, 0, 24]);
    expect([...h.sumsOfSquares!]).toEqual([5, 16, 0, 320]);
    expect(h.flow).toEqual({ underflow: 1, overflow: 2, nan: 1 });
    expect(h.flowSums).toEqual({ underflow: 32, overflow: 192, nan: 256 });
    expect(h.flowSumsOfSquares).toEqual({ underflow: 1024, overflow: 20_480, nan: 65_536 });
  });

  it("sum, density and cumulative refer to the sums", () => {
    expect(h.sum()).toBe(31);
    expect(h.sum({ flow: true })).toBe(511);
    expectError(() => h.sum({ flwo: true } as never), "ERR_INPUT", "flow", "flwo");
    expect([...h.density()]).toEqual([3, 4, 0, 24].map((sum) => sum / 0.5 / 31));
    expect([...h.cumulative()]).toEqual([3, 7, 7, 31]);
  });

  it("adds cancelling sums accurately", () => {
    expect(foreign(integer(0, 3), "u8", [1e16, 1, -1e16]).sum()).toBe(1);
    expect(foreign(integer(0, 3), "u8", [1e16, 1, -1e16]).sum({ flow: true })).toBe(1.75);
    expect(foreign(integer(0, 2), "u8", [1e308, 1e308]).sum()).toBe(Infinity);
  });
});

describe("merging weighted results", () => {
  it("adds counts, sums and squares, and changes neither", async () => {
    const other = await engine.histogram(Float32Array.of(0.7, 5), {
      axis,
      weights: [0.5, 0.25],
      squares: true,
    });
    const both = h.merge(other);
    expect(both).toBeInstanceOf(WeightedHistogram);
    expect([...both.counts!]).toEqual([2, 2, 0, 2]);
    expect([...both.sums]).toEqual([3, 4.5, 0, 24]);
    expect([...both.sumsOfSquares!]).toEqual([5, 16.25, 0, 320]);
    expect(both).toMatchObject({
      flow: { underflow: 1, overflow: 3, nan: 1 },
      flowSums: { underflow: 32, overflow: 192.25, nan: 256 },
      flowSumsOfSquares: { underflow: 1024, overflow: 20_480.0625, nan: 65_536 },
      ...{ limbs: null, limbsOfSquares: null, backend: null, plan: null, timings: null },
    });
    expect([...h.counts]).toEqual([2, 1, 0, 2]);
    expect([...other.sums]).toEqual([0, 0.5, 0, 0]);
    expect(other.merge(h).sums).toEqual(both.sums);
  });

  it("has only the numbers that both inputs have", () => {
    const both = h.merge(foreign(axis, "f32", [1, 1, 1, 1]));
    expect([...both.sums]).toEqual([4, 5, 1, 25]);
    expect(both).toMatchObject({
      counts: null,
      flow: null,
      nan: null,
      sumsOfSquares: null,
      flowSumsOfSquares: null,
    });
    expect(both.flowSums).toEqual({ underflow: 32.5, overflow: 192.25, nan: 256 });
  });

  it("refuses another axis, a plain histogram, and sums that are too large", () => {
    const other = foreign(regular(4, 0, 3), "f32", [1, 1, 1, 1]);
    expectError(() => h.merge(other), "ERR_AXIS", "regular with 4 bins over [0, 2]", "over [0, 3]");
    const plain = new Histogram(axis, "f32", { counts: h.counts, underflow: 0, overflow: 0, nan: 0 });
    expectError(() => h.merge(plain as never), "ERR_INPUT", "a WeightedHistogram for other", "Histogram");
    expectError(() => plain.merge(h as never), "ERR_INPUT", "a Histogram for other", "WeightedHistogram");
    const huge = foreign(axis, "f32", [1e308, 0, 0, 0]);
    expectError(() => huge.merge(huge), "ERR_LIMIT", "finite", "1e+308");
    const most = 2 ** 53 - 1;
    const full = new WeightedHistogram(axis, "f32", {
      ...h,
      counts: Float64Array.of(most, 0, 0, 0),
      flow: h.flow,
    });
    expectError(() => full.merge(h), "ERR_LIMIT", `at most ${most}`);
  });
});

describe("weighted results in JSON", () => {
  it("use UHI's weighted storage if squares were requested", () => {
    const json = h.toJSON();
    expect(json.storage).toEqual({
      type: "weighted",
      values: [32, 3, 4, 0, 24, 192],
      variances: [1024, 5, 16, 0, 320, 20_480],
    });
    expect(json.writer_info.polybin).toMatchObject({
      ...{ weighted: true, counts: "2 1 0 2 1 2 1", cells: "6 256", cellsOfSquares: "6 65536" },
      ...{ limbs: h.limbs, limbsOfSquares: h.limbsOfSquares },
    });
    for (const again of [
      Histogram.fromJSON(json),
      WeightedHistogram.fromJSON(JSON.parse(JSON.stringify(h))),
    ]) {
      expect(again).toBeInstanceOf(WeightedHistogram);
      expect(again).toEqual(h);
      expect(again.backend).toBeNull();
    }
  });

  it("use double storage otherwise, and stay sums even if all are whole numbers", async () => {
    const one = await engine.histogram(samples, { axis, weights });
    const json = one.toJSON();
    expect(json.storage).toEqual({ type: "double", values: [32, 3, 4, 0, 24, 192] });
    expect(json.writer_info.polybin).not.toHaveProperty("cellsOfSquares");
    expect(Histogram.fromJSON(JSON.parse(JSON.stringify(one)))).toEqual(one);
    const unknown = foreign(axis, "u8", [1, 2, 3, 4]);
    expect(unknown.toJSON().writer_info.polybin).not.toHaveProperty("counts");
    expect(Histogram.fromJSON(JSON.parse(JSON.stringify(unknown)))).toEqual(unknown);
  });

  it("refuse infinity", () => {
    expectError(
      () => foreign(axis, "u8", [1, Infinity, 3, 4]).toJSON(),
      "ERR_UNSUPPORTED",
      "sums",
      "Infinity",
    );
  });
});
