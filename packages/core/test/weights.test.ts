import { describe, expect, it } from "vitest";
import { BUFFER_MAX } from "../src/algorithms/weighted-collision-reduced.ts";
import { MAX_SAMPLES } from "../src/base/limits.ts";
import { S32_MAX, WEIGHT_ADDENDS } from "../src/weights/limits.ts";
import { bitsBelow, exponentOf, scaledWeights } from "../src/weights/scale.ts";
import {
  binaryOrder,
  checkedWeights,
  largest,
  largestInteger,
  ownWeights,
  powerOfTwo,
  roundHalfEven,
} from "../src/weights/weights.ts";
import { expectError, random } from "./helpers.ts";

const F32_MAX = (2 - 2 ** -23) * 2 ** 127;
const F32_MIN = 2 ** -149;

/** Numbers of documents around every power of two, and past what a table has. */
const NUMBERS = [
  ...new Set(Array.from({ length: 46 }, (_, k) => [2 ** k - 1, 2 ** k, 2 ** k + 1]).flat()),
].filter((n) => n > 0);

/** Weights as a size may be: powers of two and their neighbours, the ends of 32-bit floats, anything between. */
function sizes(): number[] {
  const next = random(3);
  const some = Array.from({ length: 200 }, () => Math.fround(next() * 2 ** Math.floor(next() * 250 - 125)));
  const powers = [-149, -126, -125, -1, 0, 1, 64, 127].flatMap((k) => [
    2 ** k,
    Math.fround(2 ** k * (1 + 2 ** -23)),
    Math.fround(2 ** k * (1 - 2 ** -24)),
  ]);
  return [...some, ...powers, F32_MIN, F32_MAX, 1, 1 / 3, 0.1].map(Math.fround).filter((size) => size > 0);
}

