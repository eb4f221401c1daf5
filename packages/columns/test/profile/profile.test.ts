import { openEngine } from "@polybin/core";
import { afterAll, describe, expect, test } from "vitest";
import {
  columnsOf,
  firstPass,
  knownExtents,
  nextPass,
  PassCounting,
  ProfilePartial,
  profile,
  profileJson,
  valueText,
} from "../../src/profile/index.ts";
import type { LogicalType } from "../../src/table/index.ts";
import { type Given, stated, tableOf } from "./tables.ts";

const engine = await openEngine();
afterAll(() => engine.close());

const F64: LogicalType = { kind: "number", type: "f64" };
const I32: LogicalType = { kind: "number", type: "i32" };
const I64: LogicalType = { kind: "number", type: "i64" };
const TEXT: LogicalType = { kind: "string" };
const US: LogicalType = { kind: "timestamp", unit: "us", timezone: "UTC" };

const ROWS = 100;
const every = <T>(of: (i: number) => T): T[] => Array.from({ length: ROWS }, (_, i) => of(i));
const PRICES = every((i) => (i % 9 === 0 ? null : Math.sin(i) * 50 + 0.1));
const ODD = every((i) => [Number.NaN, Infinity, -Infinity, -0, 0, i][i % 6]!);
const COUNTS = every((i) => i % 7);
const BIG = every((i) => 2n ** 60n + BigInt(i % 50));
const CITIES = every((i) => (i % 10 === 3 ? null : ["Oslo", "Rome", "Ürümqi"][i % 3]!));

const COLUMNS: Given[] = [
  { name: "price", type: F64, values: PRICES },
  { name: "odd", type: F64, values: ODD },
  { name: "count", type: I32, values: COUNTS },
  { name: "big", type: I64, values: BIG },
  { name: "city", type: TEXT, values: CITIES },
  { name: "coded", type: TEXT, values: CITIES, coded: true },
  { name: "when", type: US, values: every((i) => 1_700_000_000_000_000n + BigInt(i * i)) },
  { name: "flag", type: { kind: "boolean" }, values: every((i) => (i % 4 === 0 ? 1 : 0)) },
  { name: "day", type: { kind: "date", unit: "day" }, values: every((i) => 19_000 + (i % 30)) },
  { name: "void", type: F64, values: every(() => null) },
  { name: "nested", type: { kind: "refused", reason: "a list" }, values: every(() => null) },
];

const found = await profile(engine, [tableOf(COLUMNS)], { bins: 10, joint: [["price", "count"]] });
const column = (name: string, of = found) => of.columns.find((one) => one.name === name)!;

