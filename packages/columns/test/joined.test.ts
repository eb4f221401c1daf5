import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { openEngine } from "@polybin/core";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, describe, expect, it } from "vitest";
import { compare, histogram, joint, openTable, openTables, profile } from "../src/index.ts";
import { plain } from "./count/plain.ts";
import { cells } from "./tables.ts";

const folder = mkdtempSync(join(tmpdir(), "polybin-joined-"));
afterAll(() => rmSync(folder, { recursive: true }));
const engine = await openEngine();
afterAll(() => engine.close());

function file(path: string, content: string | Uint8Array): string {
  const whole = join(folder, path);
  mkdirSync(join(whole, ".."), { recursive: true });
  writeFileSync(whole, content);
  return whole;
}

const ROWS = 1000;
const x = Float64Array.from({ length: ROWS }, (_, i) => Math.sin(i) * 50);
const g = Array.from({ length: ROWS }, (_, i) => ["b", "a", "c"][(i >> 3) % 3]!);

/** Parquet of some rows, in row groups of 100. */
function parquet(from: number, to: number): Uint8Array {
  const columnData = [
    { name: "x", data: x.subarray(from, to), type: "DOUBLE" as const },
    { name: "g", data: g.slice(from, to), type: "STRING" as const },
    { name: "day", data: Array.from({ length: to - from }, (_, i) => from + i), type: "INT32" as const },
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 100 }));
}

const csv = (from: number, to: number): string =>
  `x,g,day\n${Array.from({ length: to - from }, (_, i) => `${x[from + i]},${g[from + i]},${from + i}`).join("\n")}\n`;

const cuts = [0, 130, 131, 600, ROWS];
for (const [i, from] of cuts.slice(0, -1).entries()) {
  const to = cuts[i + 1]!;
  const part = i < 2 ? 1 : 2;
  file(`parquet/part=${part}/${i}.parquet`, parquet(from, to));
  file(`csv/part=${part}/${i}.csv`, csv(from, to));
  file(`packed/${i}.csv.gz`, gzipSync(csv(from, to)));
}
file("parquet/_SUCCESS", "");
const all = { x: [...x], g };
const part = Array.from({ length: ROWS }, (_, i) => (i < 131 ? 1 : 2));

