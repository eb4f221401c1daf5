import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, describe, expect, it } from "vitest";
import { findTables, openTable, partitionTypes } from "../src/index.ts";
import { cells } from "./tables.ts";

const folder = mkdtempSync(join(tmpdir(), "polybin-partitions-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(path: string, content: string | Uint8Array): string {
  const whole = join(folder, path);
  mkdirSync(join(whole, ".."), { recursive: true });
  writeFileSync(whole, content);
  return whole;
}

const csv = file("year=2024/month=01/city=S%C3%A3o%20Paulo/a.csv", "x\n1\n2\n");
const parquet = file(
  "year=2025/month=02/city=__HIVE_DEFAULT_PARTITION__/b.parquet",
  new Uint8Array(parquetWriteBuffer({ columnData: [{ name: "x", data: [3, 4], type: "INT32" }] })),
);
file("year=2024/month=01/_SUCCESS", "");
file("year=2024/month=01/notes.txt", "text");
file("year=2024/.hidden/c.csv", "x\n9\n");
const types = partitionTypes([csv, parquet]);

describe("folders", () => {
  it("state columns, behind those of the file", async () => {
    expect(types).toEqual({ year: "i32", month: "i32", city: "string" });
    await using table = await openTable(csv, { partitions: types });
    expect(table.columns.map(({ name }) => name)).toEqual(["x", "year", "month", "city"]);
    const all = { x: [1, 2], year: [2024, 2024], month: [1, 1], city: ["São Paulo", "São Paulo"] };
    expect(await cells(table)).toEqual(all);
    expect(await cells(table, { columns: ["city", "x"] })).toEqual({ city: all.city, x: all.x });
    expect(await cells(table, { columns: ["month"], parts: [0] })).toEqual({ month: all.month });
    expect(table.parts![0]!.statistics("year")).toEqual({ min: 2024, max: 2024, nulls: 0, distinct: 1 });
    await using own = await openTable(csv);
    expect(await cells(own)).toEqual(all);
    await using none = await openTable(csv, { partitions: false });
    expect(await cells(none)).toEqual({ x: [1, 2] });
  });

  it("state nulls, and columns of files with counts", async () => {
    await using table = await openTable(parquet, { partitions: types });
    expect(await cells(table)).toEqual({ x: [3, 4], year: [2025, 2025], month: [2, 2], city: [null, null] });
    const counted = async (columns: string[]) => {
      const found: unknown[] = [];
      for await (const batch of table.readCounts!({ columns }))
        found.push(...batch.columns.map(({ name, rows, nulls }) => [name, rows, nulls]));
      return found;
    };
    expect(await counted(["x"])).toEqual([["x", 2, 0]]);
    expect(await counted(["city", "x"])).toEqual([
      ["city", 2, 2],
      ["x", 2, 0],
    ]);
  });

  it.each<[string[], object]>([
    [["/a=1/f", "/a=007/f"], { a: "i32" }],
    [["/a=1/f", "/a=3000000000/f"], { a: "i64" }],
    [["/a=1/f", "/a=x/f"], { a: "string" }],
    [["/d=2024-01-31/f", "/d=2024-02-29/f"], { d: "date" }],
    [["/d=2024-02-30/f"], { d: "string" }],
    [["/a=1/f", "/b=1/f"], {}],
    [["/a=1/a=2/f"], {}],
    [["/a=1/a=2/f", "/b=1/f"], {}],
    [["s3://bucket/a=1/f", "https://host/a=2/f?b=3"], { a: "i32" }],
    [["a=1.csv", "x/=1/f", "-"], {}],
    [["/a=__HIVE_DEFAULT_PARTITION__/f"], { a: "string" }],
  ])("%j have the types %j", (places, expected) => {
    expect(partitionTypes(places)).toEqual(expected);
  });

  it("that do not fit, and columns that the file has", async () => {
    const odd = file("year=x/a.csv", "x\n1\n");
    await expect(openTable(odd, { partitions: { year: "i32" } })).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringMatching(
        /expected i32 in folder year=x; pass partitions: \{ "year": "string" \}/,
      ),
    });
    await expect(openTable(odd, { partitions: { year: "f64" } as never })).rejects.toThrow(/for partitions/);
    await using table = await openTable(file("x=5/a.csv", "x\n1\n"));
    expect(await cells(table)).toEqual({ x: [1] });
  });
});

describe("places", () => {
  it("are folders and patterns, in the order of their names", async () => {
    expect(await findTables(folder)).toEqual(expect.arrayContaining([csv, parquet]));
    expect(await findTables(join(folder, "year=2024"))).toEqual([csv]);
    expect(await findTables(join(folder, "year=*/**/*.{csv,parquet}"))).toEqual(
      expect.arrayContaining([csv, parquet]),
    );
    expect(await findTables(join(folder, "year=2024/*/*/?.csv"))).toEqual([csv]);
    expect(await findTables(join(folder, "year=2024/*/notes.*"))).toEqual([
      join(folder, "year=2024/month=01/notes.txt"),
    ]);
    for (const place of [csv, "-", "https://host/*.csv", join(folder, "none.csv")])
      expect(await findTables(place)).toEqual([place]);
  });

  it("have names with characters of patterns, and links", async () => {
    const odd = file("odd/a[1].csv", "x\n1\n");
    expect(await findTables(odd)).toEqual([odd]);
    symlinkSync(csv, join(folder, "odd/link.csv"));
    // A circle ends nowhere.
    symlinkSync(folder, join(folder, "odd/loop"));
    expect(await findTables(join(folder, "odd"))).toEqual([odd, join(folder, "odd/link.csv")]);
  });

  it("without tables, or that are not allowed, are refused", async () => {
    const empty = join(folder, "year=2024/month=01/empty");
    mkdirSync(empty);
    await expect(findTables(empty)).rejects.toThrow(
      /expected a folder with files that end in .*\.parquet.* but found none/,
    );
    await expect(findTables(join(folder, "*.orc"))).rejects.toThrow(/files of this pattern but found none/);
    await expect(findTables(folder, { allow: [empty] })).rejects.toThrow(/lies outside/);
    await expect(findTables(join(folder, "*"), { allow: [empty] })).rejects.toThrow(/lies outside/);
  });
});