describe("the scale of integer weights", () => {
  it("leaves room for every sum of a 32-bit accumulator, and for the total", () => {
    for (const n of NUMBERS) {
      const addends = Math.min(n, WEIGHT_ADDENDS);
      const most = largestInteger(n);
      expect(most).toBeGreaterThan(0);
      expect(BigInt(most) * BigInt(addends)).toBeLessThanOrEqual(BigInt(S32_MAX));
      expect(BigInt(most) * BigInt(n)).toBeLessThanOrEqual(BigInt(MAX_SAMPLES));
    }
    expect(BUFFER_MAX).toBeLessThanOrEqual(WEIGHT_ADDENDS);
  });

  it("wastes no bit: one more document, or one unit more, could overflow", () => {
    expect(largestInteger(WEIGHT_ADDENDS)).toBe(2 ** 20 - 1);
    expect(largestInteger(2 ** 33)).toBe(2 ** 20 - 1);
    expect(largestInteger(2 ** 34)).toBe(2 ** 19 - 1);
    expect(largestInteger(1)).toBe(S32_MAX);
    expect(largestInteger(0)).toBe(S32_MAX);
  });

  it("is the largest power of two at which the largest weight fits, for any weight and number", () => {
    for (const size of sizes()) {
      for (const top of [size, size * size]) {
        for (const n of [1, 2, 3, 127, 2047, 2048, 2049, 2 ** 20, 2 ** 32, 2 ** 40]) {
          const exponent = exponentOf(top, n);
          const bound = largestInteger(n);
          expect(roundHalfEven(top * powerOfTwo(exponent))).toBeLessThanOrEqual(bound);
          expect(roundHalfEven(top * powerOfTwo(exponent + 1))).toBeGreaterThan(bound);
          // The bound of docs/internals/weighted-sums.md: a unit is less than twice the largest weight over the largest integer.
          expect(powerOfTwo(-exponent) * bound).toBeLessThan(2 * top);
        }
      }
    }
  });

  it("of zeros only is 1", () => {
    expect(exponentOf(0, 5)).toBe(0);
    expect([...scaledWeights(Float32Array.of(0, -0), "reproducible", 1).values]).toEqual([0, 0]);
    expect([...scaledWeights(Float32Array.of(0, -0), "fast", 2).values]).toEqual([0, 0]);
  });

  it("rounds ties to even, symmetrically around zero, and never returns -0", () => {
    expect([0.5, 1.5, 2.5, 2.500001, -0.5, -1.5, -2.5, 0.49999, -0.2, -0].map(roundHalfEven)).toEqual([
      0, 2, 2, 3, 0, -2, -2, 0, 0, 0,
    ]);
    const next = random(5);
    for (let i = 0; i < 10_000; i++) {
      const x = (next() - 0.5) * 2 ** Math.floor(next() * 34);
      const floor = Math.floor(x);
      const rest = x - floor;
      const want = rest < 0.5 || (rest === 0.5 && floor % 2 === 0) ? floor : floor + 1;
      expect(roundHalfEven(x)).toBe(want + 0);
      expect(roundHalfEven(-x)).toBe(0 - want);
    }
  });

  it("moves no weight by more than half a unit, and a single weight not at all", () => {
    for (const size of sizes()) {
      const weights = Float32Array.of(size, -size, size / 3, size / 1e6, F32_MIN, -0, 0);
      for (const documents of [7, 2048, 2 ** 31]) {
        for (const power of [1, 2] as const) {
          const { values, exponent } = scaledWeights(weights, "reproducible", power, {
            most: size,
            documents,
          });
          weights.forEach((weight, i) => {
            const off = Math.abs(values[i]! - weight ** power * powerOfTwo(exponent));
            expect(off).toBeLessThanOrEqual(0.5);
            expect(Math.abs(values[i]!)).toBeLessThanOrEqual(largestInteger(documents));
          });
        }
      }
      const { values, exponent } = scaledWeights(Float32Array.of(size), "reproducible", 1);
      expect(values[0]! * powerOfTwo(-exponent)).toBe(size);
    }
  });

  it("of a part of the documents equals that of all", () => {
    const all = Float32Array.of(8, 0.1, -3);
    const whole = scaledWeights(all, "reproducible", 1);
    const part = scaledWeights(all.subarray(1), "reproducible", 1, {
      most: largest(all),
      documents: all.length,
    });
    expect([...part.values]).toEqual([...whole.values.subarray(1)]);
    expect(part.exponent).toBe(whole.exponent);
  });

  it("keeps floats at 1 or below, without overflow or a lost digit", () => {
    for (const size of sizes()) {
      for (const power of [1, 2] as const) {
        const { values, exponent } = scaledWeights(Float32Array.of(size, -size), "fast", power);
        expect(values).toBeInstanceOf(Float32Array);
        expect(Math.abs(values[0]!)).toBeLessThanOrEqual(1);
        expect(Math.abs(values[0]!)).toBeGreaterThanOrEqual(0.5);
        const back = values[0]! * powerOfTwo(-exponent);
        if (power === 1) expect(back).toBe(size);
        else expect(Math.abs(back - size * size)).toBeLessThanOrEqual(size * size * 2 ** -24);
      }
    }
  });

  it("powers of two are exact", () => {
    for (let n = -1074; n <= 1023; n++) expect(powerOfTwo(n)).toBe(2 ** n);
    for (let n = -1074; n <= 1023; n++) {
      expect(binaryOrder(2 ** n)).toBe(n + 1);
      if (n > -1022) expect(binaryOrder(2 ** n * (1 - 2 ** -53))).toBe(n);
    }
    expect(binaryOrder(Number.MAX_VALUE)).toBe(1024);
  });

  it("two limbs form one integer of up to 40 bits, rounded once, and have the same sign", () => {
    for (const size of sizes()) {
      const weights = Float32Array.of(size, -size, size / 3, size / 1e6, -size / 1e9, 0);
      for (const power of [1, 2] as const) {
        for (const [documents, lowBits] of [
          [6, 20],
          [2048, 20],
          [2 ** 31, 2],
        ] as const) {
          const scale = { most: size, documents, lowBits };
          const { values, low, exponent, total, ...of } = scaledWeights(
            weights,
            "reproducible",
            power,
            scale,
          );
          expect(low!.bits).toBe(lowBits);
          weights.forEach((weight, i) => {
            const whole = BigInt(values[i]!) * 2n ** BigInt(lowBits) + BigInt(low!.values[i]!);
            const exact = weight ** power * powerOfTwo(exponent) * 2 ** lowBits;
            expect(Math.abs(Number(whole) - exact)).toBeLessThanOrEqual(0.5);
            expect(values[i]! * low!.values[i]!).toBeGreaterThanOrEqual(0);
            expect(Math.abs(low!.values[i]!)).toBeLessThan(2 ** lowBits);
            expect(Math.abs(values[i]!)).toBeLessThanOrEqual(largestInteger(documents));
          });
          expect(total).toBe((values as Int32Array).reduce((sum, value) => sum + value, 0));
          expect(low!.total).toBe(low!.values.reduce((sum, value) => sum + value, 0));
          const sum = weights.reduce((all, weight) => all + Math.abs(weight) ** power, 0);
          expect(Math.abs(of.size - sum)).toBeLessThanOrEqual(sum * 2 ** -50);
          expect(of.lost).toBeLessThanOrEqual(weights.length * powerOfTwo(-exponent - lowBits - 1));
        }
      }
    }
  });

  it("a second limb has 20 bits, or fewer to keep every sum below 2^53", () => {
    expect(bitsBelow(0, 2 ** 20, 2048)).toBe(20);
    expect(bitsBelow(0, 2 ** 32, 2048)).toBe(20);
    expect(bitsBelow(0, 2 ** 33, 2048)).toBe(19);
    expect(bitsBelow(0, 2 ** 43, 2 ** 23)).toBe(9);
    expect(bitsBelow(-40, 2 ** 73, 2048)).toBe(19);
    for (const documents of [2048, 2 ** 20, 2 ** 30]) {
      for (const share of [1, 1 / 3, 2 ** -9]) {
        const size = documents * share * 2 ** 20;
        const bits = bitsBelow(0, size, documents);
        expect(size * 2 ** bits + documents / 2).toBeLessThan(2 ** 53);
        if (bits < 20)
          expect(size * 2 ** (bits + 1) * (1 + 2 ** -19) + documents / 2).toBeGreaterThan(2 ** 53);
      }
    }
  });

  it("the loss of rounding is measured", () => {
    const { size, lost, exponent } = scaledWeights(
      Float32Array.of(1, 2 ** -25, -(2 ** -25), 3),
      "reproducible",
      1,
      { documents: 4096 },
    );
    expect(exponent).toBe(18);
    expect([size, lost]).toEqual([4 + 2 ** -24, 2 ** -24]);
  });
});