describe.each([
  ["a folder of Parquet", join(folder, "parquet"), {}],
  ["a folder of CSV", `${join(folder, "csv")}/`, { partBytes: 2000 }],
  ["a pattern", join(folder, "parquet/**/*.parquet"), {}],
  ["a folder's URL", pathToFileURL(`${folder}/csv/`), {}],
])("%s", (_, place, opening) => {
  it("is one table with the folders' columns", async () => {
    await using table = await openTable(place, opening);
    expect(table.columns.map(({ name }) => name)).toEqual(["x", "g", "day", "part"]);
    expect(await cells(table, { columns: ["part", "x", "g"] })).toEqual({ part, ...all });
    expect(table.name).toBe(String(place));
    // The same parts, in any choice, have the same rows.
    const own: number[] = [];
    for (const { index } of table.parts!) {
      const { x: some } = await cells(table, { columns: ["x"], parts: [index] });
      own.push(...(some as number[]));
    }
    expect(own).toEqual(all.x);
    const odd = table.parts!.map(({ index }) => index).filter((index) => index % 2 === 1);
    const found: (number | null)[] = [];
    for await (const batch of table.read({ columns: ["x"], parts: odd })) found.push(batch.part);
    expect([...new Set(found)]).toEqual(odd);
    await expect(cells(table, { columns: ["x"], parts: [table.parts!.length] })).rejects.toMatchObject({
      code: "ERR_INPUT",
    });
  });

  it("counts as in memory", async () => {
    const wanted = await engine.histogram(x, { bins: 20 });
    for (const keepBytes of [0, 3000, 1e8]) {
      const options = { ...opening, column: "x", bins: 20, keepBytes };
      expect(plain(await histogram(engine, place, options))).toEqual(plain(wanted));
    }
    const codes = Uint32Array.from(g, (one) => "abc".indexOf(one));
    const by = await histogram(engine, place, { ...opening, column: "x", bins: 4, by: "g", keepBytes: 0 });
    const grouped = await engine.histogram(x, { bins: 4, by: { codes, groups: 3 } });
    expect(plain(by)).toEqual(plain(grouped));
    const axes = [{ bins: 5 }, { bins: 2 }];
    const two = await joint(engine, place, { ...opening, columns: ["x", "part"], axes });
    const parts = BigInt64Array.from(part, BigInt);
    expect([...two.counts]).toEqual([...(await engine.joint([x, parts], { axes })).counts]);
  });

  it("has a profile", async () => {
    const { rows, files, columns } = await profile(engine, place, opening);
    expect([rows, files.length]).toEqual([ROWS, 4]);
    expect(columns.find(({ name }) => name === "x")).toMatchObject({ min: Math.min(...x), nulls: 0 });
    expect(columns.find(({ name }) => name === "part")).toMatchObject({ min: 1, max: 2 });
    const { columns: changes } = await compare(engine, place, place, opening);
    expect(changes.find(({ name }) => name === "x")).toMatchObject({ distance: { low: 0, high: 0 } });
  });

  it("tells how far it was read", async () => {
    await using table = await openTable(place, opening);
    const seen: number[] = [];
    let total: number | null = 0;
    const onProgress = ({
      rows,
      bytes,
      totalBytes,
    }: {
      rows: number;
      bytes: number;
      totalBytes: number | null;
    }) => {
      seen.push(rows + bytes / 1e9);
      total = totalBytes === null ? null : totalBytes - bytes;
    };
    for await (const _ of table.read({ columns: ["x"], onProgress }));
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(Math.floor(seen.at(-1)!)).toBe(ROWS);
    // The lines of names are no rows.
    expect(total).toBeLessThanOrEqual(4 * 8);
  });
});

it("is unpacked, and mixes formats", async () => {
  await using packed = await openTable(join(folder, "packed"));
  expect(await cells(packed, { columns: ["x", "g"] })).toEqual(all);
  const wanted = await engine.histogram(x, { bins: 20 });
  expect(plain(await histogram(engine, packed, { column: "x", bins: 20, keepBytes: 0 }))).toEqual(
    plain(wanted),
  );
  file("mixed/a.parquet", parquet(0, 500));
  file("mixed/b.csv", csv(500, ROWS));
  await using mixed = await openTable(join(folder, "mixed"));
  expect(mixed.format).toBe("parquet, csv");
  let rows = 0;
  for await (const batch of mixed.readCounts!({ columns: ["x"], rows: ["x"] })) rows += batch.rows;
  expect(rows).toBe(ROWS);
  const { x: values } = await cells(mixed, { columns: ["x"] });
  expect(values).toEqual(all.x);
});

it("counts days that files store in 32 bits and in 64", async () => {
  const days = Array.from({ length: 10 }, (_, i) => new Date(Date.UTC(2024, 0, 1 + i)));
  const columnData = [{ name: "d", data: days }];
  const schema = [
    { name: "root", num_children: 1 },
    {
      name: "d",
      type: "INT32" as const,
      converted_type: "DATE" as const,
      repetition_type: "REQUIRED" as const,
    },
  ];
  file("days/b.parquet", new Uint8Array(parquetWriteBuffer({ columnData, schema })));
  file("days/a.csv", `d\n${days.map((day) => day.toISOString().slice(0, 10)).join("\n")}\n`);
  const h = await histogram(engine, join(folder, "days"), { column: "d", bins: 5 });
  expect([...h.counts]).toEqual([4, 4, 4, 4, 4]);
});

