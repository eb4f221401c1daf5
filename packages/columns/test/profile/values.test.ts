import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteReader, ByteWriter } from "../../src/profile/bytes.ts";
import { HASH_CELLS } from "../../src/profile/limits.ts";
import { eachWords } from "../../src/profile/pass/dense.ts";
import { HeavyValues } from "../../src/profile/values/heavy.ts";
import { Values } from "../../src/profile/values/values.ts";

const LIMIT = 8;

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

  test("are exact within the limit, and a lower bound beyond it", () => {
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
        expect(values.distinct.value).toBeLessThanOrEqual(counts.size);
        expect(values.distinct.value).toBeGreaterThan(0);
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
  expect(values.distinct).toEqual({ value: expect.any(Number), exact: false });
  expect(values.distinct.value).toBeGreaterThan(15_000);
  expect(bytesOf(values).length).toBeLessThan(2 * HASH_CELLS + 10);
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
