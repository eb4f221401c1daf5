import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Axis,
  boolean,
  category,
  checkedAxis,
  circular,
  edgesOf,
  integer,
  isSameAxis,
  regular,
  regularSpaced,
  variable,
} from "../src/axis/index.ts";
import { openEngine } from "../src/engine/open.ts";
import type { SampleType } from "../src/input/sample-types.ts";
import { indices } from "../src/lowering/index.ts";
import { Histogram } from "../src/result/histogram.ts";
import { MeanHistogram } from "../src/result/mean-histogram.ts";
import { ReadableHistogram } from "../src/result/reading.ts";
import { WeightedHistogram } from "../src/result/weighted-histogram.ts";
import { expectError } from "./helpers.ts";

const engine = await openEngine();

const flow = { underflow: 1, overflow: 2, nan: 4 };
const of = (counts: readonly number[], axis: Axis = regular(counts.length, 0, 1), type: SampleType = "f64") =>
  new Histogram(axis, type, { counts: Float64Array.from(counts), ...flow });
const numbers = (h: Histogram) => [[...h.counts], h.underflow, h.overflow, h.nan];

describe("rebin", () => {
  it("joins neighbouring bins by a factor", () => {
    const wide = of([1, 2, 3, 4, 5, 6]).rebin(2);
    expect(numbers(wide)).toEqual([[3, 7, 11], 1, 2, 4]);
    expect(wide.axis).toEqual(regular(3, 0, 1));
    expect(wide.backend).toBeNull();
    expect(numbers(of([1, 2, 3]).rebin(1))).toEqual([[1, 2, 3], 1, 2, 4]);
    expect(numbers(of([1, 2, 3]).rebin(3))).toEqual([[6], 1, 2, 4]);
  });

  it("keeps edges bit for bit, if need be as a variable axis", () => {
    const tenths = of([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const factor of [2, 5, 10]) {
      const wide = tenths.rebin(factor);
      expect([...wide.edges]).toEqual([...tenths.edges].filter((_, i) => i % factor === 0));
    }
    const f32 = of([1, 2, 3, 4, 5, 6], regular(6, 0.1, 0.7), "f32");
    expect([...f32.rebin(3).edges]).toEqual([f32.edges[0], f32.edges[3], f32.edges[6]]);
  });

  it("joins bins between edges, and samples beyond them fall out", () => {
    const wide = of([1, 2, 3, 4]).rebin([0.25, 0.75]);
    expect(numbers(wide)).toEqual([[5], 2, 6, 4]);
    expect(numbers(of([1, 2, 3, 4]).rebin(Float32Array.of(0, 0.5, 1)))).toEqual([[3, 7], 1, 2, 4]);
  });

  it("joins very many bins between very many edges", () => {
    const counts = Array.from({ length: 65_536 }, (_, i) => i % 3);
    const joined = of(counts, regular(65_536, 0, 1)).rebin(
      Array.from({ length: 32_769 }, (_, i) => i / 32_768),
    );
    expect([...joined.counts]).toEqual(
      Array.from({ length: 32_768 }, (_, i) => counts[2 * i]! + counts[2 * i + 1]!),
    );
    expect(joined.underflow).toBe(flow.underflow);
  });

  it("takes a number near an edge as that edge", () => {
    const wide = of([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).rebin([0, 0.3, 1]);
    expect(wide.edges[1]).toBe(0.30000000000000004);
    expect([...wide.counts]).toEqual([6, 49]);
  });

  it("refuses other factors and edges", () => {
    const four = of([1, 2, 3, 4]);
    for (const factor of [0, 3, 8, -2, 1.5, Number.NaN]) {
      expectError(() => four.rebin(factor), "ERR_INPUT", "that divides 4 bins");
    }
    expectError(() => four.rebin([0, 0.3, 1]), "ERR_AXIS", "received 0.3; the nearest is 0.25");
    expectError(() => four.rebin([0, 0.5, 2]), "ERR_AXIS", "received 2; the nearest is 1");
    expectError(() => four.rebin([0.5, 0]), "ERR_AXIS");
    expectError(() => four.rebin([0.5]), "ERR_AXIS");
    expectError(() => four.rebin("2" as never), "ERR_AXIS");
  });

  it("refuses sums that are not exact", () => {
    expectError(() => of([2 ** 53 - 1, 1]).rebin(2), "ERR_LIMIT", "expected merged counts");
  });
});

describe("slice", () => {
  it("keeps bins, and the others become flow", () => {
    expect(numbers(of([1, 2, 3, 4]).slice(1, 3))).toEqual([[2, 3], 2, 6, 4]);
    expect(numbers(of([1, 2, 3, 4]).slice(2))).toEqual([[3, 4], 4, 2, 4]);
    expect(numbers(of([1, 2, 3, 4]).slice({ lo: 0.25, hi: 0.75 }))).toEqual([[2, 3], 2, 6, 4]);
    expect(numbers(of([1, 2, 3, 4]).slice({ hi: 0.5 }))).toEqual([[1, 2], 1, 9, 4]);
    expect(numbers(of([1, 2, 3, 4]).slice({}))).toEqual([[1, 2, 3, 4], 1, 2, 4]);
    expect(of([1, 2, 3, 4]).slice(1, 3).edges).toEqual(Float64Array.of(0.25, 0.5, 0.75));
    expect(of([1, 2, 3], integer(-1, 2)).slice(1, 3).axis).toEqual(integer(0, 2));
    expect([...of([1, 2, 3], variable([0, 1, 5, 6])).slice(1, 3).edges]).toEqual([1, 5, 6]);
  });

  it("refuses empty and other ranges", () => {
    const four = of([1, 2, 3, 4]);
    for (const [first, end] of [
      [-1, 2],
      [4, 5],
      [0.5, 2],
      [2, 2],
      [0, 5],
      [3, 1],
      [Number.NaN, 2],
    ] as const) {
      expectError(() => four.slice(first, end), "ERR_INPUT");
    }
    expectError(() => four.slice({ lo: 0.5, hi: 0.5 }), "ERR_INPUT");
    expectError(() => four.slice({ lo: 0.4 }), "ERR_AXIS", "nearest is 0.5");
    expectError(() => four.slice({ lo: Number.NaN }), "ERR_AXIS");
    expectError(() => four.slice({ low: 1 } as never), "ERR_INPUT", "did you mean lo");
    expectError(() => four.slice(null as never), "ERR_INPUT");
  });

  it("of a slice counts as the samples would, over any axis", async () => {
    await using engine = await openEngine();
    const cases = fc.record({
      axis: fc.constantFrom<Axis>(
        integer(-3, 9),
        regular(12, -3, 9),
        regular(6, 0.1, 0.7),
        variable([-2, 0, 1, 5]),
      ),
      samples: fc.array(
        fc.oneof(fc.integer({ min: -5, max: 12 }), fc.double({ min: -1, max: 1 }), fc.constant(Number.NaN)),
      ),
      cuts: fc.tuple(fc.nat(), fc.nat()),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ axis, samples, cuts }) => {
        const x = Float64Array.from(samples);
        const first = cuts[0] % axis.bins;
        const end = first + 1 + (cuts[1] % (axis.bins - first));
        const part = (await engine.histogram(x, { axis })).slice(first, end);
        const edges = edgesOf(axis, "f64");
        expect([...part.edges]).toEqual([...edges.slice(first, end + 1)]);
        const again = await engine.histogram(x, { axis: part.axis });
        expect(numbers(part)).toEqual(numbers(again));
      }),
      { numRuns: 50 },
    );
  });
});

