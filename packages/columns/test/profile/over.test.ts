import { openEngine } from "@polybin/core";
import { describe, expect, test } from "vitest";
import {
  batchesFor,
  columnsOf,
  firstPass,
  knownExtents,
  type OverJson,
  PassCounting,
  ProfilePartial,
  planAfter,
  profile,
} from "../../src/profile/index.ts";
import { overAxisOf } from "../../src/profile/pass/over-axis.ts";
import type { LogicalType } from "../../src/table/index.ts";
import { type Given, stated, tableOf } from "./tables.ts";

const engine = await openEngine();
const US: LogicalType = { kind: "timestamp", unit: "us", timezone: null };
const NS: LogicalType = { kind: "timestamp", unit: "ns", timezone: "UTC" };
const DAY: LogicalType = { kind: "date", unit: "day" };
const number = (type: "f64" | "f32" | "i32" | "i64" | "u8" | "u64"): LogicalType => ({
  kind: "number",
  type,
});

const us = (text: string): bigint => BigInt(Date.parse(text)) * 1000n;

describe("bins in round units", () => {
  const bins = (type: LogicalType, min: number | bigint, max: number | bigint) => {
    const { axis, step } = overAxisOf(type, min, max)!;
    return { step: `${step.every} ${step.unit}`, edges: axis.type === "variable" ? [...axis.edges] : [] };
  };
  const inUs = (from: string, to: string) => {
    const { step, edges } = bins(US, us(from), us(to));
    const text = (edge: number) => new Date(edge / 1000).toISOString().replace(/(T00:00:00)?\.000Z$/, "");
    return [step, edges.length - 1, text(edges[0]!), text(edges.at(-1)!)];
  };

  test.each([
    ["2024-01-01T00:00:00Z", "2024-01-01T00:01:39Z", "1 second", 100, "2024-01-01", "2024-01-01T00:01:40"],
    ["2024-01-01T00:00:00Z", "2024-01-01T00:01:40Z", "5 second", 21, "2024-01-01", "2024-01-01T00:01:45"],
    [
      "2024-03-10T07:59:00Z",
      "2024-03-10T09:00:00Z",
      "1 minute",
      62,
      "2024-03-10T07:59:00",
      "2024-03-10T09:01:00",
    ],
    ["2024-05-31T13:07:00Z", "2024-06-30T05:00:00Z", "1 day", 31, "2024-05-31", "2024-07-01"],
    // A Sunday and a Monday.
    ["2023-01-01T00:00:00Z", "2024-01-01T00:00:00Z", "1 week", 54, "2022-12-26", "2024-01-08"],
    ["2016-02-29T00:00:00Z", "2023-12-31T23:59:59Z", "1 month", 95, "2016-02-01", "2024-01-01"],
    ["2010-01-01T00:00:00Z", "2019-12-31T00:00:00Z", "3 month", 40, "2010-01-01", "2020-01-01"],
    [
      "1969-12-31T23:59:59Z",
      "1970-01-01T00:00:00Z",
      "20 ms",
      51,
      "1969-12-31T23:59:59",
      "1970-01-01T00:00:00.020Z",
    ],
    ["0001-01-01T00:00:00Z", "9999-12-31T00:00:00Z", "100 year", 100, "0000-01-01", "+010000-01-01"],
  ])("%s to %s: %s", (from, to, ...found) => {
    expect(inUs(from, to)).toEqual(found);
  });

  test("days, numbers and decimals", () => {
    expect(bins(DAY, 19_723, 19_753)).toMatchObject({ step: "1 day" });
    expect(bins(DAY, 19_723, 19_723).edges).toEqual([19_723, 19_724]);
    expect(bins(DAY, 0, 40_000)).toMatchObject({ step: "2 year" });
    expect(bins(number("f64"), 0.05, 0.95)).toMatchObject({ step: "0.01 null" });
    expect(bins(number("f64"), 0.05, 0.95).edges.slice(0, 3)).toEqual([0.05, 0.06, 0.07]);
    expect(bins(number("i32"), -3, 5).edges).toEqual([-3, -2, -1, 0, 1, 2, 3, 4, 5, 6]);
    expect(bins(number("i32"), 0, 1000)).toMatchObject({ step: "20 null" });
    expect(bins(number("u64"), 0n, 2n ** 64n - 1n).edges.at(-1)).toBeGreaterThan(2 ** 64 - 1);
    expect(bins({ kind: "time", unit: "s" }, 0n, 86_399n)).toMatchObject({ step: "15 minute" });
    expect(overAxisOf(number("f64"), -Number.MAX_VALUE, Number.MAX_VALUE)).toBeNull();
  });

  test.each([
    [number("f64"), 5.5, 5.5],
    [number("f64"), 0, 0],
    [number("f64"), -5e-324, 5e-324],
    [number("f64"), 1e308, 1.7e308],
    [number("f64"), 1e15, 1e15 + 0.125],
    [number("f32"), -0.1, 1e30],
    [number("i64"), -(2n ** 63n), 2n ** 63n - 1n],
    [number("i64"), 2n ** 62n, 2n ** 62n + 1n],
    [NS, us("2024-01-01") * 1000n, us("2024-01-01") * 1000n + 7n],
    [NS, -(2n ** 63n), 2n ** 63n - 1n],
    [{ kind: "timestamp", unit: "s", timezone: null } as const, -(2n ** 62n), 2n ** 62n],
  ])("every value from the first to the last has a bin: %j from %s to %s", (type, min, max) => {
    const { edges } = bins(type, min, max);
    expect(edges.length).toBeGreaterThan(1);
    expect(edges.length).toBeLessThanOrEqual(101);
    expect(edges[0]! <= min && edges.at(-1)! > max).toBe(true);
    expect(edges.every((edge, i) => i === 0 || edge > edges[i - 1]!)).toBe(true);
  });
});

