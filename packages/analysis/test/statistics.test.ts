import {
  boolean,
  category,
  circular,
  Histogram,
  integer,
  isPolybinError,
  openEngine,
  regular,
  variable,
} from "@polybin/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Bounded, Counted } from "../src/index.ts";
import {
  cdf,
  cdfAt,
  centers,
  entropy,
  mean,
  median,
  mode,
  otsu,
  quantile,
  quantiles,
  variance,
} from "../src/index.ts";
import { bytes, codeOf, range, stored, vectors } from "./vectors.ts";

interface Exact {
  readonly name: string;
  readonly fractions: readonly number[];
  readonly quantiles: readonly number[];
  readonly mean: number;
  readonly variance: number;
  readonly "sample variance": number;
  readonly mode: number;
  readonly entropy: number;
  readonly bits: number;
  readonly cdf: readonly number[];
}
interface Wide {
  readonly name: string;
  readonly fractions: readonly number[];
  readonly quantiles: readonly number[];
  readonly "samples' quantiles": readonly number[];
  readonly at: readonly number[];
  readonly cdf: readonly number[];
  readonly "samples' cdf": readonly number[];
  readonly mean: number;
  readonly "samples' mean": number;
  readonly variance: number;
  readonly "samples' variance": number;
}

const { cases, binned } = vectors<{ readonly cases: readonly Exact[]; readonly binned: readonly Wide[] }>(
  "statistics",
);

const exactly = (value: number): Bounded => ({ value, low: value, high: value });
/** Equal but for rounding. */
const near = (value: number, found: number): void =>
  expect(Math.abs(value - found)).toBeLessThanOrEqual(1e-12 * Math.max(Math.abs(value), Math.abs(found)));
const holds = ({ low, high }: Bounded, value: number): void => {
  const slack = 1e-12 * Math.max(1, Math.abs(value));
  expect(low).toBeLessThanOrEqual(value + slack);
  expect(high).toBeGreaterThanOrEqual(value - slack);
};

describe.for(cases)("$name: bins of one value, as NumPy and SciPy", (one) => {
  const histogram = stored(one.name);

  test("quantiles and the median are exact", () => {
    expect(quantiles(histogram, one.fractions)).toEqual(one.quantiles.map(exactly));
    expect(median(histogram)).toEqual(quantile(histogram, 0.5));
    expect(mode(histogram)).toEqual(exactly(one.mode));
  });

  test("mean, variance, entropy", () => {
    for (const [found, expected] of [
      [mean(histogram), one.mean],
      [variance(histogram), one.variance],
      [variance(histogram, { ddof: 1 }), one["sample variance"]],
    ] as const) {
      near(found.value, expected);
      near(found.low, found.value);
      near(found.high, found.value);
    }
    near(entropy(histogram), one.entropy);
    near(entropy(histogram, { base: 2 }), one.bits);
  });

  test("cdf", () => {
    const found = cdf(histogram);
    const last = histogram.counts!.length - 1;
    const occurring = range(last + 1).filter((value) => histogram.counts![value]! > 0);
    expect(found[last]).toBe(1);
    // scikit-image's ends with the largest value.
    const end = occurring.at(-1)!;
    expect([...found.subarray(Math.max(end - 4, 0), end + 1)].slice(-one.cdf.length)).toEqual(
      one.cdf.slice(-Math.min(5, end + 1)),
    );
  });
});

describe.for(binned)("$name: wide bins", (one) => {
  const histogram = stored(one.name);

  test("values are SciPy's, and the bounds hold the samples' own quantiles", () => {
    for (const [i, found] of quantiles(histogram, one.fractions).entries()) {
      near(found.value, one.quantiles[i]!);
      holds(found, one["samples' quantiles"][i]!);
      expect(histogram.edges).toContain(found.low);
    }
  });

  test("cdf at a value", () => {
    for (const [i, x] of one.at.entries()) {
      const found = cdfAt(histogram, x);
      expect(found.value).toBeCloseTo(one.cdf[i]!, 12);
      holds(found, one["samples' cdf"][i]!);
    }
  });

  test("mean and variance", () => {
    near(mean(histogram).value, one.mean);
    near(variance(histogram).value, one.variance);
    holds(mean(histogram), one["samples' mean"]);
    holds(variance(histogram), one["samples' variance"]);
  });
});

