import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import {
  type CsvRequest,
  csvReader,
  type TextColumn,
  type TextFound,
  type TextReader,
  textInWebAssembly,
} from "../src/readers.ts";
import { csvReader as csvInPage, textInWebAssembly as textInPage } from "../src/readers-in-page.ts";
import { MOST_BYTES } from "../src/webassembly/limits.ts";
import { NO_COMPILER } from "./no-compiler.ts";

const reader = csvReader()!;
const inWebAssembly = (await textInWebAssembly())?.csv ?? null;
const READERS: [string, TextReader<CsvRequest> | null][] = [
  ["the addon", reader],
  ["WebAssembly", inWebAssembly],
];
const folder = mkdtempSync(join(tmpdir(), "polybin-csv-"));
afterAll(() => rmSync(folder, { recursive: true }));

const request = (
  width: number,
  columns: readonly TextColumn[],
  more: Partial<CsvRequest> = {},
): CsvRequest => ({
  ...{ separator: ",", quote: '"', width, columns, nulls: ["", "NA"], textNulls: [""] },
  ...{ isUtf8: true, threads: 0, ...more },
});
const f64: TextColumn = { index: 0, stored: "f64" };
const text = (found: TextFound) => (found === null ? null : new Float64Array(found[1]![0]));
const doublesOf = async (
  own: TextReader<CsvRequest>,
  given: string | Uint8Array,
  more: Partial<CsvRequest> = {},
) => text(await own.read(Buffer.from(given), request(1, [f64], more)));

const EXACT = [
  [
    "9007199254740993",
    "18446744073709551615",
    "0.30000000000000004",
    "84.44218515250482",
    "123456789012345.6789",
  ],
  [
    "1e22",
    "1e-22",
    "8.5e-3",
    "-0",
    "0.000001234567890123",
    "9999999999999999",
    "99999999.99999999",
    "1.",
    ".5",
  ],
  ["1234567", "12345678", "123456789", "1234567.8", "12345678.9", "1234567890.12345", "9223372036854775807"],
].flat();

describe.each(READERS)("%s", (_, given) => {
  beforeEach((test) => {
    if (given === null) test.skip(NO_COMPILER);
  });
  const own = given!;

  it("reads the nearest doubles, as JavaScript does", async () => {
    const random = Array.from({ length: 20_000 }, (_, i) => {
      const value = Math.sin(i * 7919) * 10 ** (i % 17);
      return [String(value), value.toFixed(i % 12), value.toPrecision(1 + (i % 19))][i % 3]!;
    });
    for (const texts of [EXACT, random]) {
      const found = await own.read(Buffer.from(`${texts.join("\n")}\n`), request(1, [f64]));
      const [values, nulls, valid, ends] = found![1]!;
      const left = new Set<number>();
      for (let i = 0; i < ends.byteLength / 8; i++) left.add(new Uint32Array(ends)[2 * i]!);
      expect([found![0], nulls, valid]).toEqual([texts.length, 0, null]);
      expect(left.size).toBeLessThan(texts.length / 10);
      for (const [i, of] of texts.entries()) {
        if (!left.has(i)) expect([of, new Float64Array(values)[i]]).toEqual([of, Number(of)]);
      }
    }
  });

  it.each(["1,2\n", '"1\n', '1"\n', '"1"2\n', '"1" \n', '"1"\r2\n', "1\n\u00e9,\n", "\n"])(
    "does not read records that are not regular: %j",
    async (records) => {
      expect(await doublesOf(own, records)).toBeNull();
    },
  );

  it("does not read other bytes than UTF-8", async () => {
    const bytes = Uint8Array.of(0x31, 0x0a, 0xc3, 0x0a);
    expect(await doublesOf(own, bytes)).toBeNull();
    expect(await doublesOf(own, bytes, { isUtf8: false })).not.toBeNull();
  });
});

it("reads the same doubles with all instructions, and on other threads", async () => {
  const lines = Array.from({ length: 40_000 }, (_, i) => (i % 9 === 0 ? `"${i / 8}"` : String(i / 8))).join(
    "\n",
  );
  const expected = await doublesOf(reader, lines);
  expect(expected).toHaveLength(40_000);
  for (const instructions of ["plain", "best"] as const)
    for (const threads of [0, 1, 3])
      expect(await doublesOf(reader, lines, { instructions, threads })).toEqual(expected);
});

describe("WebAssembly", () => {
  beforeEach((test) => {
    if (inWebAssembly === null) test.skip(NO_COMPILER);
  });
  const own = inWebAssembly!;

  it("reads the columns that the addon reads", async () => {
    const lines = Array.from({ length: 9000 }, (_, i) =>
      [
        [i, i % 2 ? "true" : "false", "2026-11-28", `2026-11-28 0${i % 10}:00:00.5`, `"a ""${i % 7}"""`],
        [i % 11 ? -i : "NA", i % 5 ? i / 8 : "", `${"9".repeat(1 + (i % 22))}`, i % 3 ? "é" : "", i % 4],
      ]
        .flat()
        .join(),
    );
    const bytes = Buffer.from(`${lines.join("\r\n")}`);
    for (const counted of [false, true]) {
      const columns: TextColumn[] = [
        ...(["i64", "boolean", "date", "time", "text", "i32", "f32", "f64", "text", "u8"] as const),
      ].map((stored, index) => ({ index, stored, digits: 3, counted }));
      const all = request(10, columns);
      const found = await own.read(bytes, all);
      expect(found).not.toBeNull();
      expect(found).toEqual(await reader.read(bytes, all));
      // What was read before does not matter.
      expect(await own.read(bytes, request(10, []))).toEqual([9000]);
      expect(await own.read(bytes, all)).toEqual(found);
    }
  });

  it("does not read what does not fit into its memory, and reads the next piece", async () => {
    const bytes = Buffer.from("1\n".repeat(1_000_000));
    const columns = Array.from({ length: MOST_BYTES / 8_000_000 + 1 }, () => f64);
    expect(await own.read(bytes, request(1, columns))).toBeNull();
    expect(await doublesOf(own, "12.5\n")).toEqual(Float64Array.of(12.5));
  });

  it("reads in a page, which has no addon", async () => {
    expect(csvInPage()).toBeNull();
    const page = (await textInPage())!;
    expect(await doublesOf(page.csv, "12.5\n")).toEqual(Float64Array.of(12.5));
  });
});