describe("a profile", () => {
  test("counts rows, nulls, NaN and infinities", () => {
    expect([found.rows, found.columns.length]).toEqual([ROWS, COLUMNS.length]);
    expect(column("price").nulls).toBe(12);
    const { nan, infinite, min, max, distinct } = column("odd");
    expect([nan, infinite, min, max]).toEqual([17, { negative: 17, positive: 17 }, 0, 95]);
    expect(distinct).toEqual({ value: 19, exact: true });
    expect(column("void")).toMatchObject({
      nulls: ROWS,
      min: null,
      mean: null,
      histogram: null,
      quantiles: [],
      top: [],
    });
    expect(column("nested").logical).toEqual({ kind: "refused", reason: "a list" });
  });

  test("has the moments and quantiles of the values", () => {
    const values = PRICES.filter((value) => value !== null);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    expect(column("price").mean).toBeCloseTo(mean, 12);
    expect(column("price").stddev).toBeCloseTo(Math.sqrt(variance), 12);
    const median = values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1];
    expect(column("price").quantiles[3]).toEqual({
      ...{ p: 0.5, exact: true, value: median },
      ...{ low: median, high: median },
    });
  });

  test("keeps integers past 2^53, and times, as they are", () => {
    expect(column("big")).toMatchObject({
      min: "1152921504606846976",
      max: "1152921504606847025",
      distinct: { value: 50, exact: true },
    });
    expect(column("when")).toMatchObject({
      type: "timestamp[us, UTC]",
      min: 1_700_000_000_000_000,
      max: 1_700_000_000_009_801,
    });
    expect(column("big").histogram!.counts.reduce((sum, count) => sum + count)).toBe(ROWS);
  });

  test("counts what NumPy counts over the same edges", () => {
    const { edges, counts, underflow, overflow, nan } = column("price").histogram!;
    const values = PRICES.filter((value) => value !== null);
    const [lo, hi] = [Math.min(...values), Math.max(...values)];
    expect(edges).toEqual(Array.from({ length: 11 }, (_, i) => (i === 10 ? hi : lo + i * ((hi - lo) / 10))));
    const own = new Array<number>(10).fill(0);
    for (const value of values)
      own[
        Math.min(
          9,
          edges.findLastIndex((edge) => edge <= value),
        )
      ]! += 1;
    expect([counts, underflow, overflow, nan]).toEqual([own, 0, 0, 0]);
    expect(column("odd").histogram).toMatchObject({ underflow: 17, overflow: 17, nan: 17 });
    expect(column("flag").histogram).toMatchObject({ type: "boolean", counts: [75, 25] });
    expect(column("count").histogram!.counts).toEqual([15, 15, 14, 14, 14, 14, 14]);
  });

  test("lists the most frequent values", () => {
    expect(column("city").top).toEqual([
      { value: "Oslo", count: 30 },
      { value: "Rome", count: 30 },
      { value: "Ürümqi", count: 30 },
    ]);
    expect({ ...column("coded"), name: "city" }).toEqual(column("city"));
    expect(column("flag").top).toEqual([
      { value: false, count: 75 },
      { value: true, count: 25 },
    ]);
    expect(column("city").lengths).toMatchObject({ min: 4, mean: (60 * 4 + 30 * 6) / 90, max: 6 });
  });

  test("counts pairs of columns", () => {
    const [pair] = found.joint;
    expect(pair).toMatchObject({ columns: ["price", "count"], nulls: 12, outside: 0 });
    expect(pair!.counts.reduce((sum, count) => sum + count)).toBe(88);
    const bins = PRICES.flatMap((price, i) => {
      if (price === null) return [];
      const edges = pair!.axes[0].edges;
      return [
        Math.min(
          pair!.shape[0] - 1,
          edges.findLastIndex((edge) => edge <= price),
        ) *
          pair!.shape[1] +
          COUNTS[i]!,
      ];
    });
    const own = new Array<number>(pair!.counts.length).fill(0);
    for (const bin of bins) own[bin]! += 1;
    expect(pair!.counts).toEqual(own);
  });
});

const NUMBERS = COLUMNS.filter(({ type }) => type.kind !== "refused");
const comparable = ({ columns, joint }: typeof found) => ({ columns, joint });