test("the bounds of mean and variance hold all samples, and are reached", () => {
  const sample = fc.integer({ min: 0, max: 39 });
  fc.assert(
    fc.property(fc.array(sample, { minLength: 1, maxLength: 40 }), (samples) => {
      const edges = [0, 3, 4, 9, 20, 40];
      const counts = edges.slice(1).map((hi, i) => samples.filter((x) => edges[i]! <= x && x < hi).length);
      const histogram = { counts, edges, type: "u8", axis: { type: "variable", closed: false } };
      const center = samples.reduce((a, b) => a + b) / samples.length;
      holds(mean(histogram), center);
      holds(variance(histogram), samples.reduce((a, x) => a + (x - center) ** 2, 0) / samples.length);
      for (const q of [0, 0.1, 0.5, 0.93, 1]) {
        const rank = Math.max(Math.ceil(q * samples.length), 1);
        holds(quantile(histogram, q), samples.toSorted((a, b) => a - b)[rank - 1]!);
      }
    }),
  );
});

test("the bounds of the variance are the tightest, by trying all samples of small bins", () => {
  const edges = [0, 2, 5, 6, 10];
  for (const counts of [
    [1, 1, 0, 1],
    [2, 1, 1, 1],
    [0, 3, 0, 0],
    [1, 2, 0, 2],
    [3, 0, 0, 1],
  ]) {
    const all: number[] = [];
    const place = (bin: number, left: number, chosen: number[]): void => {
      if (bin === counts.length) {
        const center = chosen.reduce((a, b) => a + b, 0) / chosen.length;
        all.push(chosen.reduce((a, x) => a + (x - center) ** 2, 0) / chosen.length);
      } else if (left === 0) place(bin + 1, counts[bin + 1] ?? 0, chosen);
      else for (let x = edges[bin]!; x <= edges[bin + 1]!; x += 0.5) place(bin, left - 1, [...chosen, x]);
    };
    place(0, counts[0]!, []);
    const { low, high } = variance({ counts, edges });
    expect(high).toBeCloseTo(Math.max(...all), 12);
    // The grid of samples may miss the lowest point by a quarter.
    expect(low).toBeLessThanOrEqual(Math.min(...all) + 1e-12);
    expect(Math.min(...all) - low).toBeLessThan(0.07);
  }
});

test("samples outside the bins take part, unless flow is false", () => {
  const floats: Counted = { counts: [1, 2], edges: [0, 1, 2], underflow: 4, overflow: 1 };
  expect(quantile(floats, 0.5)).toEqual({ value: Number.NaN, low: -Infinity, high: 0 });
  expect(quantile(floats, 1)).toEqual({ value: Number.NaN, low: 2, high: Infinity });
  expect(quantile(floats, 0.5, { flow: false })).toEqual({ value: 1.25, low: 1, high: 2 });
  expect(mean(floats)).toEqual({ value: Number.NaN, low: -Infinity, high: Infinity });
  expect(variance(floats).high).toBe(Infinity);
  expect(variance(floats).low).toBeGreaterThan(0);
  expect(mean({ ...floats, underflow: 0 })).toEqual({ value: Number.NaN, low: 1, high: Infinity });
  expect([...cdf(floats)]).toEqual([5 / 8, 7 / 8]);
  expect([...cdf(floats, { flow: false })]).toEqual([1 / 3, 1]);
  expect(entropy(floats)).toBeGreaterThan(entropy(floats, { flow: false }));
  // The type bounds integers.
  const tens = { counts: [0, 2], edges: [10, 20, 30], underflow: 2, type: "u8", axis: { type: "integer" } };
  expect(mean(tens)).toEqual({ value: (4.5 + 24.5) / 2, low: 10, high: 19 });
  expect(quantile(tens, 0.25)).toEqual({ value: 4.5, low: 0, high: 9 });
});

test("a fraction means the decimal that it prints as", () => {
  const hundred = bytes(Object.fromEntries(range(100).map((value) => [value, 1])));
  for (const percent of range(101).slice(1)) {
    expect(quantile(hundred, percent / 100).value, `${percent}%`).toBe(percent - 1);
  }
  expect(quantile(hundred, 1e-9).value).toBe(0);
});

test("bins of integers that hold no integer, and the last edge", () => {
  const thirds: Counted = {
    counts: [1, 0, 1],
    edges: [0, 1.2, 1.8, 2],
    type: "u8",
    axis: { type: "regular" },
  };
  expect(quantile(thirds, 1)).toEqual(exactly(2));
  expect(quantile(thirds, 0.5)).toEqual({ value: 1, low: 0, high: 1 });
  expect([...centers(thirds)]).toEqual([0.5, 1.5, 2]);
  expect([...centers({ counts: [1, 1], edges: [0, 1, 3] })]).toEqual([0.5, 2]);
});