/** Means by definition, from exact integers. */
function expectedOf({ edges }: OverJson, over: Given["values"], values: Given["values"]) {
  return edges.slice(0, -1).map((from, i) => {
    const rows = over.flatMap((at, row) =>
      at !== null && Number(at) >= from && Number(at) < edges[i + 1]! ? [row] : [],
    );
    const held = rows.map((row) => values[row]).filter((value) => value !== null);
    const finite = held.map(Number).filter(Number.isFinite);
    const sum = finite.reduce((all, value) => all + BigInt(Math.round(value * 8)), 0n);
    return {
      rows: rows.length,
      nulls: rows.length - held.length,
      values: finite.length,
      mean: finite.length === 0 ? null : Number(sum) / 8 / finite.length,
      min: finite.length === 0 ? null : Math.min(...finite),
      max: finite.length === 0 ? null : Math.max(...finite),
    };
  });
}

/** The same from a profile. */
function foundOf(over: OverJson, name: string) {
  const column = over.columns.find((one) => one.name === name)!;
  return over.rows.map((rows, i) => {
    const [nulls, values, mean, min, max] = [
      column.nulls,
      column.values,
      column.mean,
      column.min,
      column.max,
    ].map((of) => of[i]!);
    return { rows, nulls, values, mean, min, max };
  });
}

const ROWS = 1000;
let seed = 1;
const random = (): number => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};
const START = us("2024-01-15");
const TIMES = Array.from({ length: ROWS }, (_, i) =>
  i % 50 === 7 ? null : START + BigInt(Math.floor(random() * 30 * 86_400e6)),
);
// Multiples of an eighth, so that sums of doubles are exact.
const FARES = TIMES.map((_, i) =>
  i % 13 === 0 ? null : i % 97 === 1 ? Number.NaN : Math.floor(random() * 800) / 8,
);
const COLUMNS: readonly Given[] = [
  { name: "time", type: US, values: TIMES },
  { name: "fare", type: number("f64"), values: FARES },
  { name: "count", type: number("u8"), values: TIMES.map(() => Math.floor(random() * 256)) },
  { name: "big", type: number("i64"), values: TIMES.map(() => BigInt(Math.floor(random() * 1e6))) },
  { name: "flag", type: { kind: "boolean" }, values: TIMES.map(() => Number(random() < 0.3)) },
  { name: "word", type: { kind: "string" }, values: TIMES.map((_, i) => (i % 3 === 0 ? null : "a")) },
  { name: "later", type: US, values: TIMES },
];
const NUMBERS = ["fare", "count", "big", "flag"];

