import { boolean, openEngine, regular, variable } from "@polybin/core";
import { describe, expect, test } from "vitest";
import { kolmogorovSmirnov, totalVariation } from "../src/index.ts";

/** Numbers between 0 and 1 that are the same in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The distance by its definition: shares of samples that are not above each sample. */
function plain(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const share = (all: ArrayLike<number>, x: number): number =>
    Array.from(all).filter((value) => value <= x).length / all.length;
  return Math.max(...[...Array.from(a), ...Array.from(b)].map((x) => Math.abs(share(a, x) - share(b, x))));
}

const engine = await openEngine();
const f64 = (values: number[], axis: Parameters<typeof engine.histogram>[1]) =>
  engine.histogram(Float64Array.from(values), axis);

describe("kolmogorovSmirnov", () => {
  test("integers with a bin each have SciPy's distance, and no bounds around it", async () => {
    const [a, b] = [Uint8Array.of(1, 2, 2, 9), Uint8Array.of(2, 3, 3, 4)];
    const [x, y] = [await engine.histogram(a), await engine.histogram(b)];
    // scipy.stats.ks_2samp([1, 2, 2, 9], [2, 3, 3, 4]).statistic
    expect(kolmogorovSmirnov(x, y)).toEqual({ value: 0.5, low: 0.5, high: 0.5 });
    expect(kolmogorovSmirnov(x, x)).toEqual({ value: 0, low: 0, high: 0 });
  });

  test("bounds hold for any samples, over common and other bins, with samples outside", async () => {
    const next = random(7);
    for (let run = 0; run < 300; run++) {
      const round = run % 3 === 0 ? (x: number) => Math.round(x * 8) / 8 : (x: number) => x;
      const samples = (shift: number): number[] =>
        Array.from({ length: 1 + Math.floor(next() * 30) }, () => round(next() * 2 - shift));
      const [a, b] = [samples(next()), samples(next())];
      const axisA = regular(1 + Math.floor(next() * 8), -0.5, 1);
      const axisB = run % 2 === 0 ? axisA : variable([-1, -0.25, 0.5, 1, 1.25]);
      const [x, y] = [await f64(a, { axis: axisA }), await f64(b, { axis: axisB })];
      const { value, low, high } = kolmogorovSmirnov(x, y);
      const true_ = plain(a, b);
      expect(low).toBeLessThanOrEqual(true_ + 1e-12);
      expect(high).toBeGreaterThanOrEqual(true_ - 1e-12);
      expect([low <= value, value <= high]).toEqual([true, true]);
      if (axisA === axisB) expect(value).toBeCloseTo(low, 12);
    }
  });

  test("samples apart have distance 1, and empty histograms none", async () => {
    const [a, b] = [
      await f64([0, 1], { axis: regular(2, 0, 1) }),
      await f64([1, 2], { axis: regular(2, 1, 2) }),
    ];
    // The bin [0.5, 1] of the first holds its 1, which the second has in its bin [1, 1.5).
    expect(kolmogorovSmirnov(a, b)).toEqual({ value: expect.closeTo(1, 12), low: 0.5, high: 1 });
    const far = await f64([5, 6], { axis: regular(2, 5, 6) });
    expect(kolmogorovSmirnov(a, far)).toEqual({ value: 1, low: 1, high: 1 });
    const empty = await f64([], { axis: regular(2, 0, 1) });
    expect(kolmogorovSmirnov(a, empty)).toEqual({ value: NaN, low: NaN, high: NaN });
    expect(totalVariation(a, empty)).toBeNaN();
  });
});

test("totalVariation is half the sum of the differences", async () => {
  const [a, b] = await Promise.all(
    [
      [1, 1, 0, 1],
      [0, 1],
    ].map((bits) => engine.histogram(Uint8Array.from(bits), { axis: boolean() })),
  );
  expect(totalVariation(a!, b!)).toBe(0.25);
  expect(totalVariation(a!, a!)).toBe(0);
});
