import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteReader, ByteWriter } from "../../src/profile/bytes.ts";
import { exactDoubles } from "../../src/profile/exact/kernel/index.ts";
import { type MomentKind, Moments } from "../../src/profile/exact/moments.ts";
import { ratio } from "../../src/profile/exact/ratio.ts";
import { STEP } from "../../src/profile/limits.ts";

type Values = number[] | bigint[];

/** A double as a whole number of 2^-1074, by text: independent of the code under test. */
function wholeOf(value: number): bigint {
  if (value === 0) return 0n;
  let [size, shift] = [Math.abs(value), 0];
  while (!Number.isInteger(size)) [size, shift] = [size * 2, shift + 1];
  return (BigInt(size) << BigInt(1074 - shift)) * (value < 0 ? -1n : 1n);
}

function arrayOf(kind: MomentKind, values: Values): Float64Array | BigInt64Array | BigUint64Array {
  if (kind === "signed") return BigInt64Array.from(values as bigint[]);
  if (kind === "unsigned") return BigUint64Array.from(values as bigint[]);
  return Float64Array.from(values as number[]);
}

function momentsOf(kind: MomentKind, values: Values): Moments {
  const moments = new Moments(kind);
  const array = arrayOf(kind, values);
  moments.add(array);
  return moments;
}

const bytesOf = (moments: Moments): string => {
  const to = new ByteWriter();
  moments.write(to);
  return Buffer.from(to.result()).toString("hex");
};

const KINDS: [MomentKind, fc.Arbitrary<Values>][] = [
  ["float", fc.array(fc.double(), { maxLength: 60 })],
  [
    "float",
    fc.array(fc.oneof(fc.double({ min: -100, max: 100, noNaN: true }), fc.float()), { maxLength: 60 }),
  ],
  [
    "narrow",
    fc.array(fc.oneof(fc.integer(), fc.nat(300), fc.integer({ min: 0, max: 2 ** 32 - 1 })), {
      maxLength: 60,
    }),
  ],
  ["signed", fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 60 })],
  ["signed", fc.array(fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }), { maxLength: 60 })],
  ["signed", fc.array(fc.bigInt({ min: 2n ** 50n, max: 2n ** 50n + 2n ** 34n }), { maxLength: 60 })],
  ["signed", fc.array(fc.bigInt({ min: -1000n, max: 2n ** 20n }), { maxLength: 60 })],
  ["unsigned", fc.array(fc.bigInt({ min: 2n ** 64n - 2n ** 22n, max: 2n ** 64n - 1n }), { maxLength: 60 })],
  ["unsigned", fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { maxLength: 60 })],
];

describe.each(KINDS)("moments of %s values", (kind, values) => {
  test("are the exact sums", () => {
    fc.assert(
      fc.property(values, (all) => {
        const moments = momentsOf(kind, all);
        const finite = (all as number[]).filter(
          (value) => typeof value === "bigint" || Number.isFinite(value),
        );
        const whole = finite.map((value) => (kind === "float" ? wholeOf(value) : BigInt(value)));
        expect(moments.sum).toBe(whole.reduce((sum, one) => sum + one, 0n));
        expect(moments.squares).toBe(whole.reduce((sum, one) => sum + one * one, 0n));
        expect(moments.count).toBe(finite.length);
        const sorted = finite.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        expect(moments.min).toBe(
          sorted.length === 0 ? null : typeof sorted[0] === "bigint" ? sorted[0] : sorted[0]! + 0,
        );
        expect(moments.max).toBe(
          sorted.length === 0 ? null : typeof sorted[0] === "bigint" ? sorted.at(-1) : sorted.at(-1)! + 0,
        );
      }),
    );
  });

  test("merge in any order to the same bits, through bytes", () => {
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        const through = (moments: Moments): Moments => {
          const to = new ByteWriter();
          moments.write(to);
          const from = new ByteReader(to.result());
          const read = Moments.read(from, kind);
          from.end();
          return read;
        };
        const merged = (...parts: Values[]): Moments => {
          const sum = new Moments(kind);
          for (const part of parts) sum.merge(through(momentsOf(kind, part)));
          return sum;
        };
        const left = merged(a, b);
        left.merge(momentsOf(kind, c));
        const right = momentsOf(kind, c);
        right.merge(merged(b, a));
        const whole = momentsOf(kind, [...a, ...b, ...c] as Values);
        expect([bytesOf(right), bytesOf(whole)]).toEqual([bytesOf(left), bytesOf(left)]);
      }),
    );
  });
});

