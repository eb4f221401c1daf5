import { openEngine } from "@polybin/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { profile } from "../../src/profile/index.ts";
import { rowHashes } from "../../src/profile/pass/row-hashes.ts";
import type { LogicalType } from "../../src/table/index.ts";
import { type Given, tableOf } from "./tables.ts";

const engine = await openEngine();
const F64: LogicalType = { kind: "number", type: "f64" };
const I64: LogicalType = { kind: "number", type: "i64" };
const TEXT: LogicalType = { kind: "string" };

test("rows are counted as a set of texts counts them", async () => {
  const row = fc.record({
    x: fc.constantFrom(null, 0, -0, 1, NaN, Infinity, 0.1),
    n: fc.constantFrom(null, 0n, 2n ** 60n, -1n),
    t: fc.constantFrom(null, "", "a", "b"),
    c: fc.constantFrom(null, "a", "b"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 60 }), async (rows) => {
      const columns: Given[] = [
        { name: "x", type: F64, values: rows.map(({ x }) => x) },
        { name: "n", type: I64, values: rows.map(({ n }) => n) },
        { name: "t", type: TEXT, values: rows.map(({ t }) => t) },
        { name: "c", type: TEXT, values: rows.map(({ c }) => c), coded: true },
      ];
      const counts = new Map<string, number>();
      for (const { x, n, t, c } of rows) {
        const key = JSON.stringify([x === null ? null : `${x + 0}`, n === null ? null : `${n}`, t, c]);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      const { duplicates } = await profile(engine, [tableOf(columns)], { duplicates: true });
      expect(duplicates).toEqual({
        rows: rows.length - counts.size,
        distinct: { value: counts.size, exact: true },
        most: rows.length === 0 ? null : Math.max(...counts.values()),
      });
    }),
    { numRuns: 60 },
  );
});

test("files without a column have nulls there, and equal rows of two files are duplicates", async () => {
  const a = tableOf([{ name: "x", type: F64, values: [1, 2] }]);
  const b = tableOf([
    { name: "x", type: F64, values: [1, 2] },
    { name: "t", type: TEXT, values: [null, "b"] },
  ]);
  const { duplicates } = await profile(engine, [a, b], { duplicates: true });
  expect(duplicates).toMatchObject({ rows: 1, most: 2 });
  expect((await profile(engine, [a])).duplicates).toBeUndefined();
});

const sign = (column: number) => (row: number) => ((row >> column) & 1 ? 2 : -2);

test.each([
  ["two integers", 1_000_000, [(row: number) => row % 1000, (row: number) => Math.floor(row / 1000)]],
  ["the signs of many numbers", 2 ** 18, Array.from({ length: 18 }, (_, column) => sign(column))],
])("hashes of rows that differ little are all different: %s", (_, rows, of) => {
  const columns = of.map((value, i) => ({
    name: `${i}`,
    rows,
    nulls: 0,
    validity: null,
    values: Float64Array.from({ length: rows }, (_, row) => value(row)),
  }));
  const names = columns.map(({ name }) => name);
  const all = new BigUint64Array(rowHashes({ rows, part: null, columns }, names).buffer).sort();
  let equal = 0;
  for (let i = 1; i < rows; i++) if (all[i] === all[i - 1]) equal++;
  expect(equal).toBe(0);
});