describe("however it is read", () => {
  test("statistics give the ranges, and one pass is enough", async () => {
    const columns = NUMBERS.filter(({ name }) => name !== "odd").map((one) => ({
      ...one,
      statistics: stated(one.values),
    }));
    const table = tableOf(columns);
    const once = await profile(engine, [table], { bins: 10 });
    expect([once.passes, table.reads]).toEqual([1, 1]);
    for (const { name } of columns) expect(column(name, once)).toEqual(column(name));
  });

  test("statistics that are wrong change no number", async () => {
    const wrong = { min: 2, max: 3, nulls: 0, distinct: 1 };
    const columns = NUMBERS.filter(({ name }) => name === "count" || name === "price").map((one) => ({
      ...one,
      statistics: () => wrong,
    }));
    const lied = await profile(engine, [tableOf(columns)], { bins: 10 });
    for (const { name } of columns) {
      const { histogram: _, quantiles: __, ...rest } = column(name, lied);
      expect(column(name)).toMatchObject(rest);
      const { counts, underflow, overflow } = column(name, lied).histogram!;
      expect(counts.reduce((sum, count) => sum + count, underflow + overflow)).toBe(
        name === "count" ? 100 : 88,
      );
    }
  });

  test("columns that are not kept are read again", async () => {
    const table = tableOf(NUMBERS);
    const twice = await profile(engine, [table], { bins: 10, keepBytes: 0, joint: [["price", "count"]] });
    expect([twice.passes, table.reads]).toEqual([2, 2]);
    expect(comparable(twice)).toEqual({
      ...comparable(found),
      columns: found.columns.filter(({ name }) => name !== "nested"),
    });
  });

  test("a stream is kept in memory, or refused", async () => {
    const stream = tableOf(NUMBERS, 7, { stream: true });
    const kept = await profile(engine, [stream], { bins: 10 });
    expect([kept.passes, stream.reads]).toEqual([1, 1]);
    expect(kept.columns).toEqual(found.columns.filter(({ name }) => name !== "nested"));
    // The different values of each column are counted, and do as well.
    const counted = await profile(engine, [tableOf(NUMBERS, 7, { stream: true })], {
      bins: 10,
      keepBytes: 0,
    });
    expect(counted.columns).toEqual(kept.columns);
    await expect(
      profile(engine, [tableOf(NUMBERS, 7, { stream: true })], { keepBytes: 100, distinctLimit: 1 }),
    ).rejects.toMatchObject({
      code: "ERR_LIMIT",
      message: expect.stringContaining("can be read only once; pass ranges, or a larger keepBytes"),
    });
  });

  test("several tables are one", async () => {
    const halves = [0, 1].map((half) =>
      tableOf(
        COLUMNS.map((one) => ({ ...one, values: one.values.slice(50 * half, 50 * half + 50) })),
        3,
        { name: `half ${half}` },
      ),
    );
    const both = await profile(engine, halves, { bins: 10, joint: [["price", "count"]] });
    expect(comparable(both)).toEqual(comparable(found));
    expect(both.files.map(({ rows }) => rows)).toEqual([50, 50]);
  });

  test("partials of shards merge in any order to the bits of one run", async () => {
    const request = { bins: 10, distinctLimit: 20, ranges: {}, joint: [["price", "count"]] as const };
    const table = tableOf(NUMBERS);
    const columns = columnsOf([table], undefined, request);
    let plan = firstPass(columns, knownExtents([table], columns), request);
    const passes: ProfilePartial[] = [];
    for (;;) {
      const count = async (parts: number[]) => {
        const counting = await PassCounting.open(engine, plan);
        for await (const batch of table.read({ columns: plan.columns.map(({ name }) => name), parts }))
          await counting.add(batch);
        return (await counting.take()).toBytes();
      };
      const merged = (all: Uint8Array[]) =>
        all
          .map((bytes) => ProfilePartial.fromBytes(bytes, plan))
          .reduce((sum, one) => sum.merge(one), ProfilePartial.empty(plan));
      const shards = await Promise.all([[0, 1, 2, 3], [4], [5, 6, 7, 8, 9, 10, 11], [12, 13, 14]].map(count));
      const whole = await count(Array.from({ length: 15 }, (_, i) => i));
      expect(merged(shards).toBytes()).toEqual(whole);
      expect(merged(shards.toReversed()).toBytes()).toEqual(whole);
      passes.push(merged(shards));
      const next = nextPass(passes[0]!, request);
      if (next === null || passes.length === 2) break;
      plan = JSON.parse(JSON.stringify(next));
    }
    const timings = { totalMs: 0, passMs: [] };
    const parts = { passes, columns, tables: [table], files: [], engine, reads: 2, timings, top: 10 };
    const alone = await profile(engine, [table], { ...request, joint: [["price", "count"]] });
    expect(comparable(profileJson(parts))).toEqual(comparable(alone));
  });
});