describe("parts of a file", () => {
  const file = join(folder, "parts.csv");
  const lines = Array.from({ length: 5000 }, (_, i) => `${i},"a ${i % 10}"`);
  const bytes = Buffer.from(`x,y\n${lines.join("\n")}`);
  writeFileSync(file, bytes);

  it.each([0, 1, 2])("have all records once, on %i threads", async (threads) => {
    const descriptor = openSync(file, "r");
    try {
      for (const partBytes of [64, 1000, 1 << 20]) {
        const parts = Array.from({ length: Math.ceil(bytes.length / partBytes) }, (_, part) =>
          reader.readPart(
            { descriptor, start: 4, size: bytes.length, partBytes, part },
            request(2, [f64], { threads }),
          ),
        );
        let end = 4;
        const values: number[] = [];
        for (const [offset, length, isCut, found] of await Promise.all(parts)) {
          expect(isCut).toBe(false);
          if (length > 0) expect(offset).toBe(end);
          end += length;
          values.push(...text(found)!);
        }
        expect([end, values]).toEqual([bytes.length, lines.map((_, i) => i)]);
      }
    } finally {
      closeSync(descriptor);
    }
  });

  it("are read in steps as all at once", async () => {
    const large = join(folder, "large.csv");
    const long = "long ".repeat(80_000);
    const rows = Array.from({ length: 60_000 }, (_, i) => {
      const words = ["plain", '"a ""b"""', "é", '"two, and\nthree"', "", i === 30_000 ? long : "x"];
      return `${i / 4},${words[i % words.length]},${"z".repeat(i % 41)}${i % 3 === 0 ? "\r" : ""}${i % 1000 === 0 ? "\n" : ""}`;
    });
    const all = Buffer.from(`${"x,y,z\n"}${rows.join("\n")}`);
    writeFileSync(large, all);
    const begin = all.indexOf("z\n", 600_000) + 2;
    const columns: TextColumn[] = [
      f64,
      { index: 1, stored: "text" },
      { index: 2, stored: "text", counted: true },
    ];
    const descriptor = openSync(large, "r");
    try {
      for (const [start, partBytes] of [
        [6, 600_000],
        [6, 2 ** 22],
        // The second part starts with the first record, or with its second byte.
        [begin, begin],
        [begin, begin + 1],
      ] as const) {
        const place = { descriptor, start, size: all.length, partBytes };
        for (let part = 0; part * partBytes < all.length; part++) {
          const [offset, length, isCut, found] = await reader.readPart(
            { ...place, part },
            request(3, columns),
          );
          const piece = all.subarray(offset, offset + length);
          expect(isCut).toBe(piece.filter((byte) => byte === 0x22).length % 2 === 1);
          expect(piece.length === 0 || all[offset - 1]).toBe(piece.length === 0 || 0x0a);
          expect(found).toEqual(await reader.read(piece, request(3, columns)));
          if (partBytes < 2 ** 22 || found !== null) continue;
          throw new Error("expected a part of whole records");
        }
      }
    } finally {
      closeSync(descriptor);
    }
  });

  it("are cut if a quotation mark is open, or the file is shorter than stated", async () => {
    const cut = join(folder, "cut.csv");
    writeFileSync(cut, '1,"\n\n",\n');
    const descriptor = openSync(cut, "r");
    const part = (size: number, partBytes: number) =>
      reader.readPart({ descriptor, start: 0, size, partBytes, part: 0 }, request(3, [f64]));
    expect((await part(8, 4))[2]).toBe(true);
    expect((await part(8, 8)).slice(1, 3)).toEqual([8, false]);
    expect((await part(9, 9))[2]).toBe(true);
    closeSync(descriptor);
  });
});

it("holds memory that is transferred meanwhile", async () => {
  const bytes = new Uint8Array(Buffer.from("12.5\n".repeat(100_000)));
  const reading = reader.read(bytes, request(1, [f64], { threads: 2 }));
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  expect(bytes.length).toBe(0);
  expect(text(await reading)).toEqual(new Float64Array(100_000).fill(12.5));
});

it("ends with the thread that reads", async () => {
  const path = new URL("../dist/readers.js", import.meta.url).href;
  const code = `import { csvReader } from ${JSON.stringify(path)};
    const bytes = new Uint8Array(Buffer.from("1\\n".repeat(8_000_000)));
    csvReader().read(bytes, ${JSON.stringify(request(1, [f64], { threads: 1 }))});
    process.exit();`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
  expect(await new Promise((resolve) => worker.once("exit", resolve))).toBe(0);
});

it("refuses what is no dialect", () => {
  const of = (more: Partial<CsvRequest>) => () => reader.read(Buffer.from("1\n"), request(1, [f64], more));
  for (const more of [{ separator: "\n" }, { separator: '"' }, { quote: "\u00e9" }, { width: 0 }]) {
    expect(of(more)).toThrow(expect.objectContaining({ code: "ERR_INTERNAL" }));
  }
  expect(of({ columns: [{ index: 1, stored: "f64" }] })).toThrow(/expected a column/);
  expect(of({ nulls: ["x".repeat(256)] })).toThrow(/expected nulls/);
});