test("nothing was counted", () => {
  const nothing = exactly(Number.NaN);
  for (const call of [median, mean, variance, mode]) expect(call(bytes({}))).toEqual(nothing);
  expect(entropy(bytes({}))).toBeNaN();
  expect([...cdf(bytes({})).subarray(0, 2)]).toEqual([Number.NaN, Number.NaN]);
  expect(variance(bytes({ 3: 1 }), { ddof: 1 })).toEqual(nothing);
  expect(variance(bytes({ 3: 1 }))).toEqual(exactly(0));
});

test("core's histograms, as they are", async () => {
  await using engine = await openEngine();
  const histogram: Counted = await engine.histogram(Uint8Array.of(1, 2, 2, 200));
  expect(median(histogram)).toEqual(exactly(2));
  const wide = await engine.histogram(Float32Array.of(0.1, 0.2, 0.9, 7, Number.NaN), {
    axis: regular(2, 0, 1),
  });
  expect(quantile(wide, 0.5)).toEqual({ value: 0.5, low: 0, high: 0.5 });
  const read = Histogram.fromJSON(JSON.parse(JSON.stringify(wide))) as Histogram;
  expect(mean(read, { flow: false })).toEqual(mean(wide, { flow: false }));
  const shares = await engine.histogram(Int8Array.of(-3, -3, 5), { axis: integer(-4, 0) });
  expect(quantile(shares, 1)).toEqual({ value: 127, low: 0, high: 127 });
});

test("bins without an order, and open last bins", async () => {
  await using engine = await openEngine();
  for (const axis of [category([1, 2]), boolean(), circular(4, 24)]) {
    const histogram = await engine.histogram(Uint8Array.of(1, 2, 2), { axis });
    for (const call of [median, mean, mode, otsu, cdf])
      expect(codeOf(() => call(histogram))).toBe("ERR_AXIS");
    expect(entropy(histogram)).toBeGreaterThanOrEqual(0);
  }
  const samples = Uint8Array.of(0, 1, 2, 3);
  const closed = await engine.histogram(samples, { axis: regular(2, 0, 4) });
  const open = await engine.histogram(samples, { axis: regular(2, 0, 4, { closed: false }) });
  expect(quantile(closed, 1)).toEqual({ value: 4, low: 2, high: 4 });
  expect(quantile(open, 1)).toEqual({ value: 3, low: 2, high: 3 });
  const endless = await engine.histogram([1, 2, 3], { axis: variable([-Infinity, 2, Infinity]) });
  expect(mean(endless)).toEqual({ value: Number.NaN, low: -Infinity, high: Infinity });
});

test("wrong input", () => {
  const one = bytes({ 3: 1 });
  for (const call of [
    () => quantile(one, 1.5),
    () => quantile(one, Number.NaN),
    () => quantiles(one, 0.5 as unknown as number[]),
    () => quantile(one, 0.5, { flow: 1 } as object),
    () => mean(one, { flows: true } as object),
    () => mean(null as unknown as Counted),
    () => mean({ counts: [], edges: [0] }),
    () => mean({ counts: [1, Number.NaN], edges: [0, 1, 2] }),
    () => mean({ counts: [1], edges: [0, 1], underflow: -1 }),
    () => variance(one, { ddof: -1 }),
    () => entropy(one, { base: 1 }),
    () => cdfAt(one, Number.NaN),
  ]) {
    expect(codeOf(call)).toBe("ERR_INPUT");
  }
  for (const call of [
    () => mean({ counts: [1, 2], edges: [0, 1] }),
    () => mean({ counts: [1, 2], edges: [0, 1, 1] }),
    () => mean({ counts: [1, 2], edges: [0, 1, Number.NaN] }),
    () => mean({ counts: [1, 2], edges: [0, 1, 2], axis: { type: "category" } }),
  ]) {
    expect(codeOf(call)).toBe("ERR_AXIS");
  }
});

test("errors are polybin's, in one line", () => {
  try {
    quantile(bytes({ 3: 1 }), 2);
    expect.unreachable();
  } catch (error) {
    expect(isPolybinError(error)).toBe(true);
    expect((error as Error).message).toBe(
      "expected a number from 0 to 1 for qs[0] but received 2 of type number",
    );
  }
});