describe("beyond the limit of different values", () => {
  const values = Array.from({ length: 5000 }, (_, i) => (i % 4 === 0 ? 42.5 : i / 3));
  const texts = values.map((value) => (value === 42.5 ? "often" : `once ${value}`));
  const columns: Given[] = [
    { name: "number", type: F64, values },
    { name: "text", type: TEXT, values: texts },
  ];

  test("a further pass finds the frequent values, exactly", async () => {
    const { columns: result, passes } = await profile(engine, [tableOf(columns, 1000)], {
      distinctLimit: 50,
    });
    expect(passes).toBe(2);
    for (const [i, value] of [42.5, "often"].entries()) {
      const { top, distinct, topExact, topBound } = result[i]!;
      expect(top).toEqual([{ value, count: 1250 }]);
      expect(distinct!.exact).toBe(false);
      // There are 3,751. HyperLogLog's standard error is below 1%.
      expect(Math.abs(distinct!.value / 3751 - 1)).toBeLessThan(0.025);
      expect([topExact, topBound! >= 1, topBound! < 1250]).toEqual([false, true, true]);
    }
  });

  test("quantiles have the bounds of a bin", async () => {
    const {
      columns: [number],
    } = await profile(engine, [tableOf(columns, 1000)], { distinctLimit: 50 });
    const sorted = values.toSorted((a, b) => a - b);
    for (const { p, value, low, high } of number!.quantiles) {
      const exact = sorted[Math.ceil(p * 5000) - 1]!;
      expect([(low as number) <= exact, exact <= (high as number)]).toEqual([true, true]);
      expect(Math.abs((value as number) - exact)).toBeLessThan(1);
    }
  });

  test("estimates of quantiles have the digits of their bounds, and are integers where the values are", async () => {
    const decimal = { kind: "decimal", precision: 12, scale: 2 } as const;
    const moment = { kind: "timestamp", unit: "us", timezone: null } as const;
    const integers = values.map((value) => BigInt(Math.round(value * 1000)));
    const { columns: found } = await profile(
      engine,
      [
        tableOf(
          [
            { name: "float", type: F64, values },
            { name: "decimal", type: decimal, values: integers },
            { name: "integer", type: { kind: "number", type: "i64" }, values: integers },
            { name: "moment", type: moment, values: integers },
          ],
          1000,
        ),
      ],
      { distinctLimit: 50 },
    );
    for (const { name, quantiles, logical } of found) {
      for (const { exact, value, low, high } of quantiles) {
        const [of, from, to] = [value, low, high].map(Number) as [number, number, number];
        expect([name, of >= from, of <= to, exact]).toEqual([name, true, true, from === to]);
        expect(valueText(logical, value!), name).toMatch(
          name === "decimal" ? /^\d+\.\d\d$/ : name === "float" ? /^\d+(\.\d{1,2})?$/ : /^[\d:T-]+(\.\d+)?$/,
        );
        if (name !== "float") expect([of, from, to].every(Number.isInteger), name).toBe(true);
      }
    }
    const median = found.map(({ quantiles }) => quantiles[3]!);
    // The bins of the floats are 0.4 wide, those of the integers about 400.
    expect(median.map(({ value }) => value)).toEqual([555.5, 555400, 555400, 555480]);
    expect(median.map(({ exact }) => exact)).toEqual([false, false, false, false]);
  });

  test("distinctLimit 0 counts no values", async () => {
    const {
      columns: [number],
    } = await profile(engine, [tableOf(columns, 1000)], { distinctLimit: 0 });
    expect(number).toMatchObject({ distinct: null, top: [], topBound: null, max: 4999 / 3 });
  });
});

