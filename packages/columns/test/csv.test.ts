import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEngine, regular } from "@polybin/core";
import { afterAll, describe, expect, it } from "vitest";
import { openTable } from "../src/index.ts";
import { cells, failure, read } from "./tables.ts";

const csv = { format: "csv" } as const;
const folder = mkdtempSync(join(tmpdir(), "polybin-columns-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("types", () => {
  const typesOf = async (text: string, options = {}) => {
    await using table = await openTable(Buffer.from(text), { ...csv, ...options });
    return table.columns.map(({ type }) => type);
  };

  it.each([
    ["1\n-2\n+3\n", { kind: "number", type: "i32" }],
    ["2147483648\n", { kind: "number", type: "i64" }],
    ["-2147483648\n", { kind: "number", type: "i32" }],
    ["9223372036854775808\n", { kind: "number", type: "u64" }],
    ["-1\n9223372036854775808\n", { kind: "number", type: "i64" }],
    ["1\n2.5\n", { kind: "number", type: "f64" }],
    ["1e3\ninf\nNaN\n", { kind: "number", type: "f64" }],
    ["true\nFALSE\n", { kind: "boolean" }],
    ["0x10\n", { kind: "string" }],
    ["2026-02-28\n", { kind: "date", unit: "day" }],
    ["2026-02-30\n", { kind: "string" }],
    ["2026-01-02 03:04\n", { kind: "timestamp", unit: "ms", timezone: null }],
    ["2026-01-02T03:04:05.1234Z\n", { kind: "timestamp", unit: "us", timezone: "UTC" }],
    ["2026-01-02T03:04:05.1234567\n", { kind: "timestamp", unit: "ns", timezone: null }],
    ["2026-01-02T03:04:05Z\n2026-01-02T03:04:05\n", { kind: "string" }],
    ["NA\nNULL\n\n", { kind: "string" }],
    ["1\nx\n", { kind: "string" }],
    // A number would lose the zeros of a code.
    ["007\n12\n", { kind: "string" }],
    ["1\n-01\n", { kind: "string" }],
    ["00.5\n", { kind: "string" }],
    ["0\n0.5\n-0\n", { kind: "number", type: "f64" }],
    ["2026-01-02\n", { kind: "date", unit: "day" }],
  ])("of %j", async (text, type) => {
    expect(await typesOf(text, { header: false })).toEqual([type]);
  });

  it("are overridden by name", async () => {
    expect(await typesOf("a,b\n1,2\n", { types: { b: "f32", a: "string" } })).toEqual([
      { kind: "string" },
      { kind: "number", type: "f32" },
    ]);
    expect(await failure("a\n1\n", { ...csv, types: { toString: "f64" } as never })).toMatch(
      /^ERR_INPUT .*one of "a"/,
    );
    expect(await failure("a\n1\n", { ...csv, types: { a: "float" as never } })).toMatch(
      /^ERR_INPUT expected one of u8, i8/,
    );
  });
});