describe("over f32 samples, which round edges", () => {
  it("integers past 2^24 are joined and cut", () => {
    const h = of([1, 2, 3, 4, 5, 6], integer(2 ** 25, 2 ** 25 + 6), "f32");
    expect(numbers(h.rebin(2))).toEqual([[3, 7, 11], 1, 2, 4]);
    expect([...h.rebin(2).edges]).toEqual([0, 2, 4, 6].map((by) => 2 ** 25 + by));
    expect([...h.slice({ lo: 2 ** 25 + 1, hi: 2 ** 25 + 3 }).counts]).toEqual([2, 3]);
  });

  it("a circle of a period that f32 does not reach is cut", () => {
    const part = of([1, 2, 3, 4], circular(4, 1e40), "f32").slice(1, 3);
    expect(numbers(part)).toEqual([[2, 3], 2, 6, 4]);
    expect([...part.edges]).toEqual([2.5e39, 5e39, 7.5e39]);
  });

  it.each([0.7, Math.fround(0.7)])("a slice begins at the edge that %d stands for", (lo) => {
    for (const axis of [regular(800, 0, 2), regularSpaced(800, 0, 2, "f32")]) {
      const h = of(
        Array.from({ length: 800 }, () => 1),
        axis,
        "f32",
      );
      expect(h.slice({ lo }).bins).toBe(520);
      expect([...h.rebin([0, lo, 2]).counts]).toEqual([280, 520]);
      expectError(() => h.slice({ lo: 0.7001 }), "ERR_AXIS", "the nearest is 0.69");
    }
  });
});