describe("weights", () => {
  it("are rounded to 32-bit floats, and copied where another thread could change them", () => {
    const given = Float32Array.of(1, 2);
    expect(checkedWeights(given, 2)).toBe(given);
    const shared = new Float32Array(new SharedArrayBuffer(8));
    const own = checkedWeights(shared, 2);
    shared[0] = 9;
    expect([...own]).toEqual([0, 0]);
    expect([...checkedWeights([0.1, -0], 2)]).toEqual([Math.fround(0.1), -0]);
    expect([...checkedWeights(Float64Array.of(0.1), 1)]).toEqual([Math.fround(0.1)]);
  });

  it("of samples are copied: doubles as doubles, 32-bit floats as 32-bit floats", () => {
    const given = Float64Array.of(0.1, -1e300);
    const own = ownWeights(given, 2);
    given[0] = 9;
    expect(own).toEqual(Float64Array.of(0.1, -1e300));
    expect(ownWeights([0.1, 5e-324], 2)).toEqual(Float64Array.of(0.1, 5e-324));
    const floats = Float32Array.of(0.1, 3);
    expect(ownWeights(floats, 2)).toEqual(floats);
    expect(ownWeights(floats, 2)).not.toBe(floats);
    for (const wrong of [[Number.NaN], [1, 2], [Infinity], ["1"], Int32Array.of(1), null]) {
      expectError(() => ownWeights(wrong, 1), "ERR_INPUT", "weights");
    }
    expectError(
      () => ownWeights(Float64Array.of(1, -Infinity, 2), 3),
      "ERR_INPUT",
      "weights[1]",
      "finite number",
    );
  });

  it("have a largest magnitude, for both types", () => {
    for (const of of [Float32Array, Float64Array]) {
      expect(largest(of.of(1, -7, 3, 0.5, 6))).toBe(7);
      expect(largest(of.of(1, 2, -8))).toBe(8);
      expect(largest(of.of())).toBe(0);
      expect(largest(of.of(1, -Infinity, 2))).toBe(Infinity);
      expect(largest(of.of(1, Number.NaN, Infinity))).toBeNaN();
    }
  });

  const wrong: readonly (readonly [given: unknown, ...parts: string[]])[] = [
    [[1, Number.NaN], "weights[1]", "finite 32-bit float"],
    [Float32Array.of(Infinity, 1), "weights[0]", "Infinity"],
    [Float32Array.of(1, -Infinity), "weights[1]", "-Infinity"],
    [Float64Array.of(1, 1e39), "weights[1]", "1e+39"],
    [[1, "2"], "weights[1]", "string"],
    [[1], "weights.length", "2, one per document"],
    [Float32Array.of(1, 2, 3), "weights.length", "3"],
    [Int32Array.of(1, 2), "weights", "Int32Array"],
    [null, "weights", "null"],
    [{ length: 2 }, "weights", "Object"],
  ];
  it.each(wrong.map(([given, ...parts]) => ({ given, parts })))("$given are refused", ({ given, parts }) => {
    expectError(() => checkedWeights(given, 2), "ERR_INPUT", ...parts);
  });
});
