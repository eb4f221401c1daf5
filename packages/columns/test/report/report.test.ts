import { isPolybinError, openEngine } from "@polybin/core";
import { expect, test } from "vitest";
import { openTable } from "../../src/index.ts";
import {
  type ColumnJson,
  type HistogramJson,
  type OverJson,
  type ProfileJson,
  profile,
} from "../../src/profile/index.ts";
import { findings, renderReport } from "../../src/report/index.ts";
import { binsOf } from "../../src/report/plots/bins.ts";
import type { LogicalType } from "../../src/table/index.ts";
import { columnOf, profileOf, trips } from "./sample.ts";
import { taxiCsv } from "./taxi-csv.ts";

const F64: LogicalType = { kind: "number", type: "f64" };
const I32: LogicalType = { kind: "number", type: "i32" };
const TEXT: LogicalType = { kind: "string" };

const numbers = (...values: (number | null)[]): ColumnJson => columnOf("x", "f64", F64, values);
const badges = (column: ColumnJson, profile: Partial<ProfileJson> = {}): string[] =>
  findings({ ...profileOf([column]), ...profile }).map(({ badge }) => badge);

test("equal profiles have equal pages", async () => {
  const [once, again] = await Promise.all([renderReport(trips(200)), renderReport(trips(200))]);
  expect(once === again).toBe(true);
});

test("a finding stands for each thing that a reader should know", () => {
  expect(badges(numbers(1, 2, 3))).toEqual([]);
  expect(badges(numbers(null, null))).toEqual(["only nulls"]);
  expect(badges(numbers(1, 2, null))).toEqual(["33% null"]);
  expect(badges(numbers(1, 2, 3, 4, 5, null))).toEqual([]);
  expect(badges(numbers(7, 7, 7))).toEqual(["constant"]);
  expect(badges(numbers(1, 2, Number.NaN, Infinity, -Infinity))).toEqual(["20% NaN", "2 infinities"]);
  expect(badges(columnOf("x", "i32", I32, [1, 2, 3]))).toEqual(["all different"]);
  expect(badges(columnOf("x", "i32", I32, [1, 2, 2]))).toEqual([]);
  expect(badges(columnOf("x", "string", TEXT, [...Array<string>(95).fill("a"), ..."abcde"]))).toEqual([
    "96% the same",
  ]);
  expect(badges(numbers(...Array.from({ length: 1001 }, (_, i) => i)))).toEqual(["estimate"]);
  expect(badges(numbers(1, 2), { rows: 3 })).toEqual(["in some files"]);
  expect(badges(columnOf("x", "list", { kind: "refused", reason: "a list" }, [1]))).toContain("not counted");
  expect(badges(numbers(), { rows: 0 })).toEqual(["no rows"]);
  const far = findings(
    profileOf([columnOf("x", "i32", I32, [...Array.from({ length: 990 }, (_, i) => i % 9), 1e6])]),
  );
  expect(far.map(({ badge }) => badge)).toEqual(["far outliers"]);
  expect(far[0]!.text).toBe("The largest value, 1,000,000, lies far outside of the middle 98%: 0 to 8.");
});

test("drawn bins add up to the counted ones", () => {
  const counts = Array.from({ length: 300 }, (_, i) => i);
  const edges = Array.from({ length: 301 }, (_, i) => i);
  const histogram: HistogramJson = { type: "integer", edges, counts, underflow: 0, overflow: 0, nan: 0 };
  const bins = binsOf(histogram, I32, 128);
  expect(bins.binsEach).toBe(3);
  expect(bins.counts.length).toBe(100);
  expect(bins.counts.reduce((sum, count) => sum + count)).toBe(counts.reduce((sum, count) => sum + count));
  // An integer is in the middle of its bar.
  expect(bins.places.slice(0, 2)).toEqual([-0.5, 2.5]);
  expect(binsOf({ ...histogram, type: "regular" }, I32, 1).places).toEqual([0, 300]);
});