it("refuses a column that files do not share, and counts the others", async () => {
  file("unlike/a.csv", "x,y,z\n1,1,a\n");
  file("unlike/b.csv", "x,y\n2,1.5 m\n");
  const place = join(folder, "unlike");
  expect([...(await histogram(engine, place, { column: "x", bins: 2 })).counts]).toEqual([1, 1]);
  await expect(histogram(engine, place, { column: "y" })).rejects.toMatchObject({
    code: "ERR_UNSUPPORTED",
    message: expect.stringMatching(
      /"y" cannot be read: expected one type in all files but it is i\d+ in .*a\.csv and string in .*b\.csv; pass types: \{ "y": "string" \}/,
    ),
  });
  await expect(histogram(engine, place, { column: "z" })).rejects.toThrow(
    /all files but .*a\.csv has it and .*b\.csv does not/,
  );
  await using stated = await openTable(place, { types: { y: "string" } });
  expect(await cells(stated, { columns: ["y"] })).toEqual({ y: ["1", "1.5 m"] });
  await expect(profile(engine, place)).rejects.toThrow(/but found i32 in .* and string in .*; pass types/);
  // A profile counts each column where it is.
  const { columns } = await profile(engine, place, { types: { y: "string" } });
  expect(columns.map(({ name }) => name)).toEqual(["x", "y", "z"]);
});

describe("types that files of text show differently", () => {
  const types = async (place: string, options = {}) => {
    await using table = await openTable(place, options);
    const named = table.columns.map(({ name, type }) => [
      name,
      type.kind === "number" ? type.type : type.kind === "timestamp" ? type.unit : type.kind,
    ]);
    return { columns: Object.fromEntries(named), guessed: table.guessed ?? {}, values: await cells(table) };
  };

  it("are the wider one, as one file with all rows has it", async () => {
    const texts = [
      "a,b,c,t,u\n1,1,9007199254740993,2024-01-01T00:00:00.5,x\n",
      "a,b,c,t,u\n2.5,9999999999,5,2024-01-01T00:00:00.000001,7\n",
      "a,b,c,t\n-3,2,5,2024-01-01T00:00:00\n",
    ];
    for (const [i, text] of texts.entries()) file(`wider/${i}.csv`, text);
    const found = await types(join(folder, "wider"));
    const rows = texts.map((text) => text.split("\n")[1]!.split(",").slice(0, 4).join());
    const one = await types(file("wider-one.csv", `a,b,c,t\n${rows.join("\n")}\n`));
    expect(one.columns).toEqual({ a: "f64", b: "i64", c: "i64", t: "us" });
    expect(found.columns).toEqual({ ...one.columns, u: "refused" });
    expect(found.values).toEqual(one.values);
    expect(found.guessed).toEqual({ types: { a: "f64", b: "i64", c: "i64", t: "timestamp[us]" } });
    const each = await openTables(join(folder, "wider"));
    expect(each.map(({ guessed }) => guessed)).toEqual([
      { types: { a: "f64", b: "i64", t: "timestamp[us]" } },
      { types: { c: "i64" } },
      { types: { a: "f64", b: "i64", c: "i64", t: "timestamp[us]" } },
    ]);
    await Promise.all(each.map((table) => table.close()));
    const stated = await types(join(folder, "wider"), {
      types: { a: "f32", b: "f32", c: "f32", t: "string" },
    });
    expect([stated.columns.a, stated.guessed]).toEqual(["f32", {}]);
  });

  it("are one of many files, of JSON lines and packed ones, too", async () => {
    for (let i = 0; i < 140; i++) file(`many-wide/${i}.jsonl`, `{"o":{"x":${i === 70 ? "0.5" : i}}}\n`);
    const many = await types(join(folder, "many-wide"));
    expect(many.columns).toEqual({ o: "refused", "o.x": "f64" });
    expect(many.values["o.x"]).toHaveLength(140);
    file("packed-wide/a.csv.gz", gzipSync("x\n1\n"));
    file("packed-wide/b.csv", "x\n0.5\n");
    expect((await types(join(folder, "packed-wide"))).values).toEqual({ x: [1, 0.5] });
  });

  it("are refused if none reads all, or if other formats state them", async () => {
    for (const [i, [one, other]] of [
      ["-1", "18446744073709551615"],
      ["2024-01-01T00:00:00", "2024-01-01T00:00:00.000001Z"],
      ["true", "2"],
      ["1", "2024-01-01"],
    ].entries()) {
      file(`apart/${i}/a.csv`, `x\n${one}\n`);
      file(`apart/${i}/b.csv`, `x\n${other}\n`);
      expect([i, (await types(join(folder, `apart/${i}`))).columns]).toEqual([i, { x: "refused" }]);
    }
    file("apart/parquet/a.parquet", parquet(0, 10));
    file("apart/parquet/b.csv", "x,g,day\n1,a,0.5\n");
    expect((await types(join(folder, "apart/parquet"))).columns).toMatchObject({
      ...{ x: "refused", day: "refused" },
    });
    const wrong = openTable(join(folder, "wider"), { wider: 5 } as never);
    await expect(wrong).rejects.toMatchObject({ code: "ERR_INPUT" });
  });

  it("are those of every call", async () => {
    file("calls/a.csv", "x,g\n1,a\n2,b\n");
    file("calls/b.csv", "x,g\n0.5,a\n");
    const place = join(folder, "calls");
    const h = await histogram(engine, place, { column: "x", bins: 3, range: [0, 3] });
    expect([...h.counts]).toEqual([1, 1, 1]);
    const { columns } = await profile(engine, place);
    expect(columns[0]).toMatchObject({ name: "x", type: "f64", min: 0.5, max: 2 });
  });
});