describe("values", () => {
  it("are whole in records that are longer than the parser's chunks", async () => {
    const texts = [10, 32_760, 32_766, 32_767, 32_768, 40_000, 65_536, 5, 300_000, 1].flatMap((length) => [
      "a".repeat(length),
      `"${"\n,".repeat(length / 2)}`,
    ]);
    const lines = texts.map((text, i) => `${i},"${text.replaceAll('"', '""')}"\n`);
    for (const threads of [0, 1]) {
      const rows = await read(`n,x\n${lines.join("")}`, { ...csv, threads, quotedNewlines: true });
      expect(rows).toEqual({ n: texts.map((_, i) => i), x: texts });
    }
    expect(await failure(`n,x\n${lines.join("")}7\n`, { ...csv, quotedNewlines: true })).toMatch(
      /line \d+: expected 2 fields but found 1/,
    );
  });

  it.each(["x\n", "x\r\n", "\ufeffx\n"])("follow the names %j that alone fit the sample", async (header) => {
    // The first record with data ends after the first MiB, which types and names are inferred from.
    const long = "a".repeat(1_100_000);
    expect(await read(`${header}${long}\nb\n`, csv)).toEqual({ x: [long, "b"] });
  });

  it("keep 64-bit integers exactly and refuse longer ones with their line", async () => {
    const text =
      "a,b\n9007199254740993,18446744073709551615\n-9223372036854775808,0\n9223372036854775807,1\n";
    expect(await read(text, csv)).toEqual({
      a: [9007199254740993n, -9223372036854775808n, 9223372036854775807n],
      b: [18446744073709551615n, 0n, 1n],
    });
    expect(await failure("a\n1\n\n18446744073709551616\n", { ...csv, header: true })).toMatch(
      /^ERR_INPUT bytes: line 4: expected i64 in column "a" but found "18446744073709551616"; pass types: \{ "a": "f64" \}/,
    );
    expect(await failure("a\n256\n", { ...csv, types: { a: "u8" } })).toMatch(/line 2: expected u8 .* "i64"/);
  });

  it("are NumPy's doubles, with -0, NaN and infinities", async () => {
    const texts = [
      "0.1",
      "-0",
      "-0.0",
      "1e400",
      "-inf",
      "+Infinity",
      "nan",
      "4.9e-324",
      "0.30000000000000004",
      " 7 ",
      ".5",
      "5.",
    ];
    const { a } = await read(`a\n${texts.join("\n")}\n`, { ...csv, types: { a: "f64" } });
    expect(a).toEqual([
      0.1,
      -0,
      -0,
      Infinity,
      -Infinity,
      Infinity,
      NaN,
      5e-324,
      0.30000000000000004,
      7,
      0.5,
      5,
    ]);
    for (const text of ["0x10", "0b1", "0o7", "1_000", "1,000", "--1", "1e", " 0x1", "e5", "+"]) {
      expect(await failure(`a\n"${text}"\n`, { ...csv, types: { a: "f64" } }), text).toMatch(
        /^ERR_INPUT .*line 2: expected f64/,
      );
    }
  });

  it("are points in time in the column's unit, in UTC if they have an offset", async () => {
    const { a, d } = await read(
      "a,d\n2026-01-02T03:04:05.25+02:00,0001-01-01\n1969-12-31T23:59:59.999Z,2024-02-29\n",
      csv,
    );
    expect(a).toEqual([BigInt(Date.parse("2026-01-02T03:04:05.25+02:00")), -1n]);
    expect(d).toEqual([-719162, 19782]);
    const { n } = await read("n\n2026-01-02T03:04:05.123456789\n1700-01-01T00:00:00.000000001\n", csv);
    expect(n).toEqual([1767323045123456789n, -8520336000000000000n + 1n]);
    expect(await failure("n\n9999-01-01T00:00:00\n", { ...csv, types: { n: "timestamp[ns]" } })).toMatch(
      /line 2/,
    );
    expect(await failure("n\n2026-01-01T00:00:00.1234\n", { ...csv, types: { n: "timestamp[ms]" } })).toMatch(
      /line 2.*timestamp\[us\]/,
    );
  });

  it("are nulls by their spelling", async () => {
    const text = "n,s\n1,NA\n,\nNA,\\N\n\\N,x\nnull,null\n";
    expect(await read(text, csv)).toEqual({
      n: [1, null, null, null, null],
      s: ["NA", null, "\\N", "x", "null"],
    });
    expect(await read("n,s\n1,-\n-,x\n", { ...csv, nulls: ["-"] })).toEqual({ n: [1, null], s: [null, "x"] });
    expect(await read("n\n\n1\n\n", { ...csv, header: true })).toEqual({ n: [null, 1, null] });
  });
});

describe("a header", () => {
  const namesOf = async (text: string) => {
    await using table = await openTable(Buffer.from(text), csv);
    return table.columns.map(({ name }) => name);
  };

  it.each([
    ["id,2019,2020\n1,5,6\n2,7,8\n", ["id", "2019", "2020"]],
    // A name over numbers shows it, although the values could be years.
    ["id,2019,2020\n1,1800,2000\n2,1900,2100\n", ["id", "2019", "2020"]],
    ["country,2019,2020\nFrance,5.5,6\nPeru,,8\n", ["country", "2019", "2020"]],
    [",2020,2019\nFrance,5,6\n", ["column 1", "2020", "2019"]],
    ["code,name\n007,Bond\n", ["code", "name"]],
  ])("of years is noticed: %j", async (text, names) => {
    expect(await namesOf(text)).toEqual(names);
  });

  it.each([
    // A name, a year of birth and a year of death.
    "Ada,1815,1852\nAlan,1912,1954\n",
    "Ada,2019,2019\nAlan,5,6\n",
    "2019,2020\n5,6\n",
    "a,2019,5\nb,6,7\n",
    "a,2019\n",
    "007,Bond\n008,Bill\n",
  ])("is not made of values: %j", async (text) => {
    const names = await namesOf(text);
    expect(names).toEqual(names.map((_, i) => `column ${i + 1}`));
  });
});

