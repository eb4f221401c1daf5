import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteReader, ByteWriter } from "../../src/profile/bytes.ts";
import type { DistinctJson } from "../../src/profile/json.ts";
import { HASH_CELLS } from "../../src/profile/limits.ts";
import { eachWords } from "../../src/profile/pass/dense.ts";
import { HeavyValues } from "../../src/profile/values/heavy.ts";
import { HyperLogLog } from "../../src/profile/values/hyperloglog.ts";
import { Values } from "../../src/profile/values/values.ts";

const LIMIT = 8;

type Estimated = Extract<DistinctJson, { exact: false }>;

interface Adder {
  addWords(words: Int32Array, counts: Uint32Array | null): void;
  addKey(key: unknown, count: number): void;
}

function added<T extends Adder>(to: T, values: number[] | string[]): T {
  if (typeof values[0] === "string") for (const text of values) to.addKey(text, 1);
  else eachWords(Float64Array.from(values as number[]), null, (words) => to.addWords(words, null));
  return to;
}

const bytesOf = (part: { write(to: ByteWriter): void }): Uint8Array => {
  const to = new ByteWriter();
  part.write(to);
  return to.result();
};

function* splits<T>(all: T[]): Generator<[T[], T[], T[]]> {
  const third = Math.floor(all.length / 3);
  yield [all.slice(0, third), all.slice(third, 2 * third), all.slice(2 * third)];
  yield [all.slice(2 * third), [], all.slice(0, 2 * third)];
}

const NUMBERS = fc.array(fc.oneof(fc.nat(20), fc.double()), { maxLength: 80 });
const TEXTS = fc.array(
  fc.oneof(fc.constantFrom("a", "b", "c"), fc.string({ unit: "binary", maxLength: 100 })),
  { maxLength: 40 },
);

describe.each([
  ["double", NUMBERS],
  ["text", TEXTS],
] as const)("values of kind %s", (kind, arbitrary) => {
  test("merge in any order to the same bits, within and beyond the limit", () => {
    fc.assert(
      fc.property(arbitrary as fc.Arbitrary<number[] | string[]>, (all) => {
        const whole = bytesOf(added(new Values(kind, LIMIT), all));
        for (const [a, b, c] of splits(all as number[])) {
          const [x, y, z] = [a, b, c].map((part) => {
            const bytes = bytesOf(added(new Values(kind, LIMIT), part));
            return Values.read(new ByteReader(bytes), kind, LIMIT);
          });
          x!.merge(y!);
          z!.merge(x!);
          expect(bytesOf(z!)).toEqual(whole);
        }
      }),
    );
  });

  test("are exact within the limit, and bounded beyond it", () => {
    fc.assert(
      fc.property(arbitrary as fc.Arbitrary<number[] | string[]>, (all) => {
        const values = added(new Values(kind, LIMIT), all);
        const counts = new Map<unknown, number>();
        for (const one of all)
          if (!Number.isNaN(one)) counts.set(one === 0 ? 0 : one, (counts.get(one) ?? 0) + 1);
        const sorted = values.sorted();
        expect(values.total).toBe([...counts.values()].reduce((sum, count) => sum + count, 0));
        if (sorted !== null) {
          expect(values.distinct).toEqual({ value: counts.size, exact: true });
          expect(new Map(sorted.map(({ value, count }) => [value, count]))).toEqual(counts);
          return;
        }
        expect(values.distinct.exact).toBe(false);
        const { value: estimate, atLeast } = values.distinct as Estimated;
        expect(atLeast).toBeLessThanOrEqual(counts.size);
        expect(estimate).toBeGreaterThanOrEqual(atLeast);
        expect(estimate).toBeLessThanOrEqual(values.total);
        const { cells, bound } = values.heavyCells()!;
        const heavy = added(new HeavyValues(kind, LIMIT, cells), all);
        const { counts: inCells } = values.heavyCells()!;
        const others = inCells[heavy.kept] ?? bound;
        const found = new Map(heavy.sorted().map(({ value, count }) => [value, count] as const));
        for (const [value, count] of counts) {
          expect(found.get(value as number) ?? (count <= others ? count : "missing")).toBe(count);
        }
      }),
    );
  });

  test("frequent values merge in any order to the same bits", () => {
    fc.assert(
      fc.property(arbitrary as fc.Arbitrary<number[] | string[]>, (all) => {
        const { cells } = added(new Values(kind, 0), all).heavyCells() ?? { cells: [] };
        const whole = bytesOf(added(new HeavyValues(kind, LIMIT, cells), all));
        for (const [a, b, c] of splits(all as number[])) {
          const [x, y, z] = [a, b, c].map((part) => {
            const bytes = bytesOf(added(new HeavyValues(kind, LIMIT, cells), part));
            return HeavyValues.read(new ByteReader(bytes), kind, LIMIT, cells);
          });
          x!.merge(y!);
          z!.merge(x!);
          expect(bytesOf(z!)).toEqual(whole);
        }
      }),
    );
  });
});