it("fails as one file does", async () => {
  await expect(openTable(join(folder, "none/*.csv"))).rejects.toThrow(/files of this pattern but found none/);
  await expect(openTable(folder, { allow: [join(folder, "csv")] })).rejects.toThrow(/lies outside/);
  file("bad/a.csv", "x\n1\n");
  file("bad/b.parquet", "PAR1 and nothing else");
  await expect(openTable(join(folder, "bad"))).rejects.toMatchObject({
    code: "ERR_INPUT",
    message: expect.stringContaining("b.parquet"),
  });
  await using table = await openTable(join(folder, "csv"), { partBytes: 2000 });
  const abort = new AbortController();
  const read = async () => {
    for await (const _ of table.read({ columns: ["x"], signal: abort.signal })) abort.abort();
  };
  await expect(read()).rejects.toMatchObject({ name: "AbortError" });
  await expect(openTables([])).rejects.toMatchObject({ code: "ERR_INPUT" });
});

it("keeps few of many files open, and sees that one changed", async () => {
  const many = Array.from({ length: 140 }, (_, i) =>
    file(`many/${String(i).padStart(3, "0")}.csv`, `x\n${i}\n`),
  );
  await using table = await openTable(join(folder, "many"));
  const wanted = many.map((_, i) => i);
  expect(await cells(table)).toEqual({ x: wanted });
  expect((await cells(table, { columns: ["x"], parts: [1, 70, 139] })).x).toEqual([1, 70, 139]);
  for await (const _ of table.read()) break;
  expect([...(await histogram(engine, table, { column: "x", bins: 2, keepBytes: 0 })).counts]).toEqual([
    70, 70,
  ]);
  utimesSync(many[7]!, 1, 1);
  await expect(cells(table)).rejects.toMatchObject({
    code: "ERR_INPUT",
    message: expect.stringMatching(/007\.csv: expected the same content in every read but it changed/),
  });
});

it("is one file where a folder has one", async () => {
  const path = file("one/year=2024/a.csv", "x\n1\n2\n");
  symlinkSync(path, join(folder, "one/link.txt"));
  await using table = await openTable(join(folder, "one"));
  expect([table.name, await cells(table)]).toEqual([path, { x: [1, 2], year: [2024, 2024] }]);
});
