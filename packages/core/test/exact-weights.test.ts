import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { integer, regular } from "../src/axis/axis.ts";
import { openEngine } from "../src/engine/open.ts";
import { ExactSums } from "../src/weights/exact-sums.ts";
import { exponentOfLimb, Limbs } from "../src/weights/limbs.ts";
import { F64_LOWEST_BIT, LIMB_BITS, WEIGHED_SAMPLES, WEIGHT_ADDENDS } from "../src/weights/limits.ts";
import { checkAddends } from "../src/weights/sample-weights.ts";
import { binaryOrder, largestInteger, type Weights } from "../src/weights/weights.ts";
import { expectError, random, rejectionOf } from "./helpers.ts";

/** A double as a whole number of 2^-1074. */
function unitsOf(value: number): bigint {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0]!;
  const exponent = (bits >> 52n) & 2047n;
  const fraction = bits & (2n ** 52n - 1n);
  const size = exponent === 0n ? fraction : (fraction | (2n ** 52n)) << (exponent - 1n);
  return bits >> 63n ? -size : size;
}

/** The nearest double, as the language reads a decimal number: units * 2^-1074 = units * 5^1074 * 10^-1074. */
function doubleOf(units: bigint): number {
  return Number(`${units * 5n ** 1074n}e-1074`) + 0;
}

function exactSum(weights: Iterable<number>): number {
  let units = 0n;
  for (const weight of weights) units += unitsOf(weight);
  return doubleOf(units);
}

const engine = await openEngine();

/** The sum of a call whose samples are all in one bin, and its limbs. */
async function sumOf(weights: Weights, options = {}) {
  const { sums, limbs } = await engine.histogram(new Uint8Array(weights.length), { weights, ...options });
  return { sum: sums[0]!, limbs };
}

describe("limbs", () => {
  const extremes = [
    Number.MIN_VALUE,
    2 ** -1022,
    2 ** -1022 - 2 ** -1074,
    2 ** -149,
    0.1,
    1,
    2 ** 53 - 1,
    Number.MAX_VALUE,
  ];

  it("are whole numbers below 2^20 that add up to the weight, to its last bit", () => {
    const next = random(11);
    const some = Array.from({ length: 300 }, () => (next() - 0.5) * 2 ** Math.floor(next() * 2000 - 1000));
    for (const largest of [...extremes, ...some].map(Math.abs)) {
      const order = binaryOrder(largest);
      expect(largest).toBeLessThan(2 ** order);
      expect(largest).toBeGreaterThanOrEqual(2 ** (order - 1));
      const weights = Float64Array.of(
        largest,
        -largest,
        largest / 3,
        -largest / 1e9,
        largest * 2 ** -60,
        0,
        -0,
      );
      const wanted = Array.from(weights, unitsOf);
      const limbs = new Limbs(weights);
      const found = wanted.map(() => 0n);
      const exponents: number[] = [];
      const out = new Int32Array(weights.length);
      while (limbs.most > 0) {
        const exponent = exponentOfLimb(limbs.most, order);
        expect(limbs.has(exponent)).toBe(true);
        expect(exponent).toBeGreaterThanOrEqual(F64_LOWEST_BIT);
        limbs.take(exponent, out);
        expect(limbs.has(exponent)).toBe(false);
        // The bound of a table's integers, however many samples there are.
        expect(Math.max(...out.map(Math.abs))).toBeLessThanOrEqual(largestInteger(2 ** 33));
        expect(limbs.total).toBe(out.reduce((sum, limb) => sum + limb, 0));
        for (let i = 0; i < out.length; i++)
          found[i]! += BigInt(out[i]!) << BigInt(exponent - F64_LOWEST_BIT);
        exponents.push(exponent);
      }
      expect(found).toEqual(wanted);
      // All on one grid, so that those of other pieces can be added.
      for (const exponent of exponents) {
        expect(exponent === F64_LOWEST_BIT || (order - exponent) % LIMB_BITS === 0).toBe(true);
      }
    }
  });

  it("of the maximum number of samples have a sum that a double holds", () => {
    checkAddends(2 ** 33);
    expectError(() => checkAddends(2 ** 34), "ERR_LIMIT", "2^33", "fast");
    expect(BigInt(2 ** LIMB_BITS - 1) * 2n ** 33n).toBeLessThanOrEqual(2n ** 53n - 1n);
    expect((2 ** LIMB_BITS - 1) * WEIGHT_ADDENDS).toBeLessThan(2 ** 31);
  });
});