describe("dialects", () => {
  it("are found or stated", async () => {
    const rows = { a: [1, 2], b: ["x", "y"] };
    expect(await read("a;b\n1;x\n2;y\n", csv)).toEqual(rows);
    expect(await read("a\tb\r\n1\tx\r\n2\ty\r\n", csv)).toEqual(rows);
    expect(await read("a|b\r1|x\r2|y", csv)).toEqual(rows);
    expect(await read("\ufeffa,b\n1,x\n2,y\n", csv)).toEqual(rows);
    expect(await read("a#b\n1#x\n2#y\n", { ...csv, separator: "#" })).toEqual(rows);
    expect(await read("1,x\n2,y\n", { ...csv, header: ["a", "b"] })).toEqual(rows);
    expect(await read("a,b\n1,'x'\n2,y\n", { ...csv, quote: "'" })).toEqual(rows);
    expect(await read("1,x\n2,y\n", csv)).toEqual({ "column 1": [1, 2], "column 2": ["x", "y"] });
    expect(await read("a,a,\n1,2,3\n", csv)).toEqual({ a: [1], "a 2": [2], "column 3": [3] });
  });

  it("have quoted separators, quotation marks and line breaks", async () => {
    const text = 'a,b\n1,"x, y"\r\n2,"say ""hi"""\n3,"two\r\nlines"\n4,""\n';
    expect((await read(text, csv)).b).toEqual(["x, y", 'say "hi"', "two\r\nlines", null]);
    expect(await read('a,b\n1,5" pipe\n2,6" pipe\n', { ...csv, quote: null })).toEqual({
      a: [1, 2],
      b: ['5" pipe', '6" pipe'],
    });
    expect(await failure('a,b\n"3",z\n1,"x\n2,y\n', csv)).toMatch(/^ERR_INPUT .*not closed.*quote: null/);
    expect(await failure('a,b\n1,"2"\n3,"x"y\n', csv)).toMatch(/^ERR_INPUT bytes: line 3/);
  });

  it("have one encoding", async () => {
    expect(
      await read(Buffer.from("a\ncafé\n", "latin1"), { ...csv, encoding: "latin1", header: true }),
    ).toEqual({ a: ["café"] });
    expect(await failure(Buffer.from("a\nx\ncafé\n", "latin1"), { ...csv, header: true })).toMatch(
      /^ERR_INPUT .*line 3.*latin1/,
    );
    expect(await failure(Buffer.from("\ufeffa\n1\n", "utf16le"), csv)).toMatch(/^ERR_UNSUPPORTED .*iconv/);
    expect(await failure(Buffer.from("a\n1\n", "utf16le"), csv)).toMatch(/^ERR_UNSUPPORTED .*utf-16le/);
    expect(await failure(Buffer.from("a\n1\n", "utf16le").swap16(), csv)).toMatch(
      /^ERR_UNSUPPORTED .*utf-16be/,
    );
    for (const [magic, program] of [
      ["fd377a585a00", "xz"],
      ["425a6839314159265359", "bzip2"],
    ] as const) {
      for (const options of [csv, {}])
        expect(await failure(Buffer.from(magic, "hex"), options)).toMatch(
          new RegExp(`^ERR_UNSUPPORTED .*as a stream: ${program} -d?c FILE`),
        );
    }
    expect(await read(Buffer.from("BZh,b\n1,2\n"), csv)).toEqual({ BZh: [1], b: [2] });
    expect(await failure(Uint8Array.of(97, 0, 10), csv)).toMatch(/^ERR_INPUT .*binary/);
  });
});