describe("of other kinds of axes", () => {
  it("slices keep categories, and the others become unknown", () => {
    const h = of([1, 2, 3], category(["a", "b", "c"]));
    const part = h.slice(1, 2);
    expect(numbers(part)).toEqual([[2], 1, 2 + 1 + 3, 4]);
    expect(part.axis).toEqual({ ...category(["b"]), firstCode: 1 });
    expect(numbers(h.slice(0))).toEqual(numbers(h));
    expectError(() => h.slice({ lo: 1 }), "ERR_UNSUPPORTED", '"category"');
    expectError(() => h.rebin(3), "ERR_UNSUPPORTED", '"category"');
    const both = of([1, 2], boolean());
    expect(numbers(both.slice(0, 2))).toEqual(numbers(both));
    expectError(() => both.slice(1), "ERR_UNSUPPORTED", '"boolean"');
    expectError(() => both.rebin(2), "ERR_UNSUPPORTED");
  });

  it("slices of strings keep their codes, so that they count as before", async () => {
    const axis = category(["a", "b", "c", "d"]);
    const codes = Uint8Array.of(0, 1, 1, 2, 2, 2, 3, 9);
    const part = (await engine.histogram(codes, { axis })).slice(1, 4).slice(1, 3);
    expect(part.axis).toEqual({ ...category(["c", "d"]), firstCode: 2 });
    expect(numbers(part)).toEqual([[3, 1], 0, 4, 0]);
    expect(numbers(await engine.histogram(codes, { axis: part.axis }))).toEqual(numbers(part));
    expect([...indices(part.axis, codes)]).toEqual([3, 3, 3, 0, 0, 0, 1, 3]);
    const json = JSON.parse(JSON.stringify(part));
    const again = ReadableHistogram.fromJSON(json) as Histogram;
    expect(again.axis).toEqual(part.axis);
    expect(numbers(again.merge(part))).toEqual([[6, 2], 0, 8, 0]);
    expect(isSameAxis(checkedAxis(JSON.parse(JSON.stringify(part.axis))), part.axis)).toBe(true);
    expectError(
      () => part.merge(of([1, 2], category(["c", "d"]))),
      "ERR_AXIS",
      "code 2 first",
      "code 0 first",
    );
    expectError(
      () => checkedAxis({ ...category([1]), firstCode: 1 }),
      "ERR_AXIS",
      "0 for integers for firstCode",
    );
    expectError(() => checkedAxis({ ...axis, firstCode: -1 }), "ERR_AXIS", "a whole number for firstCode");
    expect(of([1, 2], category([5, 6])).slice(1).axis).toEqual(category([6]));
  });

  it("a circle stays one if all of it remains", () => {
    const h = of([1, 2, 3, 4], circular(4, 24));
    expect(h.rebin(2).axis).toEqual(circular(2, 24));
    expect(numbers(h.rebin(2))).toEqual([[3, 7], 1, 2, 4]);
    const part = h.slice({ lo: 6, hi: 18 });
    expect(part.axis).toEqual(regular(2, 6, 18, { closed: false }));
    expect(numbers(part)).toEqual([[2, 3], 2, 6, 4]);
    expect(h.rebin([6, 12, 24]).axis).toEqual(variable([6, 12, 24], { closed: false }));
    expectError(() => h.rebin([0, 6, 24]), "ERR_UNSUPPORTED", '"circular"');
    // A third of these edges is no edge of a circle with a third of the bins.
    const fine = circular(9, 0.1, 0.7);
    const third = [...edgesOf(fine, "f64")].filter((_, i) => i % 3 === 0);
    const exact = edgesOf(circular(3, 0.1, 0.7), "f64").every((edge, i) => edge === third[i]);
    expect(exact).toBe(false);
    expectError(() => of([1, 2, 3, 4, 5, 6, 7, 8, 9], fine).rebin(3), "ERR_UNSUPPORTED", '"circular"');
  });

  it("infinite edges are edges, and nothing else is near them", () => {
    const h = of([1, 2, 3, 4], variable([-Infinity, 0, 1, 2, Infinity]));
    expect(numbers(h.slice({ lo: 0 }))).toEqual([[2, 3, 4], 2, 2, 4]);
    expect([...h.rebin([-Infinity, 1, Infinity]).counts]).toEqual([3, 7]);
    expect([...h.slice(1, 3).edges]).toEqual([0, 1, 2]);
    expectError(() => h.slice({ lo: 5 }), "ERR_AXIS", "the nearest is 2");
    expectError(() => h.slice({ hi: -1e300 }), "ERR_AXIS");
    expectError(() => of([1, 2], variable([-Infinity, 0, Infinity])).slice({ lo: 5 }), "ERR_AXIS", "is 0");
  });

  it("two numbers near one edge are one edge", () => {
    const h = of([1, 2, 3, 4]);
    expect([...h.rebin([0, 0.5 - 1e-9, 0.5, 1]).counts]).toEqual([3, 7]);
    expectError(() => h.rebin([0.5 - 1e-9, 0.5]), "ERR_AXIS");
  });
});