describe("exact sums", () => {
  it("are rounded once, ties to even, whatever the limbs", () => {
    const limb = fc.record({
      exponent: fc.integer({ min: F64_LOWEST_BIT, max: 940 }),
      value: fc.maxSafeInteger(),
    });
    fc.assert(
      fc.property(fc.array(limb, { maxLength: 6 }), (limbs) => {
        const sums = new ExactSums(1);
        let units = 0n;
        for (const { exponent, value } of limbs) {
          if (!Number.isSafeInteger(sums.of(exponent)[0]! + value)) continue;
          sums.of(exponent)[0]! += value;
          units += BigInt(value) << BigInt(exponent - F64_LOWEST_BIT);
        }
        expect(sums.rounded()[0]).toBe(doubleOf(units));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["a half goes to the even one", [2 ** 53, 1], 2 ** 53],
    ["a half and the least bit there is go up", [2 ** 53, 1, Number.MIN_VALUE], 2 ** 53 + 2],
    ["the other half goes up", [2 ** 53 + 2, 1], 2 ** 53 + 4],
    ["what cancels leaves the rest", [1e300, 1, -1e300], 1],
    ["denormals", [2 ** -1074, 2 ** -1073, 2 ** -1022], 2 ** -1022 + 3 * 2 ** -1074],
    [
      "the largest double, and less than half of its last bit",
      [Number.MAX_VALUE, 2 ** 969],
      Number.MAX_VALUE,
    ],
    ["beyond it on the way", [Number.MAX_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE], Number.MAX_VALUE],
    ["zeros of either sign", [-0, 0, -0], 0],
    ["ten tenths", new Array(10).fill(0.1), 1],
  ] as const)("%s", async (_, weights, want) => {
    expect((await sumOf([...weights])).sum).toBe(want);
    expect((await sumOf(weights.map((weight) => -weight))).sum).toBe(0 - want);
  });
});

describe("a weighted histogram's sums are exact", () => {
  it("one weight of 10^6 among 99,999 of 0.1", async () => {
    const weights = new Float64Array(100_000).fill(0.1).fill(1e6, 77, 78);
    expect(await sumOf(weights)).toEqual({ sum: 1009999.9, limbs: 4 });
    expect((await sumOf([...weights])).sum).toBe(1009999.9);
    expect((await sumOf(new Float32Array(weights))).sum).toBe(exactSum(new Float32Array(weights)));
  });

  it("of doubles, which are not rounded to 32-bit floats", async () => {
    expect((await sumOf([0.1])).sum).toBe(0.1);
    expect((await sumOf(Float64Array.of(1e300, 1e-300))).sum).toBe(1e300);
    expect((await sumOf(Float32Array.of(0.1))).sum).toBe(Math.fround(0.1));
  });

  it("over any axis, any weights, flow and squares included", async () => {
    const next = random(5);
    for (let round = 0; round < 60; round++) {
      const n = Math.floor(next() * 400);
      const bins = 1 + Math.floor(next() * 9);
      const span = [1, 40, 240, round % 3 ? 900 : 250][round % 4]!;
      const size = () => (next() - 0.5) * 2 ** (span * (next() - 0.5));
      const doubles = Float64Array.from({ length: n }, size);
      const weights = round % 3 ? doubles : Float32Array.from(doubles);
      const samples = Float64Array.from({ length: n }, () => (next() < 0.1 ? Number.NaN : next() * 2 - 0.5));
      const got = await engine.histogram(samples, { axis: regular(bins, 0, 1), weights, squares: true });
      const placed = Array.from({ length: bins + 3 }, (): number[] => []);
      samples.forEach((x, i) => {
        const inside = Math.min(
          bins - 1,
          got.edges.findLastIndex((edge) => edge <= x),
        );
        placed[x < 0 ? bins : x > 1 ? bins + 1 : Number.isNaN(x) ? bins + 2 : inside]!.push(weights[i]!);
      });
      const rows = ({ underflow, overflow, nan }: typeof got.flow) => [underflow, overflow, nan];
      expect([...got.counts, ...rows(got.flow)]).toEqual(placed.map((of) => of.length));
      expect([...got.sums, ...rows(got.flowSums)]).toEqual(placed.map(exactSum));
      const squares = placed.map((of) => exactSum(of.map((weight) => weight * weight)));
      expect([...got.sumsOfSquares!, ...rows(got.flowSumsOfSquares!)]).toEqual(squares);
    }
  });

  it("of 32-bit floats from the largest to the smallest denormal: 14 limbs, without empty ones", async () => {
    const all = Float32Array.from({ length: 277 }, (_, i) => 2 ** (i - 149));
    expect(await sumOf(all)).toEqual({ sum: exactSum(all), limbs: 14 });
    expect(await sumOf([2 ** 900, 1])).toEqual({ sum: 2 ** 900, limbs: 2 });
    expect(await sumOf([3, 5, 0])).toEqual({ sum: 8, limbs: 1 });
    expect(await sumOf([0])).toEqual({ sum: 0, limbs: 1 });
    const { limbsOfSquares } = await engine.histogram([1, 2], { weights: [1, 2 ** 30], squares: true });
    expect(limbsOfSquares).toBe(2);
  });

  it("of pieces whose weights have different limbs", async () => {
    const n = 2 * WEIGHED_SAMPLES + 3;
    const weights = Float64Array.from({ length: n }, (_, i) =>
      i < WEIGHED_SAMPLES ? 2 ** -40 : i < 2 * WEIGHED_SAMPLES ? 3 * 2 ** 30 : -0.5,
    );
    const { sum, limbs } = await sumOf(weights);
    expect(sum).toBe(WEIGHED_SAMPLES * (2 ** -40 + 3 * 2 ** 30) - 1.5);
    expect(limbs).toBe(3);
    // All of a piece in no bin.
    const outside = await engine.histogram(new Uint8Array(n).fill(9), { weights, axis: integer(0, 5) });
    expect(outside.flowSums.overflow).toBe(sum);
    expect([...outside.counts, outside.flow.overflow]).toEqual([0, 0, 0, 0, 0, n]);
  });

  const refused: readonly (readonly [string, readonly number[], boolean, string, string])[] = [
    ["a sum past the largest double", [Number.MAX_VALUE, Number.MAX_VALUE], false, "bin 0", "largest double"],
    ["one that rounds up to it", [Number.MAX_VALUE, 2 ** 970], false, "bin 0", "largest double"],
    ["a square that is infinite", [1, 2e154], true, "weights[1]", "squares"],
    ["a square that is a denormal", [1.4e-154, 1], true, "weights[0]", "scale"],
  ];
  it.each(refused)("%s is refused", async (_, weights, squares, ...says) => {
    const error = await rejectionOf(engine.histogram(new Uint8Array(weights.length), { weights, squares }));
    expect(error.code).toBe("ERR_LIMIT");
    for (const part of says) expect(error.message).toContain(part);
  });

  it("a flow sum that is too large is named; squares at the limits are accepted", async () => {
    const weights = [Number.MAX_VALUE, Number.MAX_VALUE];
    const error = await rejectionOf(engine.histogram([7, 8], { weights, axis: integer(0, 5) }));
    expect(error.message).toContain("overflow");
    const ends = [1.3e154, 1.5e-154, 0];
    const { sumsOfSquares } = await engine.histogram([0, 1, 2], {
      weights: ends,
      squares: true,
      axis: integer(0, 3),
    });
    expect([...sumsOfSquares!]).toEqual(ends.map((end) => end * end));
  });

  it("do not apply to precision fast, which accepts doubles of any size", async () => {
    for (const scale of [1e-300, 1, 1e300]) {
      const weights = Float64Array.from({ length: 1000 }, (_, i) => (i % 7) * scale);
      const { sum, limbs } = await sumOf(weights, { precision: "fast" });
      expect(Math.abs(sum - exactSum(weights))).toBeLessThanOrEqual(exactSum(weights) * 2 ** -9);
      expect(limbs).toBeNull();
    }
    const { sumsOfSquares } = await engine.histogram([0, 0], {
      weights: [3, 4],
      squares: true,
      precision: "fast",
      axis: integer(0, 2),
    });
    expect([...sumsOfSquares!]).toEqual([25, 0]);
  });
});
