import { readdirSync } from "node:fs";
import { openEngine, regular } from "@polybin/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expected, fileOf, open, textsIn } from "./values.ts";

const files = readdirSync(fileOf(".")).filter((name) => /\.(parquet|arrows?)$/.test(name));
/** Columns of the Arrow files alone: other forms of strings, of decimals and dictionaries, two of times. */
const ARROW_ONLY = 10;
/** Fields of the column of structures, which only Parquet files give. */
const IN_STRUCT: Readonly<Record<string, readonly string[]>> = {
  "struct.a": Array.from({ length: expected.rows }, () => "1"),
  "struct.b": Array.from({ length: expected.rows }, () => "x"),
};
const whole = files.filter((name) => !/no-rows|deltas|replaced|int96|sums/.test(name));

describe("the values of files by pyarrow and fastparquet", () => {
  it("covers every encoding and codec", () => {
    expect(whole).toEqual(expect.arrayContaining([...expected.files]));
    expect(whole.length).toBeGreaterThanOrEqual(16);
  });

  it.each(whole)("%s", async (name) => {
    await using table = await open(fileOf(name));
    const found = await textsIn(table);
    expect(found.size).toBeGreaterThan(8);
    for (const [column, texts] of found) {
      const values = IN_STRUCT[column] ?? expected.columns[column]?.values;
      expect(texts, column).toEqual(values);
    }
    // The Arrow files have columns that Parquet has not.
    const all = Object.keys(expected.columns).length;
    const parquet = all - ARROW_ONLY + Object.keys(IN_STRUCT).length;
    expect(found.size).toBe(name.startsWith("fastparquet") ? 9 : name.includes(".arrow") ? all : parquet);
  });

  it.each(["pyarrow-plain-none-v1.parquet", "pyarrow-zstd.arrow"])(
    "%s refuses columns with reasons",
    async (name) => {
      await using table = await open(fileOf(name));
      const refused = table.columns.filter(({ type }) => type.kind === "refused");
      expect(refused.map((column) => column.name)).toEqual(["list", "struct", "bytes", "decimal 38"]);
      expect(refused.map(({ type }) => (type.kind === "refused" ? type.reason : ""))).toEqual([
        "its rows are lists",
        name.endsWith(".arrow")
          ? "its rows are structures"
          : "its rows are structures, and only their fields are columns",
        "its values are bytes without a meaning",
        "its decimals have 38 digits, and 64 bits hold 18",
      ]);
      await expect(textsIn(table, { columns: ["list"] })).rejects.toMatchObject({ code: "ERR_UNSUPPORTED" });
    },
  );

  it.each(files.filter((name) => name.includes("no-rows")))("%s has columns and no rows", async (name) => {
    await using table = await open(fileOf(name));
    expect(table.columns.length).toBeGreaterThan(40);
    expect((await textsIn(table)).size).toBe(0);
  });

  it("reads times of 96 bits", async () => {
    await using table = await open(fileOf("pyarrow-int96.parquet"));
    expect((await textsIn(table)).get("stamp ns?")).toEqual(expected.columns["stamp ns?"]!.values);
  });

  it.each([
    ["pyarrow-deltas.arrow", "deltas"],
    ["pyarrow-deltas.arrows", "deltas"],
    ["pyarrow-replaced.arrows", "replaced"],
  ] as const)("%s has dictionaries that change", async (name, words) => {
    await using table = await open(fileOf(name));
    expect((await textsIn(table)).get("word")).toEqual(expected.words[words]);
    // The dictionary of a part is the one that it was written with.
    const last = await textsIn(table, { parts: [table.parts!.length - 1] });
    expect(last.get("word")).toEqual(expected.words[words].slice(-2));
  });

  it("names types, units and time zones", async () => {
    await using table = await open(fileOf("pyarrow-none.arrow"));
    const typeOf = (name: string) => table.columns.find((column) => column.name === name)!.type;
    expect(typeOf("stamp s?")).toEqual({ kind: "timestamp", unit: "s", timezone: "Europe/Berlin" });
    expect(typeOf("decimal 18?")).toEqual({ kind: "decimal", scale: 4, precision: 18 });
    await using parquet = await open(fileOf("pyarrow-plain-none-v1.parquet"));
    const parquetType = (name: string) => parquet.columns.find((column) => column.name === name)!.type;
    expect(parquetType("stamp us?")).toEqual({ kind: "timestamp", unit: "us", timezone: "UTC" });
    expect(parquetType("stamp ns?")).toEqual({ kind: "timestamp", unit: "ns", timezone: null });
    expect(parquetType("time ms?")).toEqual({ kind: "time", unit: "ms" });
    expect(parquetType("decimal 9?")).toEqual({ kind: "decimal", scale: 2, precision: 9 });
  });
});

describe("the counts of files by pyarrow", () => {
  let engine: Awaited<ReturnType<typeof openEngine>>;
  beforeAll(async () => {
    engine = await openEngine({ backends: [] });
  });
  afterAll(() => engine.close());

  it.each(["pyarrow-delta-lz4-v2.parquet", "pyarrow-dictionary-gzip-v1.parquet", "pyarrow-none.arrow"])(
    "%s equal NumPy's",
    async (name) => {
      await using table = await open(fileOf(name));
      for (const [column, { range, counts, nan }] of Object.entries(expected.counts)) {
        const sums = new Float64Array(16);
        let nans = 0;
        for await (const { columns } of table.read({ columns: [column] })) {
          const chunk = columns[0]!;
          if (!("values" in chunk)) throw new Error("expected numbers");
          const mask = chunk.validity ?? undefined;
          const histogram = await engine.histogram(chunk.values as Float64Array, {
            axis: regular(16, ...range),
            ...(mask && { mask }),
          });
          histogram.counts.forEach((count, i) => {
            sums[i]! += count;
          });
          nans += histogram.nan;
        }
        expect([...sums], column).toEqual(counts);
        expect(nans, column).toBe(nan);
      }
    },
  );
});
