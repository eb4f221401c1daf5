import { openEngine } from "@polybin/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  batchesFor,
  columnsOf,
  firstPass,
  knownExtents,
  PassCounting,
  type PassPlan,
  ProfilePartial,
  planAfter,
  profile,
} from "../../src/profile/index.ts";
import type { LogicalType } from "../../src/table/index.ts";
import { type Given, tableOf } from "./tables.ts";

const engine = await openEngine();
const F64: LogicalType = { kind: "number", type: "f64" };
const F32: LogicalType = { kind: "number", type: "f32" };
const I64: LogicalType = { kind: "number", type: "i64" };
const BOOLEAN: LogicalType = { kind: "boolean" };
const TEXT: LogicalType = { kind: "string" };

const of = (...columns: Given[]) => profile(engine, [tableOf(columns)], { correlations: true });

/** The rows in which both values are finite. */
function held(x: Given["values"], y: Given["values"]): [number, number][] {
  return x
    .map(
      (value, i) =>
        [value === null ? NaN : Number(value), y[i] === null ? NaN : Number(y[i])] as [number, number],
    )
    .filter((pair) => pair.every(Number.isFinite));
}

const BITS = 200n;

/** A double as a whole number of the smallest double. */
function whole(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigUint64(0);
  const [exponent, fraction] = [bits >> 52n, bits & (2n ** 52n - 1n)];
  const size = exponent === 0n ? fraction : (2n ** 52n + fraction) << (exponent - 1n);
  return value < 0 ? -size : size;
}

/** Pearson's correlation by its definition, in integers. */
function pearson(pairs: readonly (readonly [number, number])[]): number | null {
  const n = BigInt(pairs.length);
  let [x, y, xx, yy, xy] = [0n, 0n, 0n, 0n, 0n];
  for (const pair of pairs) {
    const [a, b] = pair.map(whole) as [bigint, bigint];
    [x, y, xx, yy, xy] = [x + a, y + b, xx + a * a, yy + b * b, xy + a * b];
  }
  const [shared, ofX, ofY] = [n * xy - x * y, n * xx - x * x, n * yy - y * y];
  if (ofX === 0n || ofY === 0n) return null;
  const share = (shared * shared * 2n ** BITS) / (ofX * ofY);
  const root = Math.sqrt(Number(share) / 2 ** Number(BITS));
  return shared < 0n ? -root : root;
}

/** Spearman's correlation by its definition: that of mean ranks. */
function spearman(pairs: readonly (readonly [number, number])[]): number | null {
  const ranks = (side: 0 | 1): number[] =>
    pairs.map(
      (pair) =>
        pairs.filter((other) => other[side] < pair[side]).length +
        (pairs.filter((other) => other[side] === pair[side]).length + 1) / 2,
    );
  const [a, b] = [ranks(0), ranks(1)];
  return pearson(a.map((rank, i) => [rank, b[i]!] as const));
}

const VALUE = fc.oneof(
  fc.integer({ min: -9, max: 9 }),
  fc.constantFrom(null, NaN, Infinity, -0, 1e300, 1e-300, 5e-324, 1e-9, 1e20),
  fc.double({ noNaN: true }),
  fc.double({ min: -100, max: 100, noNaN: true }),
);