describe("files without rows, or with wrong ones", () => {
  it("are empty tables or coded errors", async () => {
    expect(await read("", csv)).toEqual({});
    expect(await read("a,b\n", csv)).toEqual({});
    await using table = await openTable(Buffer.from("a,b"), csv);
    expect(table.columns.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(await read("\n\na,b\n\n1,2\n\n", csv)).toEqual({ a: [1], b: [2] });
    expect(await failure("a,b\n1,2\n\n3\n", csv)).toMatch(
      /^ERR_INPUT bytes: line 4: expected 2 fields but found 1/,
    );
    expect(await failure("a,b\n1,2,3\n", csv)).toMatch(/line 2: expected 2 fields but found 3/);
  });

  it("have at most 16,384 columns", async () => {
    const wide = `${Array.from({ length: 1_000_000 }, (_, i) => `c${i}`).join(",")}\n`;
    expect(await failure(wide, csv)).toMatch(
      /^ERR_LIMIT bytes: expected at most 16384 columns but found 1000000/,
    );
  });

  it("refuse options of other formats and unknown ones", async () => {
    expect(await failure("a\n1\n", { ...csv, flatten: true })).toMatch(
      /^ERR_INPUT .*flatten, which other formats have/,
    );
    expect(await failure("a\n1\n", { ...csv, seperator: ";" } as never)).toMatch(/did you mean separator/);
    expect(await failure("a\n1\n", { ...csv, separator: ",," })).toMatch(/one ASCII character/);
    expect(await failure("a\n1\n", {})).toMatch(/^ERR_UNSUPPORTED .*pass format: one of .*csv/);
    expect(await failure("a\n1\n", { format: "xls" })).toMatch(/^ERR_UNSUPPORTED .*one of .*csv/);
  });
});

/** Rows with quoted line breaks, of different lengths. */
function generated(rows: number, quotedBreaks: boolean): { text: string; price: (number | null)[] } {
  let seed = 7;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  const price: (number | null)[] = [];
  let text = "id,price,note\n";
  for (let i = 0; i < rows; i++) {
    const value = random() < 0.1 ? null : Math.round(random() * 1e6) / 1e3;
    price.push(value);
    const note =
      quotedBreaks && random() < 0.2
        ? `"a\n${"b".repeat(Math.floor(random() * 30))}\n""c"""`
        : "x".repeat(Math.floor(random() * 30));
    text += `${i},${value ?? ""},${note}\n`;
  }
  return { text, price };
}

describe("parts", () => {
  it("begin and end between records, wherever they are cut", async () => {
    const { text, price } = generated(500, false);
    for (const partBytes of [64, 100, 997, 4096, 1_000_000]) {
      await using table = await openTable(Buffer.from(text), { ...csv, partBytes });
      const { parts } = table;
      expect(parts!.length).toBe(Math.ceil(text.length / partBytes));
      expect(parts!.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(text.length);
      expect((await cells(table, { columns: ["price"] })).price).toEqual(price);
      const apart = [];
      for (const { index } of parts!)
        apart.push(...((await cells(table, { columns: ["price"], parts: [index] })).price ?? []));
      expect(apart).toEqual(price);
    }
  });

  it("may lie before the first record, inside a long header, or inside a long record", async () => {
    const names = ["id", "x".repeat(150), "note"];
    const ids = Array.from({ length: 30 }, (_, i) => i);
    const text = `\n\n${names.join(",")}\n${ids.map((i) => `${i},1,${i % 5 === 0 ? "y".repeat(300) : "z"}\n`).join("")}`;
    await using table = await openTable(Buffer.from(text), { ...csv, partBytes: 64 });
    expect((await cells(table)).id).toEqual(ids);
    const apart = [];
    for (const { index } of table.parts!) apart.push(...((await cells(table, { parts: [index] })).id ?? []));
    expect(apart).toEqual(ids);
    async function* bytes() {
      for (const byte of Buffer.from(text)) yield Uint8Array.of(byte);
    }
    await using stream = await openTable(bytes(), { ...csv, partBytes: 64 });
    expect((await cells(stream)).id).toEqual(ids);
  });

  it("hold the same rows alone and in a whole read", async () => {
    const { text } = generated(300, false);
    await using table = await openTable(Buffer.from(text), { ...csv, partBytes: 512 });
    for await (const batch of table.read()) {
      const alone = await cells(table, { parts: [batch.part!] });
      expect(alone.id).toHaveLength(batch.rows);
      expect(alone.id![0]).toBe((batch.columns[0] as { values: Int32Array }).values[0]);
    }
  });

  it("are read whole with quoted line breaks, and refused alone where one is cut", async () => {
    const { text, price } = generated(500, true);
    await using table = await openTable(Buffer.from(text), { ...csv, partBytes: 256 });
    expect((await cells(table)).price).toEqual(price);
    const refusals: string[] = [];
    for (const { index } of table.parts!) {
      await cells(table, { parts: [index] }).catch(({ code, message }) =>
        refusals.push(`${code} ${message}`),
      );
    }
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals[0]).toMatch(/^ERR_INPUT .*quotedNewlines: true/);
    await using one = await openTable(Buffer.from(text), { ...csv, partBytes: 256, quotedNewlines: true });
    expect(one.parts).toHaveLength(1);
    expect((await cells(one, { parts: [0] })).price).toEqual(price);
  });

  it("name the line of a wrong record in a late part, with quoted line breaks before it", async () => {
    const { text } = generated(500, true);
    const line = text.split("\n").length;
    expect(await failure(`${text}7,oops,x\n`, { ...csv, partBytes: 512, types: { price: "f64" } })).toMatch(
      new RegExp(`^ERR_INPUT bytes: line ${line}: expected f64 in column "price" but found "oops"`),
    );
    async function* stream() {
      yield Buffer.from(text);
      yield Buffer.from("7,oops,x\n");
    }
    await using table = await openTable(stream(), { ...csv, partBytes: 512, types: { price: "f64" } });
    expect(table.parts).toBeNull();
    await expect(cells(table)).rejects.toThrow(`stream: line ${line}: expected f64`);
  });

  it("name the first wrong record, although the end of the file is read before it is decoded", async () => {
    const text = `a,b\n${"1,2\n".repeat(20)}x,y\n${"1,2\n".repeat(20)}"open,2\n`;
    const types = { a: "i32", b: "i32" } as const;
    for (const threads of [0, 2])
      expect(await failure(text, { ...csv, types, threads, partBytes: 64 })).toContain("line 22:");
  });

  it("refuse indices that do not exist, descend or repeat", async () => {
    await using table = await openTable(Buffer.from("a\n1\n2\n"), csv);
    for (const parts of [[1], [-1], [0, 0], ["0"], 0]) {
      await expect(cells(table, { parts: parts as never })).rejects.toMatchObject({ code: "ERR_INPUT" });
    }
    await expect(cells(table, { columns: ["b"] })).rejects.toThrow('one of "a"');
    await expect(cells(table, { columns: ["a", "a"] })).rejects.toThrow("once");
    await expect(cells(table, { colums: ["a"] } as never)).rejects.toThrow("did you mean columns");
  });
});

describe("threads", () => {
  const { text, price } = generated(3000, true);
  const path = join(folder, "rows.csv");
  writeFileSync(path, text);

  it("return the same batches in the order of the file", async () => {
    for (const threads of [0, 1, 3]) {
      await using table = await openTable(path, { threads, partBytes: 4096 });
      const progress: number[] = [];
      const found = await cells(table, {
        columns: ["price", "id"],
        onProgress: ({ rows }) => progress.push(rows),
      });
      expect(Object.keys(found)).toEqual(["price", "id"]);
      expect(found.price).toEqual(price);
      expect(found.id).toEqual(price.map((_, i) => i));
      expect(progress.at(-1)).toBe(price.length);
    }
  });

  it("stop at an abort and when the reader stops, and the table can be read again", async () => {
    await using table = await openTable(path, { threads: 2, partBytes: 1024 });
    const abort = new AbortController();
    const reading = (async () => {
      for await (const _ of table.read({ signal: abort.signal })) abort.abort(new Error("enough"));
    })();
    await expect(reading).rejects.toThrow("enough");
    for await (const _ of table.read()) break;
    expect((await cells(table)).price).toEqual(price);
    await table.close();
    await expect(cells(table)).rejects.toMatchObject({ code: "ERR_INPUT" });
  });

  it("fill an engine's histograms, equal to a loop over the rows", async () => {
    await using engine = await openEngine();
    await using table = await openTable(path, { threads: 2, partBytes: 4096 });
    const axis = regular(50, 0, 900);
    const counts = new Array<number>(50).fill(0);
    let overflow = 0;
    for (const value of price) {
      if (value === null) continue;
      const bin = value === 900 ? 49 : Math.floor(value / 18);
      if (bin > 49) overflow++;
      else counts[bin]!++;
    }
    const sums = new Array<number>(50).fill(0);
    let over = 0;
    for await (const { columns } of table.read({ columns: ["price"] })) {
      const chunk = columns[0]! as { values: Float64Array; validity: { bits: Uint8Array } | null };
      const histogram = await engine.histogram(chunk.values, {
        axis,
        ...(chunk.validity === null ? {} : { mask: chunk.validity }),
      });
      for (const [i, count] of histogram.counts.entries()) sums[i]! += count;
      over += histogram.overflow;
    }
    expect(sums).toEqual(counts);
    expect(over).toBe(overflow);
  });
});