describe("means over a column", () => {
  test.each([
    ["an unknown range", COLUMNS],
    ["a stated range", COLUMNS.map((one) => ({ ...one, statistics: stated(one.values, 7) }))],
    [
      "a wrong stated range",
      COLUMNS.map((one) => ({
        ...one,
        statistics: (part: number) => {
          const found = stated(one.values, 7)(part);
          return one.name === "time" ? { ...found, min: START, max: START + 5n } : found;
        },
      })),
    ],
  ])("equal their definition: %s", async (_, columns) => {
    const table = tableOf(columns);
    const { over } = await profile(engine, [table], { over: "time" });
    expect(over).toMatchObject({ column: "time", step: { every: 1, unit: "day" }, outside: 0, nulls: 20 });
    expect(over!.columns.map(({ name }) => name)).toEqual(NUMBERS);
    for (const name of NUMBERS) {
      const { values } = COLUMNS.find((one) => one.name === name)!;
      expect(foundOf(over!, name)).toEqual(expectedOf(over!, TIMES, values));
    }
    expect(over!.rows.reduce((sum, count) => sum + count)).toBe(ROWS - 20);
  });

  test("are the same whatever the parts, the threads, and what is kept", async () => {
    const all = await Promise.all(
      [
        [7, {}],
        [1000, {}],
        [1, { threads: 2 }],
        [64, { keepBytes: 0 }],
        [333, { correlations: true, duplicates: true }],
      ].map(async ([each, options]) => {
        const { over } = await profile(engine, [tableOf(COLUMNS, each as number)], {
          over: "time",
          ...(options as object),
        });
        return over;
      }),
    );
    for (const one of all) expect(one).toEqual(all[0]);
  });

  test("merge from partials in any order, through their bytes", async () => {
    const options = { bins: 64, distinctLimit: 100, ranges: {}, joint: [], over: "time" };
    const tables = [tableOf(COLUMNS, 100)];
    const columns = columnsOf(tables, undefined, options);
    const plan = firstPass(columns, knownExtents(tables, columns), options);
    const count = async (of: typeof plan, parts: readonly number[]) => {
      const counting = await PassCounting.open(engine, of);
      const names = of.columns.map(({ name }) => name);
      for await (const batch of batchesFor(tables[0]!, of, { columns: names, parts }))
        await counting.add(batch);
      return ProfilePartial.fromBytes((await counting.take()).toBytes(), of);
    };
    const first = (await count(plan, [3, 8])).merge(await count(plan, [0, 1, 2, 4, 5, 6, 7, 9]));
    const next = planAfter([first], options)!;
    expect(next.over).not.toBeNull();
    const parts = await Promise.all([[9], [2, 3], [0, 1], [4, 5, 6, 7, 8]].map((some) => count(next, some)));
    const merged = ProfilePartial.empty(next);
    for (const part of parts) merged.merge(part);
    expect(merged.toBytes()).toEqual((await count(next, [...Array(10).keys()])).toBytes());
  });

  test("count times of nanoseconds on the right side of an edge", async () => {
    const day = 86_400_000_000_000n;
    const from = (us("2024-06-01") / 1n) * 1000n;
    const values = [from, from + day - 1n, from + day, from + 2n * day - 1n, from + 39n * day];
    const { over } = await profile(
      engine,
      [
        tableOf([
          { name: "t", type: NS, values },
          { name: "x", type: number("f64"), values: [1, 2, 4, 8, 16] },
        ]),
      ],
      { over: "t" },
    );
    expect(over!.rows.slice(0, 3)).toEqual([2, 2, 0]);
    expect(over!.columns[0]!.mean.slice(0, 3)).toEqual([1.5, 6, null]);
  });

  test("leave out rows outside of a given range, and add the column to those that are chosen", async () => {
    const lo = START + 86_400_000_000n;
    const range = [lo, lo + 86_400_000_000n] as const;
    const table = tableOf(COLUMNS);
    const found = await profile(engine, [table], {
      over: "time",
      columns: ["fare"],
      ranges: { time: range },
    });
    expect(found.columns.map(({ name }) => name)).toEqual(["fare", "time"]);
    const inside = TIMES.filter((time) => time !== null && time >= lo && time < lo + 87_300_000_000n).length;
    const { over } = found;
    expect(over).toMatchObject({ step: { every: 15, unit: "minute" }, nulls: 20 });
    expect(over!.rows.reduce((sum, count) => sum + count)).toBe(inside);
    expect(over!.outside).toBe(ROWS - 20 - inside);
  });

  test("count the rows of files without the column as rows without a value", async () => {
    const other = tableOf([COLUMNS[1]!], 7, { name: "other" });
    const { over } = await profile(engine, [tableOf(COLUMNS), other], { over: "time" });
    expect(over!.nulls).toBe(20 + ROWS);
  });

  test("say what is wrong with the column", async () => {
    const rejects = (options: object, given: readonly Given[] = COLUMNS) =>
      expect(profile(engine, [tableOf(given)], options as never)).rejects;
    await rejects({ over: "tine" }).toThrow('expected one of "time", "fare"');
    await rejects({ over: "word" }).toThrow(
      'expected a column of times or numbers for over but received "word" of type string',
    );
    await rejects({ over: "flag" }).toThrow('received "flag" of type boolean');
    await rejects({ over: 5 }).toThrow("the name of a column");
    const nulls: Given = { name: "none", type: US, values: TIMES.map(() => null) };
    await rejects({ over: "none" }, [...COLUMNS, nulls]).toThrow(
      'expected values in column "none" for over but none of its 1000 rows has a finite one',
    );
    const reason = { kind: "refused", reason: "it is nested" } as const;
    await rejects({ over: "x" }, [...COLUMNS, { name: "x", type: reason, values: [] }]).toThrow(
      "it is nested",
    );
    const wide: Given = {
      name: "wide",
      type: number("f64"),
      values: TIMES.map((_, i) => (i % 2 ? -1.7e308 : 1.7e308)),
    };
    await rejects({ over: "wide" }, [...COLUMNS, wide]).toThrow("no wider than the largest double");
  });

  test("an empty table has none", async () => {
    const empty = tableOf(COLUMNS.map((one) => ({ ...one, values: [] })));
    expect((await profile(engine, [empty], { over: "time" })).over).toBeUndefined();
  });
});