describe("subtract", () => {
  it("is what merge undoes", () => {
    const [a, b] = [of([1, 2, 3]), of([10, 20, 30])];
    const both = a.merge(b);
    expect(both.subtract(b)).toEqual(a);
    expect(both.subtract(a)).toEqual(b);
    expect(numbers(a.subtract(a))).toEqual([[0, 0, 0], 0, 0, 0]);
  });

  it("refuses a histogram of other samples", () => {
    expectError(() => of([1, 2]).subtract(of([0, 3])), "ERR_INPUT", "it has 3 in a bin with 2");
    expectError(() => of([1, 2]).subtract(of([1, 2], regular(2, 0, 2))), "ERR_AXIS");
    expectError(() => of([1, 2]).subtract({} as never), "ERR_INPUT");
  });
});

describe("entries", () => {
  it("have d3's words", () => {
    expect(of([5, 6]).entries()).toEqual([
      { x0: 0, x1: 0.5, length: 5 },
      { x0: 0.5, x1: 1, length: 6 },
    ]);
  });
});

describe("of sums", () => {
  const row = (...values: number[]) => Float64Array.from(values);
  const sums = (changes: object = {}) =>
    new WeightedHistogram(regular(4, 0, 1), "f64", {
      counts: row(1, 2, 3, 4),
      flow,
      sums: row(0.5, 1, 2, 4),
      flowSums: { underflow: 8, overflow: 16, nan: 32 },
      sumsOfSquares: row(0.25, 0.5, 2, 4),
      flowSumsOfSquares: { underflow: 64, overflow: 256, nan: 1024 },
      limbs: 3,
      limbsOfSquares: 3,
      masked: 2,
      ...changes,
    });

  it("rebin and slice move counts, sums and squares alike", () => {
    const wide = sums().rebin(2);
    expect([...wide.counts!]).toEqual([3, 7]);
    expect([...wide.sums]).toEqual([1.5, 6]);
    expect([...wide.sumsOfSquares!]).toEqual([0.75, 6]);
    expect(wide).toMatchObject({ limbs: null, masked: 2 });
    const part = sums().slice({ lo: 0.25, hi: 0.5 });
    expect([...part.sums]).toEqual([1]);
    expect(part.flow).toEqual({ underflow: 2, overflow: 9, nan: 4 });
    expect(part.flowSums).toEqual({ underflow: 8.5, overflow: 22, nan: 32 });
    expect(part.flowSumsOfSquares).toEqual({ underflow: 64.25, overflow: 262, nan: 1024 });
    const unknown = sums({ counts: null, flow: null, sumsOfSquares: null, flowSumsOfSquares: null }).slice(
      1,
      3,
    );
    expect([unknown.counts, unknown.flow, unknown.sumsOfSquares]).toEqual([null, null, null]);
    expect([...unknown.sums]).toEqual([1, 2]);
    expectError(() => sums({ sums: row(1e308, 1e308, 0, 0) }).rebin(2), "ERR_LIMIT");
  });

  it("subtract undoes merge", () => {
    const [a, b] = [sums(), sums({ sums: row(4, 2, 1, 0.5) })];
    expect(a.merge(b).subtract(b)).toEqual(sums({ limbs: null, limbsOfSquares: null }));
    expect(a.merge(b).masked).toBe(4);
    expectError(() => a.subtract(sums({ counts: row(2, 0, 0, 0) })), "ERR_INPUT");
    expect([...a.subtract(sums({ sumsOfSquares: row(9, 0, 0, 0) })).sumsOfSquares!]).toEqual([0, 0.5, 2, 4]);
  });

  it("entries have the sum of each bin", () => {
    expect(sums().entries()[1]).toEqual({ x0: 0.25, x1: 0.5, length: 2, sum: 1 });
    expect(sums({ counts: null, flow: null }).entries()[1]).toMatchObject({ length: null });
  });

  it("profile is mean and variance of the weights", () => {
    const profile = sums().profile();
    const { means, variances } = profile;
    expect(profile).toBeInstanceOf(MeanHistogram);
    expect([...profile.sums]).toEqual([1, 2, 3, 4]);
    expect([...means]).toEqual([0.5, 0.5, 2 / 3, 1]);
    expect([...variances]).toEqual([Number.NaN, 0, (2 - 4 / 3) / 2, 0]);
    expect(profile.masked).toBe(sums().masked);
    expect(profile.underflow.sum).toBe(sums().underflow);
    expect(ReadableHistogram.fromJSON(profile.toJSON())).toEqual(profile);
    const empty = sums({ counts: row(0, 0, 0, 0), sums: row(0, 0, 0, 0), sumsOfSquares: row(0, 0, 0, 0) });
    expect([...empty.profile().means]).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
    expectError(() => sums({ sumsOfSquares: null, flowSumsOfSquares: null }).profile(), "ERR_INPUT");
  });
});