test("every kind of column and every empty one has a page", async () => {
  const kinds: readonly LogicalType[] = [
    F64,
    I32,
    TEXT,
    { kind: "boolean" },
    { kind: "timestamp", unit: "ns", timezone: "UTC" },
    { kind: "date", unit: "ms" },
    { kind: "time", unit: "us" },
    { kind: "decimal", scale: 3, precision: 18 },
    { kind: "refused", reason: "nested" },
  ];
  const lists: readonly (readonly (number | null)[])[] = [
    [],
    [null],
    [0],
    [1, 1],
    [-1, 0, 1, null],
    [-1e300, 1e300],
    [Number.NaN],
  ];
  const columns = kinds.flatMap((logical) =>
    lists.map((values) =>
      columnOf(
        logical.kind,
        logical.kind,
        logical,
        logical.kind === "string" ? values.map((value) => value && String(value)) : values,
      ),
    ),
  );
  const report = await renderReport(profileOf(columns, [], ""));
  expect(report.match(/<article/g)?.length).toBe(columns.length);
  const [before] = report.split("<script>");
  expect(before!.match(/.{30}(?:(?<!% )NaN(?!<\/dt>)|undefined|Infinity|\[object).{30}/g)).toBe(null);
});

test("text has its lengths and patterns, and times have the calendar", async () => {
  const when: LogicalType = { kind: "timestamp", unit: "s", timezone: null };
  const calendar = { weekdays: Array(7).fill(1), months: Array(12).fill(1), hours: Array(24).fill(1) };
  const patterns = [{ pattern: "<b>", count: 2 }];
  const report = await renderReport(
    profileOf([
      { ...columnOf("t", "string", TEXT, ["<x>", "<y>", "long"]), patterns },
      { ...columnOf("w", "timestamp[s]", when, [1, 2]), calendar },
    ]),
  );
  for (const label of ["Lengths of t", "w by weekday", "w by month", "w by hour"])
    expect(report).toContain(`aria-label="${label}"`);
  expect(report).toContain("&lt;b&gt;");
});

test("correlations are heat maps and a list, and hostile names are text", async () => {
  const name = `</title><img src=x>`;
  const columns = ["x", "y", name].map((column) => columnOf(column, "f64", F64, [1, 2, null]));
  const correlations = {
    columns: ["x", "y", name],
    rows: [0, 1, 2].map(() => [2, 2, 2]),
    pearson: [
      [1, -0.5, null],
      [-0.5, 1, 0.25],
      [null, 0.25, 1],
    ],
    spearman: [
      [1, 0.75, null],
      [0.75, 1, 0],
      [null, 0, 1],
    ],
    mutualInformation: [
      [null, 0.5, 0],
      [0.5, null, 0],
      [0, 0, null],
    ],
  };
  const missing = {
    columns: ["x", "y"],
    both: [
      [1, 1],
      [1, 1],
    ],
  };
  const report = await renderReport({ ...profileOf(columns), correlations, missing });
  expect(report.match(/aria-label="[^"]* of 3 columns"/g)).toHaveLength(3);
  expect(report).toContain(
    '<bdi>x</bdi>, <bdi>y</bdi></th><td class="number">−0.50</td><td class="number">0.75</td>',
  );
  expect(report).toContain("Null together");
  expect(report).not.toContain("<img");
});

test("wrong arguments are coded errors", async () => {
  const profile = profileOf([]);
  const messageOf = async (of: unknown, options?: object): Promise<string> => {
    const error = await renderReport(of as ProfileJson, options).catch((error: unknown) => error);
    return isPolybinError(error) && error.code === "ERR_INPUT" ? error.message : String(error);
  };
  expect(await messageOf(null)).toBe("expected an object for profile but received null");
  expect(await messageOf({ ...profile, version: 2 })).toBe(
    "expected 1 for profile.version but received 2 of type number",
  );
  expect(await messageOf(profile, { titel: "x" })).toContain("did you mean title?");
  expect(await messageOf(profile, { title: 3 })).toBe(
    "expected a string for title but received 3 of type number",
  );
  expect(await messageOf(profile, { date: new Date(Number.NaN) })).toContain(
    "expected a valid Date for date",
  );
  await expect(renderReport(trips(50), { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow(
    "stop",
  );
});

test("a profile of a CSV file becomes a page that says what is odd about it", async () => {
  await using engine = await openEngine();
  await using table = await openTable(taxiCsv(3000), { format: "csv", name: "trips.csv" });
  const found = await profile(engine, [table], { joint: [["trip_distance", "fare_amount"]] });
  const report = await renderReport(found);
  expect(report.match(/<article class="card" id/g)!.length).toBe(found.columns.length);
  expect(report.match(/<svg class="plot"/g)!.length).toBeGreaterThan(found.columns.length);
  const odd = findings(found).map(({ column, badge }) => `${found.columns[column!]!.name}: ${badge}`);
  expect(odd).toEqual(
    expect.arrayContaining([
      "tpep_pickup_datetime: far outliers",
      "trip_distance: far outliers",
      "mta_tax: constant",
      "congestion_surcharge: constant",
    ]),
  );
  for (const text of ["184,340.8", "2002-12-31 23:00:00", "Midtown Center", "Heat map of fare_amount"]) {
    expect(report).toContain(text);
  }
});

test("title and date head the page", async () => {
  const date = new Date(Date.UTC(2026, 0, 2, 3, 4));
  const report = await renderReport(profileOf([], [], "/home/me/secret/trips.csv"), { date });
  expect(report).toContain("<h1><bdi>trips.csv</bdi></h1>");
  expect(report).toContain("2026-01-02 03:04 UTC");
  expect(report).not.toContain("/home/me");
  expect(await renderReport(profileOf([]), { title: "A & B" })).toContain(
    "<title>A &amp; B: profile</title>",
  );
});

test("a range that no double spans has numbers, and no plot", async () => {
  const csv = new TextEncoder().encode("x\n-1.7e308\n1.7e308\n0\n0\n");
  await using engine = await openEngine();
  await using table = await openTable(csv, { format: "csv" });
  const found = await profile(engine, [table]);
  const axis = { type: "variable", edges: [-1.7e308, 0, 1.7e308] };
  const pair = { columns: ["x", "x"], axes: [axis, axis], shape: [2, 2], counts: [1, 0, 0, 3] } as const;
  const report = await renderReport({ ...found, joint: [{ ...pair, outside: 0, nulls: 0 }] });
  expect(report).toContain("The range is too wide for a picture.");
  expect(report).toContain("−1.7e308");
  expect(report).not.toContain('<svg class="plot"');
  expect(report.split("<script>")[0]).not.toMatch(/NaN|Infinity/);
});

test("many columns are cut, and the page says so", async () => {
  const column = columnOf("x", "string", TEXT, ["a"]);
  const many = Array.from({ length: 5001 }, (_, i) => ({ ...column, name: `x${i}` }));
  const report = await renderReport(profileOf(many));
  expect(report.match(/<tr data-card/g)!.length).toBe(5000);
  expect(report.match(/<article class="card" id/g)!.length).toBe(1000);
  expect(report).toContain("The list has the first 5,000 of 5,001 columns.");
  expect(report).toContain("The details of the first 1,000 of 5,001 columns follow.");
});

test("columns have their means over another one, which has its rows", async () => {
  const when: LogicalType = { kind: "timestamp", unit: "s", timezone: null };
  const price: LogicalType = { kind: "decimal", scale: 2, precision: 9 };
  const day = 86_400;
  const over: OverJson = {
    column: "t",
    step: { every: 1, unit: "day" },
    edges: [0, day, 2 * day, 3 * day],
    rows: [2, 0, 1],
    outside: 1,
    nulls: 2,
    columns: [
      {
        name: "<x>",
        values: [1, 0, 1],
        nulls: [1, 0, 0],
        mean: [150, null, 250],
        min: [150, null, 250],
        max: [150, null, 250],
      },
      {
        name: "none",
        values: [0, 0, 0],
        nulls: [2, 0, 1],
        mean: [null, null, null],
        min: [null, null, null],
        max: [null, null, null],
      },
    ],
  };
  const columns = [
    columnOf("t", "timestamp[s]", when, [0, day, 2 * day, null, null]),
    columnOf("<x>", "decimal(9, 2)", price, [150, null, 250]),
    columnOf("none", "f64", F64, [null]),
  ];
  const report = await renderReport({ ...profileOf(columns), over });
  for (const label of ["Rows by day of t", "Mean of &lt;x&gt; by day of t"])
    expect(report).toContain(`aria-label="${label}"`);
  expect(report).not.toContain("Mean of none");
  expect(report).toContain(
    "Rows by day: 3 bins from 1970-01-01 to before 1970-01-04. 1 row outside. 2 rows without a value.",
  );
  expect(report).toContain("the share of nulls: at most 50%.");
  const [before] = report.split("<script>");
  expect(before!.match(/.{30}(?:(?<!% )NaN(?!<\/dt>)|undefined|Infinity|\[object).{30}/g)).toBe(null);
});

test("the last line says what was read, and what was counted from memory", async () => {
  const footerOf = async (passes: number, passMs: readonly number[]) => {
    const profile = {
      ...profileOf([columnOf("x", "i32", I32, [1])]),
      passes,
      timings: { totalMs: 9, passMs },
    };
    return /<footer>.*? in (.*)<\/footer>/.exec(await renderReport(profile))![1];
  };
  expect(await footerOf(1, [128])).toBe("one pass over the files (128 ms).");
  expect(await footerOf(1, [128, 1.7])).toBe(
    "one pass over the files and one pass over values in memory (128 ms, 1.7 ms).",
  );
  expect(await footerOf(2, [5, 6, 7])).toBe(
    "2 passes over the files and one pass over values in memory (5 ms, 6 ms, 7 ms).",
  );
  expect(await footerOf(2, [])).toBe("2 passes over the files.");
});

test("a sample is a warning, and its rows are those of the sample", async () => {
  const profile = { ...profileOf([columnOf("x", "i32", I32, [1, 2])]), sample: { of: 540_000, seed: 7 } };
  expect(findings(profile)[0]).toMatchObject({ column: null, level: "warning", badge: "sample" });
  const report = await renderReport(profile);
  expect(report).toContain("This is a random sample (seed 7): 2 of 540,000 rows.");
  expect(report).toContain("of 540,000 rows, a sample");
});
