import { type Axis, boolean, integer, openEngine, regular, type SampleType, variable } from "@polybin/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openTable } from "../../src/index.ts";
import { profile } from "../../src/profile/index.ts";
import { Bins } from "../../src/profile/partial/bins.ts";
import { middleOf } from "../../src/profile/result/core.ts";
import type { LogicalType, ValueArray } from "../../src/table/index.ts";

const F64: LogicalType = { kind: "number", type: "f64" };
const I64: LogicalType = { kind: "number", type: "i64" };
const bins = new Bins(regular(16, 0, 1), "f64");
const once = (values: readonly (number | bigint)[]) => values.map((value) => ({ value, count: 1 }));

test("one outlier among many values leaves a histogram of the others", () => {
  const values = [...Array.from({ length: 1000 }, (_, i) => i / 1000), 1e6, Infinity];
  const core = middleOf(F64, once(values.reverse()), bins, 1)!;
  expect(core.counts.length).toBe(128);
  const { edges, counts, underflow, overflow } = core;
  expect([edges[0], edges.at(-1)]).toEqual([0.01, 0.99]);
  // Infinities are no part of the middle.
  expect([underflow, overflow]).toEqual([10, 10]);
  const plain = counts.map((_, bin) =>
    values.filter((x) => x >= edges[bin]! && (bin === 127 ? x <= edges[128]! : x < edges[bin + 1]!)),
  );
  expect(counts).toEqual(plain.map(({ length }) => length));
});

test("values without outliers have no other histogram", () => {
  expect(middleOf(F64, once(Array.from({ length: 1000 }, (_, i) => i)), bins, 1)).toBe(null);
  expect(middleOf(F64, once([5]), bins, 1)).toBe(null);
  expect(middleOf(F64, [], bins, 1)).toBe(null);
  expect(middleOf({ kind: "boolean" }, once([0, 1]), bins, 1)).toBe(null);
});

test("integers past 2^53 keep their bins", () => {
  const start = 2n ** 60n;
  const values = [0n, ...Array.from({ length: 500 }, (_, i) => start + 4096n * BigInt(i))];
  const core = middleOf(I64, once(values), new Bins(regular(16, 0, 1), "i64"), 1)!;
  expect(core.counts.reduce((sum, count) => sum + count, core.underflow + core.overflow)).toBe(values.length);
  const edges = core.edges.map(BigInt);
  const plain = core.counts.map(
    (_, bin) => values.filter((x) => x >= edges[bin]! && x < edges[bin + 1]!).length,
  );
  expect(core.counts.slice(0, -1)).toEqual(plain.slice(0, -1));
});

test("a pair is counted over the middle of its columns, and the rest lies outside", async () => {
  const lines = Array.from({ length: 400 }, (_, i) => `${(i % 97) / 10},${i % 89}`);
  const csv = new TextEncoder().encode(`x,y\n${lines.join("\n")}\n1e9,5\n,5\n`);
  await using engine = await openEngine();
  await using table = await openTable(csv, { format: "csv" });
  const [pair] = (await profile(engine, [table], { joint: [["x", "y"]] })).joint;
  const [x, y] = pair!.axes;
  expect([x.edges[0], x.edges.at(-1)]).toEqual([0, 9.6]);
  expect([y.edges[0], y.edges.at(-1)]).toEqual([0, 90]);
  expect(pair!.counts.reduce((sum, count) => sum + count)).toBe(400);
  expect([pair!.outside, pair!.nulls]).toEqual([1, 1]);
});

const AXES: [string, Axis, SampleType][] = [
  ["even bins", regular(7, -0.3, 1), "f64"],
  ["even bins of f32", regular(100, -0.1, 0.7), "f32"],
  ["an open last bin", regular(4, -1, 1, { closed: false }), "f64"],
  ["uneven bins", variable([-5, -1, -0.5, 0, 1e-9, 3, Infinity]), "f64"],
  ["integers", integer(-4, 5), "i32"],
  ["integers in even bins", regular(3, -4, 5), "i64"],
  ["integers past 2^53", regular(4, 2 ** 62, 2 ** 63), "i64"],
  ["booleans", boolean(), "u8"],
];

test.each(AXES)("values have the engine's bins: %s", async (_, axis, type) => {
  await using engine = await openEngine();
  const big = fc
    .oneof(fc.integer({ min: -9, max: 9 }), fc.bigInt({ min: 2n ** 61n, max: 2n ** 63n - 1n }))
    .map(BigInt);
  const number = fc.oneof(
    fc.integer({ min: -9, max: 9 }).map((value) => value / 4),
    fc.double(),
    fc.float(),
  );
  const values: Record<string, fc.Arbitrary<ValueArray>> = {
    f64: fc.array(number).map((all) => Float64Array.from(all)),
    f32: fc.array(number).map((all) => Float32Array.from(all)),
    i32: fc.array(fc.integer({ min: -9, max: 9 })).map((all) => Int32Array.from(all)),
    i64: fc.array(big).map((all) => BigInt64Array.from(all)),
    u8: fc.array(fc.nat(1)).map((all) => Uint8Array.from(all)),
  };
  await fc.assert(
    fc.asyncProperty(values[type]!, async (all) => {
      const found = new Bins(axis, type);
      found.addValues(all as Float64Array, null);
      const edges = [...found.edges].slice(0, type === "i64" ? 0 : undefined);
      const atEdges = (all.constructor as Float64ArrayConstructor).from(edges.filter(Number.isFinite));
      found.addValues(atEdges, atEdges.map(() => 3) as unknown as number[]);
      const wanted = new Bins(axis, type);
      for (const values of [all, atEdges, atEdges, atEdges])
        wanted.add(await engine.histogram(values, { axis }));
      expect([...found.counts, found.underflow, found.overflow, found.nan]).toEqual([
        ...wanted.counts,
        wanted.underflow,
        wanted.overflow,
        wanted.nan,
      ]);
    }),
    { numRuns: 60 },
  );
});