test("full steps of values of all sizes add up exactly", () => {
  const values = Array.from(
    { length: 2 * STEP + 7 },
    (_, i) => Math.sin(i) * 2 ** ((i * 37) % 90) * (i % 5 === 0 ? 1e-150 : 1),
  );
  values[3] = Number.MAX_VALUE;
  values[4] = Number.MIN_VALUE;
  const moments = momentsOf("float", values);
  const whole = values.map(wholeOf);
  expect(moments.sum).toBe(whole.reduce((sum, one) => sum + one, 0n));
  expect(moments.squares).toBe(whole.reduce((sum, one) => sum + one * one, 0n));
  const small = values.filter((value) => Math.abs(value) < 1e100);
  expect(momentsOf("float", small).squares).toBe(
    small.map(wholeOf).reduce((sum, one) => sum + one * one, 0n),
  );
});

test("wide integers of a full step add up exactly", () => {
  const values = Array.from({ length: STEP }, (_, i) => (i % 2 === 0 ? 2n ** 63n - 1n : -(2n ** 63n)));
  const moments = momentsOf("signed", values);
  expect(moments.squares).toBe(values.reduce((sum, one) => sum + one * one, 0n));
  const unsigned = Array.from({ length: STEP }, () => 2n ** 64n - 1n);
  expect(momentsOf("unsigned", unsigned).squares).toBe(unsigned.reduce((sum, one) => sum + one * one, 0n));
});

/** Sums of values that occur some number of times, by integers. */
function sumsOf(kind: MomentKind, values: Values, counts: readonly number[]): [sum: bigint, squares: bigint] {
  let [sum, squares] = [0n, 0n];
  for (const [i, value] of values.entries()) {
    if (typeof value === "number" && !Number.isFinite(value)) continue;
    const whole = kind === "float" ? wholeOf(value as number) : BigInt(value);
    sum += whole * BigInt(counts[i]!);
    squares += whole * whole * BigInt(counts[i]!);
  }
  return [sum, squares];
}

describe.each(KINDS)("counted %s values", (kind, values) => {
  test("have the moments of all of them", () => {
    const counts = fc.array(fc.oneof(fc.nat(9), fc.nat(3 * STEP), fc.integer({ min: 0, max: 2 ** 32 - 1 })), {
      minLength: 60,
      maxLength: 60,
    });
    fc.assert(
      fc.property(values, counts, (all, given) => {
        const times = given.slice(0, all.length);
        const moments = new Moments(kind);
        const array = arrayOf(kind, all);
        const doubles = new Float64Array(array.length);
        const isExact = !(array instanceof Float64Array) && exactDoubles(array, doubles);
        moments.addCounted(isExact ? doubles : array, Uint32Array.from(times));
        expect([moments.sum, moments.squares]).toEqual(sumsOf(kind, all, times));
        const used = (all as number[]).filter((_, i) => times[i]! > 0);
        const once = momentsOf(kind, used as Values);
        expect([moments.min, moments.max]).toEqual([once.min, once.max]);
        const total = times.reduce((sum, count) => sum + count, 0);
        expect(moments.count + moments.nan + moments.positive + moments.negative).toBe(total);
      }),
    );
  });
});

