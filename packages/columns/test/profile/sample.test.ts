import { openEngine } from "@polybin/core";
import { describe, expect, test } from "vitest";
import { openTable } from "../../src/index.ts";
import { profile } from "../../src/profile/index.ts";
import { RowHashes } from "../../src/profile/sample/chosen.ts";
import type { LogicalType, Table } from "../../src/table/index.ts";
import { type Given, tableOf } from "./tables.ts";

const engine = await openEngine();
const I32: LogicalType = { kind: "number", type: "i32" };
const ROWS = 5000;
const COLUMNS: readonly Given[] = [
  { name: "id", type: I32, values: Array.from({ length: ROWS }, (_, i) => i) },
  {
    name: "x",
    type: { kind: "number", type: "f64" },
    values: Array.from({ length: ROWS }, (_, i) => (i % 7 ? i / 2 : null)),
  },
  {
    name: "word",
    type: { kind: "string" },
    values: Array.from({ length: ROWS }, (_, i) => (i % 5 ? `w${i % 3}` : null)),
  },
  {
    name: "code",
    type: { kind: "string" },
    coded: true,
    values: Array.from({ length: ROWS }, (_, i) => (i % 11 ? `c${i % 4}` : null)),
  },
];
/** Lists every value of id, so that a result names the rows of its sample. */
const LISTED = { top: 1000 } as const;

const idsOf = ({ columns }: Awaited<ReturnType<typeof profile>>): number[] =>
  columns[0]!.top.map(({ value }) => Number(value)).sort((a, b) => a - b);