test("the size of the bytes has a limit", () => {
  const many = Float64Array.from({ length: 50_000 }, (_, i) => i / 7);
  const values = new Values("double", 1000);
  eachWords(many, null, (words) => values.addWords(words, null));
  const { value, exact, atLeast, standardError } = values.distinct as Estimated;
  expect([exact, standardError]).toEqual([false, 1.04 / Math.sqrt(HASH_CELLS)]);
  expect(atLeast).toBeGreaterThan(15_000);
  expect(Math.abs(value - 50_000)).toBeLessThan(3 * standardError * 50_000);
  expect(bytesOf(values).length).toBeLessThan(3 * HASH_CELLS + 10);
});

/** The different values of a kind, and how they are added. */
const KINDS_OF_VALUES: readonly (readonly [string, (i: number) => number | string])[] = [
  ["whole numbers", (i) => i],
  ["multiples", (i) => 1e12 + 1000 * i],
  ["fractions", (i) => i / 7],
  ["microseconds", (i) => 1.6e15 + i * 1e6],
  ["powers", (i) => -i * 2 ** 28],
  ["names with a number", (i) => `user${i}`],
  ["digits of one length", (i) => i.toString(16).padStart(12, "0")],
];

test.each(KINDS_OF_VALUES)("the estimate of %s is within three standard errors", (_, value) => {
  for (const count of [1500, 20_000, 200_000]) {
    // Every value occurs twice, so that the number of rows does not cut the estimate.
    const all = Array.from({ length: 2 * count }, (_, i) => value(i % count));
    const values = added(new Values(typeof all[0] === "string" ? "text" : "double", 1000), all as number[]);
    const { value: found, standardError } = values.distinct as Estimated;
    expect(Math.abs(found / count - 1)).toBeLessThan(3 * standardError);
  }
});

test("the estimate follows Ertl's formula at both ends", () => {
  expect(new HyperLogLog().estimate()).toBe(0);
  const full = new HyperLogLog();
  for (let cell = 0; cell < HASH_CELLS; cell++) full.add(cell, 0);
  expect(full.estimate()).toBe(Infinity);
  const ones = new HyperLogLog();
  for (let cell = 0; cell < HASH_CELLS; cell++) ones.add(cell, 2 ** 31);
  // All ranks are 1: m² / (2 ln 2 · m / 2).
  expect(ones.estimate()).toBeCloseTo(HASH_CELLS / Math.LN2, 6);
});

test("integers past 2^53 are told apart", () => {
  const values = new Values("signed", 10);
  eachWords(BigInt64Array.of(2n ** 53n, 2n ** 53n + 1n, 2n ** 53n + 1n, -1n), null, (words) =>
    values.addWords(words, null),
  );
  expect(values.sorted()).toEqual([
    { value: 2n ** 53n + 1n, count: 2 },
    { value: -1n, count: 1 },
    { value: 2n ** 53n, count: 1 },
  ]);
});

test("false bytes are refused", () => {
  const good = bytesOf(added(new Values("text", LIMIT), ["a", "b", "b"]));
  for (let cut = 0; cut < good.length; cut++) {
    const from = new ByteReader(good.subarray(0, cut));
    expect(() => Values.read(from, "text", LIMIT)).toThrow("expected a partial profile");
  }
  expect(() => Values.read(new ByteReader(good), "text", 1)).toThrow("expected a partial profile");
  const twice = good.slice();
  twice[twice.length - 2] = "a".charCodeAt(0);
  expect(() => Values.read(new ByteReader(twice), "text", LIMIT)).toThrow("a value twice");
});