describe("ugly input", () => {
  test("no rows", async () => {
    const empty = await profile(engine, [tableOf(COLUMNS.map((one) => ({ ...one, values: [] })))], {
      joint: [["price", "count"]],
    });
    expect(empty.rows).toBe(0);
    for (const one of empty.columns)
      expect(one).toMatchObject({ min: null, mean: null, histogram: null, top: [] });
  });

  test("extreme doubles have bins", async () => {
    const ends = [-Number.MAX_VALUE, Number.MAX_VALUE, 5e-324, 1, 1 + Number.EPSILON];
    for (const pair of [
      [0, 1],
      [0, 2],
      [3, 4],
      [2, 2],
      [1, 1],
    ]) {
      const values = pair.map((i) => ends[i]!);
      const {
        columns: [one],
      } = await profile(engine, [tableOf([{ name: "x", type: F64, values }])]);
      expect(one!.histogram!.counts.reduce((sum, count) => sum + count)).toBe(2);
    }
    const wide = [-(2n ** 63n), 2n ** 63n - 1n];
    const {
      columns: [one],
    } = await profile(engine, [tableOf([{ name: "x", type: I64, values: wide }])]);
    expect(one).toMatchObject({ min: String(wide[0]), max: String(wide[1]), mean: -0.5 });
    expect(one!.histogram!.counts.reduce((sum, count) => sum + count)).toBe(2);
  });

  test("ranges too narrow for a quotient, and too wide for fine bins, have all their values in bins", async () => {
    for (const { values, bins } of [
      { values: [0, 1e-306, 2e-306, 0], bins: 256 },
      { values: [0, 5e-324, 0], bins: 256 },
      { values: [0, 2e-306, 0], bins: 1000 },
      { values: [-1.7e308, 1, 1.7e308], bins: 4097 },
      { values: [-1.7e308, 1, 1.7e308], bins: 65_536 },
    ]) {
      const table = () => tableOf([{ name: "x", type: F64, values }]);
      for (const distinctLimit of [0, 1000]) {
        const {
          columns: [one],
        } = await profile(engine, [table()], { bins, distinctLimit });
        const { counts, edges, underflow, overflow } = one!.histogram!;
        expect(counts.reduce((sum, count) => sum + count)).toBe(values.length);
        expect([underflow, overflow]).toEqual([0, 0]);
        const step = (edges.at(-1)! - edges[0]!) / (edges.length - 1);
        // NumPy's edges.
        if (step < Infinity)
          for (const [i, edge] of edges.slice(0, -1).entries()) expect(edge).toBe(i * step + edges[0]!);
        const median = one!.quantiles.find(({ p }) => p === 0.5)!;
        const sorted = [...values].sort((a, b) => a - b);
        const exact = sorted[Math.ceil(sorted.length / 2) - 1]!;
        expect(Number(median.low)).toBeLessThanOrEqual(exact);
        expect(Number(median.high)).toBeGreaterThanOrEqual(exact);
      }
    }
  });

  test("pairs of columns without values, or of the widest range, are counted", async () => {
    const columns: Given[] = [
      { name: "none", type: F64, values: [null, null, null] },
      { name: "wide", type: F64, values: [-1.7e308, 0, 1.7e308] },
      { name: "few", type: I32, values: [1, 2, 3] },
    ];
    const pairs = [
      ["none", "few"],
      ["wide", "few"],
    ] as const;
    const { joint } = await profile(engine, [tableOf(columns)], { joint: pairs });
    expect(joint.map((pair) => [pair.columns, pair.nulls, pair.outside])).toEqual([
      [["none", "few"], 3, 0],
      [["wide", "few"], 0, 0],
    ]);
    expect(joint.map(({ counts }) => counts.reduce((sum, count) => sum + count))).toEqual([0, 3]);
  });

  test("wrong options and columns are named", async () => {
    const table = tableOf(COLUMNS);
    const wrong: [object, string][] = [
      [{ colums: [] }, "did you mean columns?"],
      [{ columns: ["prise"] }, 'expected one of "price", "odd"'],
      [{ columns: ["price", "price"] }, "expected every column once"],
      [
        { ranges: { price: [1, 0] } },
        "expected two finite numbers [lo, hi] with lo below hi for ranges.price but received [1, 0]",
      ],
      [
        { ranges: { price: [0, 2n ** 53n + 1n] } },
        "expected integers that are doubles for ranges.price but received 9007199254740993; the nearest is 9007199254740992",
      ],
      [{ ranges: { price: [2n, 1] } }, "but received [2, 1]"],
      [{ ranges: { city: [0, 1] } }, "expected a column of numbers"],
      [{ joint: [["price", "city"]] }, "expected a column of numbers"],
      [{ joint: [["price"]] }, "expected an array of pairs of names"],
      [{ bins: 0 }, "expected a whole number from 1 to 65536 for bins"],
      [{ top: 1.5 }, "for top"],
      [{ distinctLimit: -1 }, "for distinctLimit"],
      [{ onProgress: 1 }, "expected a function for onProgress"],
    ];
    for (const [options, message] of wrong) {
      await expect(profile(engine, [table], options)).rejects.toMatchObject({
        code: "ERR_INPUT",
        message: expect.stringContaining(message),
      });
    }
    await expect(profile(engine, [tableOf([])], { columns: ["price"] })).rejects.toThrow(
      'expected no name, since there are no columns, for a column but received "price"',
    );
    await expect(profile(engine, [])).rejects.toMatchObject({ code: "ERR_INPUT" });
    const other = tableOf([{ name: "price", type: I32, values: [1] }], 7, { name: "other" });
    await expect(profile(engine, [table, other])).rejects.toThrow(
      'expected one type for column "price" but found f64 in memory and i32 in other',
    );
    const { columns } = await profile(engine, [table, other], { columns: ["odd"] });
    expect(columns.map(({ name }) => name)).toEqual(["odd"]);
  });

  test("an abort in the middle rejects with its reason", async () => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const onProgress = ({ rows }: { rows: number }) => rows > 30 && stop.abort(reason);
    await expect(profile(engine, [tableOf(COLUMNS)], { signal: stop.signal, onProgress })).rejects.toBe(
      reason,
    );
  });

  test("false partials are refused", async () => {
    const plan = firstPass(columnsOf([tableOf(NUMBERS)], undefined, { ranges: {}, joint: [] }), new Map(), {
      bins: 4,
      distinctLimit: 3,
      ranges: {},
      joint: [],
    });
    const bytes = ProfilePartial.empty(plan).toBytes();
    for (let cut = 0; cut < bytes.length; cut++) {
      expect(() => ProfilePartial.fromBytes(bytes.subarray(0, cut), plan)).toThrow(
        "expected a partial profile",
      );
    }
    expect(() => ProfilePartial.fromBytes(Uint8Array.of(...bytes, 0), plan)).toThrow("bytes after its end");
    const other = { ...plan, columns: plan.columns.slice(1) };
    expect(() => ProfilePartial.empty(plan).merge(ProfilePartial.empty(other))).toThrow(
      "one of another plan",
    );
  });
});