describe("a sample of rows", () => {
  test("has exactly the number that is asked for, each row once, and all columns of these rows", async () => {
    for (const each of [7, 1000, ROWS]) {
      const found = await profile(engine, [tableOf(COLUMNS, each)], { sample: { rows: 300 }, ...LISTED });
      const ids = idsOf(found);
      expect([found.rows, found.sample, new Set(ids).size]).toEqual([300, { of: ROWS, seed: 0 }, 300]);
      const [, x, word, code] = found.columns;
      expect(x!.nulls).toBe(ids.filter((id) => id % 7 === 0).length);
      expect(x!.max).toBe(Math.max(...ids.filter((id) => id % 7 !== 0)) / 2);
      expect(word!.nulls).toBe(ids.filter((id) => id % 5 === 0).length);
      expect(code!.top.map(({ value, count }) => [value, count])).toEqual(
        [0, 1, 2, 3]
          .map((rest) => [`c${rest}`, ids.filter((id) => id % 11 !== 0 && id % 4 === rest).length] as const)
          .sort((a, b) => b[1] - a[1]),
      );
    }
  });

  test("of a share has about this share, and 1 is the whole table", async () => {
    const some = await profile(engine, [tableOf(COLUMNS, 500)], { sample: { share: 0.1 }, ...LISTED });
    // Five standard deviations of a binomial distribution.
    expect(Math.abs(some.rows - 500)).toBeLessThan(5 * Math.sqrt(ROWS * 0.1 * 0.9));
    expect(idsOf(some)).toHaveLength(some.rows);
    const sampled = await profile(engine, [tableOf(COLUMNS, 500)], { sample: { share: 1 } });
    const whole = await profile(engine, [tableOf(COLUMNS, 500)]);
    expect(sampled.columns).toEqual(whole.columns);
    const more = await profile(engine, [tableOf(COLUMNS, 500)], { sample: { rows: 10 * ROWS } });
    expect([more.rows, more.columns]).toEqual([ROWS, whole.columns]);
  });

  test("is the same whatever the threads, the passes and what is kept, and another one with another seed", async () => {
    const sample = { rows: 200 };
    const idsWith = async (options: object) =>
      idsOf(await profile(engine, [tableOf(COLUMNS, 100)], { sample, ...LISTED, ...options }));
    const ids = await idsWith({});
    expect(await idsWith({ threads: 2 })).toEqual(ids);
    expect(await idsWith({ keepBytes: 0, correlations: true, duplicates: true, over: "id" })).toEqual(ids);
    expect(await idsWith({ sample: { rows: 200, seed: 0 } })).toEqual(ids);
    expect(await idsWith({ sample: { rows: 200, seed: 1 } })).not.toEqual(ids);
    const { over } = await profile(engine, [tableOf(COLUMNS, 100)], { sample, over: "id" });
    expect(over!.rows.reduce((sum, count) => sum + count)).toBe(200);
  });

  test("does not read parts without a chosen row", async () => {
    const table = tableOf(COLUMNS, 10);
    const read: number[] = [];
    const watched: Table = {
      ...table,
      read: (options = {}) => {
        read.push(...(options.parts ?? [-1]));
        return table.read(options);
      },
    };
    const found = await profile(engine, [watched], { sample: { rows: 3 }, ...LISTED });
    expect(found).toMatchObject({ rows: 3, sample: { of: ROWS } });
    expect([...new Set(read)]).toEqual([...new Set(idsOf(found).map((id) => Math.floor(id / 10)))]);
  });

  test("of several tables is one sample of all", async () => {
    const tables = [0, 1, 2].map((i) => tableOf(COLUMNS, 333, { name: `t${i}` }));
    const found = await profile(engine, tables, { sample: { rows: 900 } });
    expect([found.rows, found.sample!.of]).toEqual([900, 3 * ROWS]);
    const rows = found.files.map((file) => file.rows);
    expect(rows.reduce((a, b) => a + b)).toBe(900);
    // Equal tables have different rows: their hashes depend on their places.
    expect(found.columns[0]!.distinct!.value).toBeGreaterThan(700);
    expect(Math.min(...rows)).toBeGreaterThan(230);
  });

  test("of CSV counts the rows first, has the same rows with any threads, and a packed file too", async () => {
    const text = `id,x\n${COLUMNS[0]!.values.map((id) => `${id},${Number(id) / 4}\n`).join("")}`;
    const bytes = new TextEncoder().encode(text);
    const found = [];
    for (const threads of [0, 2]) {
      await using table = await openTable(bytes, { format: "csv", partBytes: 1000, threads });
      found.push(await profile(engine, [table], { sample: { rows: 77 }, ...LISTED }));
    }
    expect(found.map(({ rows, passes, sample }) => [rows, passes, sample])).toEqual(
      Array(2).fill([77, 2, { of: ROWS, seed: 0 }]),
    );
    expect(found[1]!.columns).toEqual(found[0]!.columns);
    async function* stream() {
      yield bytes;
    }
    await using once = await openTable(stream(), { format: "csv" });
    await expect(profile(engine, [once], { sample: { rows: 5 } })).rejects.toThrow(
      "expected a share of the rows for sample, because this table does not state its number of rows and can be read only once",
    );
    await using again = await openTable(stream(), { format: "csv" });
    const some = await profile(engine, [again], { sample: { share: 0.2 } });
    expect(some.sample!.of).toBe(ROWS);
    expect(Math.abs(some.rows - 1000)).toBeLessThan(150);
  });

  test("leaves nulls of a column that cannot be read unknown", async () => {
    const refused: Given = {
      name: "r",
      type: { kind: "refused", reason: "nested" },
      values: [],
      statistics: () => ({ min: null, max: null, nulls: 3, distinct: null }),
    };
    const { columns } = await profile(engine, [tableOf([...COLUMNS, refused], 100)], {
      sample: { rows: 10 },
    });
    expect(columns.at(-1)!.nulls).toBeNull();
  });

  test.each([
    [{ rows: 0 }, "a whole number from 1"],
    [{ share: 0 }, "a number above 0 and up to 1"],
    [{ share: 1.5 }, "a number above 0 and up to 1"],
    [{}, "rows or share"],
    [{ rows: 1, share: 0.5 }, "rows or share"],
    [{ rows: 1, seed: -1 }, "a whole number from 0"],
    [{ row: 1 }, "rows"],
  ])("refuses %j", async (sample, says) => {
    await expect(profile(engine, [tableOf(COLUMNS)], { sample } as never)).rejects.toThrow(says);
  });
});

test("hashes are even, and those of neighbouring rows, parts, files and seeds do not depend on each other", () => {
  const n = 20_000;
  const hashesOf = (...of: ConstructorParameters<typeof RowHashes>) => {
    const hashes = new RowHashes(...of);
    return Array.from({ length: n }, (_, row) => hashes.hash(row));
  };
  const first = hashesOf(0, 0, 0);
  expect(Math.min(...first) >= 0 && Math.max(...first) < 1).toBe(true);
  const mean = (of: readonly number[]) => of.reduce((sum, value) => sum + value, 0) / of.length;
  const correlation = (a: readonly number[], b: readonly number[]) =>
    12 * (mean(a.map((value, i) => value * b[i]!)) - mean(a) * mean(b));
  // Five standard errors.
  expect(Math.abs(mean(first) - 0.5)).toBeLessThan(5 / Math.sqrt(12 * n));
  for (const other of [
    first.toSpliced(0, 1).concat(first[0]!),
    hashesOf(1, 0, 0),
    hashesOf(0, 1, 0),
    hashesOf(0, 0, 1),
    hashesOf(0, 1, 1),
  ])
    expect(Math.abs(correlation(first, other))).toBeLessThan(5 / Math.sqrt(n));
});