describe("Pearson", () => {
  test("equals the definition for any doubles, with nulls left out pairwise", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(VALUE, VALUE, VALUE), { maxLength: 40 }), async (rows) => {
        const columns = [0, 1, 2].map((i) => ({
          name: "abc"[i]!,
          type: F64,
          values: rows.map((row) => row[i]!),
        }));
        const { correlations } = await of(...columns);
        for (const [i, x] of columns.entries()) {
          for (const [j, y] of columns.entries()) {
            if (i === j) continue;
            const pairs = held(x.values, y.values);
            const expected = pearson(pairs);
            const found = correlations!.pearson[i]![j]!;
            expect(correlations!.rows[i]![j]).toBe(pairs.length);
            if (expected === null) expect(found).toBeNull();
            else expect(Math.abs(found - expected)).toBeLessThan(1e-12);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test("more rows than a step, of every type, with known results", async () => {
    const length = 10_001;
    const x = Array.from({ length }, (_, i) => Math.sin(i) * 1000);
    const noise = Array.from({ length }, (_, i) => (i * 7919) % 1009);
    const y = x.map((value, i) => (i % 3 === 0 ? null : Math.fround(2 * value + noise[i]!)));
    const columns: Given[] = [
      { name: "x", type: F64, values: x },
      { name: "y", type: F32, values: y },
      { name: "n", type: I64, values: noise.map((value) => BigInt(value) * 2n ** 40n) },
      { name: "b", type: BOOLEAN, values: x.map((value) => Number(value > 0)) },
    ];
    const { correlations } = await profile(engine, [tableOf(columns, 4100)], { correlations: true });
    for (const [i, one] of columns.entries()) {
      for (const [j, other] of columns.entries()) {
        const expected = i === j ? 1 : pearson(held(one.values, other.values))!;
        expect(correlations!.pearson[i]![j]!).toBeCloseTo(expected, 12);
        expect(correlations!.pearson[i]![j]).toBe(correlations!.pearson[j]![i]);
      }
    }
  });

  test("columns that do not vary have none", async () => {
    const { correlations } = await of(
      { name: "x", type: F64, values: [1, 2, 3] },
      { name: "y", type: F64, values: [7, 7, null] },
    );
    expect(correlations).toMatchObject({
      pearson: [
        [1, null],
        [null, 1],
      ],
      spearman: [
        [1, null],
        [null, 1],
      ],
    });
  });
});

describe("Spearman and mutual information", () => {
  test("equal the definition if each value has a bin", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { minLength: 1, maxLength: 60 }),
        async (rows) => {
          const [x, y] = [0, 1].map((i) => rows.map((row) => BigInt(row[i]!)));
          const { correlations } = await of(
            { name: "x", type: I64, values: x! },
            { name: "y", type: I64, values: y! },
          );
          const expected = spearman(rows);
          const found = correlations!.spearman[0]![1]!;
          if (expected === null) expect(found).toBeNull();
          else expect(found).toBeCloseTo(expected, 12);
          const share = (test: (row: readonly [number, number]) => boolean) =>
            rows.filter(test).length / rows.length;
          const cells = new Set(rows.map((row) => row.join()));
          const information = [...cells].reduce((sum, cell) => {
            const [a, b] = cell.split(",").map(Number);
            const both = share((row) => row.join() === cell);
            return sum + both * Math.log(both / share(([one]) => one === a) / share(([, one]) => one === b));
          }, 0);
          expect(correlations!.mutualInformation[0]![1]).toBeCloseTo(information, 10);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("a monotone curve has ranks that agree, although an outlier bends Pearson", async () => {
    const x = Array.from({ length: 2000 }, (_, i) => i / 10);
    const y = x.map((value) => Math.exp(value / 20));
    const { correlations } = await of(
      { name: "x", type: F64, values: x },
      { name: "y", type: F64, values: y },
    );
    expect(correlations!.spearman[0]![1]).toBeGreaterThan(0.9995);
    expect(correlations!.pearson[0]![1]).toBeLessThan(0.7);
  });
});

test("nulls that columns share are counted, of text, too", async () => {
  const length = 77;
  const nulls = [3, 5, 7].map((each) => Array.from({ length }, (_, i) => i % each === 0));
  const columns: Given[] = [
    { name: "x", type: F64, values: nulls[0]!.map((is, i) => (is ? null : i)) },
    { name: "t", type: TEXT, values: nulls[1]!.map((is, i) => (is ? null : `${i}`)) },
    { name: "c", type: TEXT, values: nulls[2]!.map((is) => (is ? null : "a")), coded: true },
    { name: "full", type: F64, values: nulls[0]!.map((_, i) => i) },
    { name: "empty", type: F64, values: nulls[0]!.map(() => null) },
  ];
  const { missing } = await profile(engine, [tableOf(columns, 33)], { correlations: true });
  expect(missing!.columns).toEqual(["x", "t", "c"]);
  for (const [i, a] of nulls.entries()) {
    for (const [j, b] of nulls.entries()) {
      expect(missing!.both[i]![j]).toBe(a.filter((is, row) => is && b[row]).length);
    }
  }
});

test("parts merge in any order to the same bits, and to the profile of the whole", async () => {
  const columns: Given[] = [
    {
      name: "x",
      type: F64,
      values: Array.from({ length: 50 }, (_, i) => (i % 7 === 0 ? null : Math.sin(i) / 3)),
    },
    {
      name: "y",
      type: F64,
      values: Array.from({ length: 50 }, (_, i) => (i % 5 === 0 ? null : Math.cos(i) * 1e9)),
    },
  ];
  const table = tableOf(columns, 10);
  const request = { bins: 16, distinctLimit: 5, ranges: {}, joint: [], correlations: true };
  const all = columnsOf([table], undefined, request);
  const count = async (plan: PassPlan, parts: number[]): Promise<Uint8Array> => {
    const counting = await PassCounting.open(engine, plan);
    for await (const batch of batchesFor(table, plan, {
      columns: plan.columns.map(({ name }) => name),
      parts,
    }))
      await counting.add(batch);
    return (await counting.take()).toBytes();
  };
  const first = firstPass(all, knownExtents([table], all), request);
  const whole = ProfilePartial.fromBytes(await count(first, [0, 1, 2, 3, 4]), first);
  const second = planAfter([whole], request)!;
  const again = ProfilePartial.fromBytes(await count(second, [0, 1, 2, 3, 4]), second);
  const plan = planAfter([whole, again], request)!;
  expect(planAfter([whole, again, ProfilePartial.empty(plan)], request)).toBeNull();
  const once = await count(plan, [0, 1, 2, 3, 4]);
  for (const order of [
    [[0], [1, 2], [3, 4]],
    [[4, 2], [], [1, 0, 3]],
  ]) {
    const merged = ProfilePartial.empty(plan);
    for (const parts of order) merged.merge(ProfilePartial.fromBytes(await count(plan, parts), plan));
    expect(merged.toBytes()).toEqual(once);
  }
  for (let cut = once.length - 40; cut < once.length; cut++) {
    expect(() => ProfilePartial.fromBytes(once.subarray(0, cut), plan)).toThrow("expected a partial profile");
  }
});

test("too many columns are refused, and one alone has no correlations", async () => {
  const many = Array.from({ length: 65 }, (_, i): Given => ({ name: `c${i}`, type: F64, values: [1, i] }));
  await expect(of(...many)).rejects.toThrow("at most 64 columns of numbers for correlations but received 65");
  const one = await of({ name: "x", type: F64, values: [1, 2] });
  expect([one.correlations, one.missing]).toEqual([undefined, undefined]);
  const none = await profile(engine, [tableOf(many.slice(0, 2))]);
  expect([none.correlations, none.missing]).toEqual([undefined, undefined]);
});
