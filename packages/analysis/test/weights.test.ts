// Sums of weights take the place of counts where the statistic has a weighted definition.
import { Histogram, integer, isPolybinError, openEngine, regular } from "@polybin/core";
import { afterAll, describe, expect, test } from "vitest";
import type { Counted } from "../src/index.ts";
import * as analysis from "../src/index.ts";
import { codeOf } from "./vectors.ts";

const engine = await openEngine();
afterAll(() => engine.close());
const x = Uint8Array.of(10, 10, 12, 40, 200, 255);
const weights = [0.5, 1.25, 2, 0.25, 3.5, 0.75];
const h = await engine.histogram(x, { weights });
const other = await engine.histogram(Uint8Array.of(12, 12, 13, 100, 210), { weights: [1, 0.5, 0.25, 2, 4] });
const exactly = (value: number) => ({ value, low: value, high: value });

describe("of sums of weights", () => {
  // NumPy 1.24, SciPy 1.10, scikit-image 0.19 and OpenCV 4.6 of the same values and weights.
  test("numbers are those of NumPy and SciPy with weights", () => {
    expect(analysis.mean(h).value).toBeCloseTo(114.27272727272727, 10);
    expect(analysis.variance(h).value).toBeCloseTo(9927.41046831956, 8);
    expect(analysis.entropy(h)).toBeCloseTo(1.3601577779075762, 12);
    expect(analysis.mode(h)).toEqual(exactly(200));
    // The running sums are 1.75, 3.75, 4, 7.5 and 8.25.
    const values = analysis.quantiles(h, [0, 1.75 / 8.25, 0.22, 0.48, 0.5, 0.95, 1]);
    expect(values.map(({ value }) => value)).toEqual([10, 10, 12, 40, 200, 255, 255]);
    expect(analysis.cdf(h)[40]).toBe(4 / 8.25);
    expect(analysis.cdfAt(h, 12)).toEqual(exactly(3.75 / 8.25));
  });

  test("thresholds are those of scikit-image over the same histogram", () => {
    expect([analysis.otsu(h).value, analysis.yen(h).value, analysis.isodata(h).value]).toEqual([40, 40, 111]);
    expect(analysis.multiOtsu(h, { classes: 3 }).map(({ value }) => value)).toEqual([40, 200]);
  });

  test("distances are those of SciPy and OpenCV", () => {
    expect(analysis.earthMovers(h, other)).toBeCloseTo(30.844574780058647, 10);
    expect(analysis.jensenShannon(h, other)).toBeCloseTo(0.7371725062588377, 12);
    expect(analysis.correlation(h, other)).toBeCloseTo(0.13196913566566817, 6);
    expect(analysis.chiSquare(h, other)).toBeCloseTo(6.375, 6);
    expect(analysis.intersection(h, other)).toBeCloseTo(1.5, 6);
    expect(analysis.bhattacharyya(h, other)).toBeCloseTo(0.8850920040145245, 6);
  });

  test("whole weights are samples that occur as often", async () => {
    const whole = [1, 2, 3, 1, 4, 2];
    const repeated = Float32Array.from([...x].flatMap((value, i) => Array<number>(whole[i]!).fill(value)));
    const axis = regular(7, 11, 230);
    const counted = await engine.histogram(repeated, { axis });
    const weighed = await engine.histogram(Float32Array.from(x), { axis, weights: whole });
    for (const options of [{}, { flow: false }]) {
      for (const q of [0, 0.1, 0.4, 0.75, 1]) {
        expect(analysis.quantile(weighed, q, options)).toEqual(analysis.quantile(counted, q, options));
      }
      expect(analysis.mean(weighed, options)).toEqual(analysis.mean(counted, options));
      expect([...analysis.cdf(weighed, options)]).toEqual([...analysis.cdf(counted, options)]);
      expect(analysis.cdfAt(weighed, 99, options)).toEqual(analysis.cdfAt(counted, 99, options));
      expect(analysis.entropy(weighed, options)).toBe(analysis.entropy(counted, options));
      const [a, b] = [analysis.variance(weighed, options), analysis.variance(counted, options)];
      expect([a.value, a.low]).toEqual([b.value, b.low]);
      // The weights of samples are not known, so any part of a bin's weight may lie at either end.
      expect(a.high).toBeGreaterThanOrEqual(b.high);
    }
  });

  test("two columns have them too", async () => {
    const axes = [integer(0, 2), integer(0, 2)];
    const columns = [Uint8Array.of(0, 0, 1, 1), Uint8Array.of(0, 1, 0, 1)];
    const joint = await engine.joint(columns, { axes, weights: [3, 0.5, 0.5, 1] });
    const plain = { counts: [6, 1, 1, 2], shape: [2, 2] };
    for (const of of [
      analysis.mutualInformation,
      analysis.normalizedMutualInformation,
      analysis.correlationRatio,
    ]) {
      expect(of(joint)).toBeCloseTo(of(plain), 14);
    }
  });

  test("of a file without counts", () => {
    const { counts: _, ...rest } = h.toJSON().writer_info.polybin as Record<string, unknown>;
    const json = { ...h.toJSON(), writer_info: { polybin: rest } };
    const read = Histogram.fromJSON(JSON.parse(JSON.stringify(json))) as Counted;
    expect(analysis.mean(read)).toEqual(analysis.mean(h));
  });
});

describe("without a definition for weights", () => {
  const calls: readonly (readonly [string, (of: Counted) => unknown])[] = [
    ["li", (of) => analysis.li(of)],
    ["triangle", (of) => analysis.triangle(of)],
    ["equalize", (of) => analysis.equalize(of)],
    ["stretch", (of) => analysis.stretch(of)],
    ["match", (of) => analysis.match(of, of)],
    ["variance with ddof", (of) => analysis.variance(of, { ddof: 1 })],
  ];
  test.for(calls)("%s is refused, and of the counts it is not", ([, call]) => {
    expect(codeOf(() => call(h))).toBe("ERR_UNSUPPORTED");
    const { counts, edges, axis, type } = h;
    expect(() => call({ counts, edges, axis, type })).not.toThrow();
  });

  test("negative sums and means of another quantity are refused", async () => {
    const negative = await engine.histogram(x, { weights: [-1, 0, 1, 1, 1, 1] });
    expect(codeOf(() => analysis.mean(negative))).toBe("ERR_INPUT");
    expect(() => analysis.entropy(negative)).toThrow("for histogram.sums[10] but received -1 of type number");
    const outside = { counts: null, sums: [1], edges: [0, 1], flowSums: { underflow: -1, overflow: 0 } };
    expect(() => analysis.median(outside)).toThrow("histogram.underflow");
    const storage = { type: "mean", counts: [1, 2], values: [1, 2], variances: [0, 0] };
    const ends = { underflow: false, overflow: false, circular: false };
    const axis = { type: "regular", lower: 0, upper: 2, bins: 2, ...ends };
    const means = Histogram.fromJSON({ uhi_schema: 1, axes: [axis], storage });
    expect(codeOf(() => analysis.mean(means as never))).toBe("ERR_INPUT");
    const error = (() => {
      try {
        return analysis.li(h);
      } catch (caught) {
        return caught;
      }
    })();
    expect(isPolybinError(error)).toBe(true);
    expect(String(error)).toContain("pass { counts, edges, axis, type } of the histogram to use its counts");
  });
});