test("the largest, the smallest and cancelling doubles add up exactly, from any offset", () => {
  const ends = [Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, -Number.MIN_VALUE, 2 ** -1022, -0, 0];
  const close = [2 ** 400, 2 ** 401, 2 ** -400, 2 ** -401, 2 ** -402, 1 + Number.EPSILON, 2 ** 27, 2 ** -27];
  const special = [Number.NaN, Infinity, -Infinity];
  const around = [...ends, ...close, ...close.map((value) => -value * (1 - Number.EPSILON))];
  const all = Array.from({ length: 3 * STEP }, (_, i) => around[(i * i) % around.length]!);
  for (const values of [
    all,
    all.filter((value) => Math.abs(value) < 2 ** 30),
    close,
    special.concat(around),
  ]) {
    for (const offset of [0, 1, 2, 3]) {
      const array = new Float64Array(values.length + offset);
      array.set(values, offset);
      const moments = new Moments("float");
      moments.add(array.subarray(offset));
      const ones = values.map(() => 1);
      expect([moments.sum, moments.squares]).toEqual(sumsOf("float", values, ones));
    }
  }
  const many = new Moments("float");
  const [times, rest] = [2 ** 31, Math.PI * 1e200];
  many.addCounted([rest, -rest, Number.MIN_VALUE], Uint32Array.of(times, times, 1));
  expect([many.sum, many.mean()]).toEqual([1n, Number.MIN_VALUE / 2 ** 32]);
  const cancelled = new Float64Array(2 ** 16).map((_, i) => (i % 2 === 0 ? rest : -rest));
  const sum = new Moments("float");
  sum.add(cancelled);
  expect([sum.sum, sum.squares]).toEqual([0n, wholeOf(rest) ** 2n * 2n ** 16n]);
});

test("floats of 32 bits add up exactly", () => {
  fc.assert(
    fc.property(fc.float32Array({ maxLength: 70 }), fc.nat(3), (all, offset) => {
      const moments = new Moments("float");
      const values = all.subarray(Math.min(offset, all.length));
      moments.add(values);
      const numbers = [...values];
      expect([moments.sum, moments.squares]).toEqual(
        sumsOf(
          "float",
          numbers,
          numbers.map(() => 1),
        ),
      );
      expect(moments.nan).toBe(numbers.filter(Number.isNaN).length);
    }),
  );
});

test("64-bit integers that are exact as doubles are found", () => {
  const most = 2n ** 53n;
  const signed = [-most, most - 1n, 0n, -1n];
  const doubles = new Float64Array(3 * STEP);
  expect(exactDoubles(BigInt64Array.from(signed), doubles)).toBe(true);
  expect([...doubles.subarray(0, 4)]).toEqual(signed.map(Number));
  for (const value of [most, -most - 1n, 2n ** 63n - 1n, -(2n ** 63n)]) {
    const values = new BigInt64Array(3 * STEP);
    values[2 * STEP + 1] = value;
    expect(exactDoubles(values, doubles), String(value)).toBe(false);
  }
  expect(exactDoubles(BigUint64Array.of(most - 1n, 0n), doubles)).toBe(true);
  for (const value of [most, 2n ** 63n, 2n ** 64n - 1n]) {
    expect(exactDoubles(BigUint64Array.of(5n, value), doubles), String(value)).toBe(false);
  }
});

test("mean and standard deviation are rounded once", () => {
  const far = momentsOf("float", [1e9 + 1, 1e9 + 2, 1e9 + 3]);
  expect(far.mean()).toBe(1e9 + 2);
  expect(far.stddev()).toBe(Math.sqrt(2 / 3));
  // The squares of these leave the range of doubles, their roots do not.
  for (const size of [1e-300, 1e-170, 1e170, 1e200, 1e307]) {
    const spread = momentsOf("float", [size, 2 * size, 3 * size]).stddev()! / size;
    expect(Math.abs(spread - Math.sqrt(2 / 3)), String(size)).toBeLessThan(1e-15);
  }
  expect(momentsOf("float", [0, 2 ** -1073]).stddev()).toBe(2 ** -1074);
  expect(momentsOf("float", [-Number.MAX_VALUE, Number.MAX_VALUE]).stddev()).toBe(Number.MAX_VALUE);
  const none = momentsOf("float", [Number.NaN, Infinity, -Infinity, -Infinity]);
  expect([none.mean(), none.stddev(), none.nan, none.positive, none.negative]).toEqual([null, null, 1, 1, 2]);
  expect(Object.is(momentsOf("float", [-0]).min, 0)).toBe(true);
});

test("a ratio is the nearest double", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1 }), (a, b) => {
      expect(ratio(BigInt(a), BigInt(b), 0)).toBe(a / b + 0);
    }),
  );
  expect(ratio(1n << 3000n, 3n << 2999n, 0)).toBe(2 / 3);
  expect(ratio(1n << 2000n, 1n, -2000)).toBe(1);
  expect(ratio(1n, 1n, 1024)).toBe(Infinity);
});
