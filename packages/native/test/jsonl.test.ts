import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import {
  type JsonlRequest,
  jsonlReader,
  type TextFound,
  type TextReader,
  textInWebAssembly,
} from "../src/readers.ts";
import { NO_COMPILER } from "./no-compiler.ts";

const reader = jsonlReader()!;
const READERS: [string, TextReader<JsonlRequest> | null][] = [
  ["the addon", reader],
  ["WebAssembly", (await textInWebAssembly())?.jsonl ?? null],
];
const folder = mkdtempSync(join(tmpdir(), "polybin-jsonl-"));
afterAll(() => rmSync(folder, { recursive: true }));

const request: JsonlRequest = {
  fields: ["x", "t", "other", 'a"b', "a\\"].map((key) => ({ key, parent: -1 })),
  columns: [
    { index: 0, stored: "f64" },
    { index: 1, stored: "text" },
  ],
  threads: 0,
};

/** Columns of objects in lines. */
const nested: JsonlRequest = {
  fields: [
    { key: "o", parent: -1 },
    { key: "t", parent: -1 },
    { key: "i", parent: 0 },
    { key: "x", parent: 2 },
    { key: "unread", parent: 0 },
    { key: "y", parent: 4 },
  ],
  columns: [
    { index: 3, stored: "f64" },
    { index: 1, stored: "text" },
  ],
  threads: 0,
};

/** The doubles and the texts of each row. Null: the lines are not regular. */
function rowsOf(found: TextFound): [number | null, string | null][] | null {
  if (found === null) return null;
  const [rows, x, t] = found as NonNullable<TextFound>;
  const ends = [...new Uint32Array(t![3])];
  const texts = ends.map((end, i) => Buffer.from(t![4]).toString("utf8", ends[i - 1] ?? 0, end));
  const isValid = (valid: ArrayBuffer | null, row: number) =>
    valid === null || (new Uint8Array(valid)[row >> 3]! & (1 << (row & 7))) !== 0;
  const values = new Float64Array(x![0]);
  // JavaScript reads the values that were left.
  const places = new Uint32Array(x![3]);
  for (let i = 0, from = 0; i < places.length; from = places[i + 1]!, i += 2)
    values[places[i]!] = JSON.parse(Buffer.from(x![4]).toString("utf8", from, places[i + 1]));
  return Array.from({ length: rows }, (_, row) => [
    isValid(x![2], row) ? values[row]! : null,
    isValid(t![2], row) ? texts[new Uint32Array(t![0])[row]!]! : null,
  ]);
}

describe.each(READERS)("lines of %s", (_, own) => {
  beforeEach((test) => {
    if (own === null) test.skip(NO_COMPILER);
  });
  const read = async (given: string | Uint8Array) => rowsOf(await own!.read(Buffer.from(given), request));

  it("have the values of their fields, in any order, and nulls", async () => {
    const lines = [
      '{"x":1,"t":"a"}',
      '{ "t" : "b" , "x" : -2.5e1 }\r',
      "",
      " \t",
      '{"other":[{"k":[]},1e5,"]"]}',
      "{}",
    ];
    const rows = [
      [1, "a"],
      [-25, "b"],
      [null, null],
      [null, null],
    ];
    for (const end of ["", "\n"]) expect(await read(lines.join("\n") + end)).toEqual(rows);
    expect(await read("")).toEqual([]);
  });

  it("have texts without their escapes", async () => {
    const texts = ['\u0000\b\f\n\r\t"\\/', "é€😀", "\ud83d\ude00 \u{10ffff}", "x".repeat(40), ""];
    const escaped = (text: string) =>
      `"${[...text.split("")].map((of) => `\\u${of.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`;
    for (const write of [JSON.stringify, escaped]) {
      const lines = texts.map((text) => `{"t":${write(text)}}`).join("\n");
      expect(await read(lines)).toEqual(texts.map((text) => [null, text]));
    }
  });

  it.each([
    ...[
      '{"x":1',
      '{"x":1}}',
      '{"x":1,}',
      '{"x" 1}',
      '{"x":01}',
      '{"x":1.}',
      '{"x":.5}',
      '{"x":+1}',
      '{"x":1e}',
      "{x:1}",
      "[1]",
      "1",
    ],
    ...[
      '{"t":"a}',
      '{"t":"\\x"}',
      '{"t":"\\u12g4"}',
      '{"t":"\t"}',
      '{"t":"\\ud800"}',
      '{"t":"\\udc00\\ud800"}',
      '{"t":tru}',
    ],
    ...[
      '{"x":1,"x":2}',
      '{"y":1}',
      '{"\\u0078":1}',
      '{"a"b":1}',
      '{"a\\":1}',
      '{"x":"1"}',
      '{"x":true}',
      '{"t":{}}',
      '{"t":1.5}',
    ],
    `{"other":${"[".repeat(100)}${"]".repeat(100)}}`,
  ])("are not regular: %s", async (line) => {
    for (const other of ["", '{"x":1}\n']) expect(await read(`${other}${line}\n`)).toBeNull();
  });

  it("are UTF-8", async () => {
    expect(await read(Uint8Array.of(...Buffer.from('{"t":"'), 0xc3, ...Buffer.from('"}\n')))).toBeNull();
  });

  it("are only those that JSON.parse reads, wherever the bytes end", async () => {
    let state = 7;
    const below = (n: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return state % n;
    };
    const CHARACTERS = '{}[]",:\\ux0-.e1tn \r';
    const LINES = [
      '{"x":12.5,"t":"a\\n\\u00e9"}',
      '{"t":"0123456789abcdef","other":[1,{"a":null}]}',
      '{"x":-1e-2}',
    ];
    let regular = 0;
    for (let run = 0; run < 20_000; run++) {
      let line = LINES[below(3)]!;
      for (let i = below(3); i > 0; i--) {
        const at = below(line.length + 1);
        line = line.slice(0, at) + CHARACTERS[below(CHARACTERS.length)]! + line.slice(at + below(2));
      }
      const found = await read(line);
      if (found === null || line.trim() === "") continue;
      regular++;
      const { x = null, t = null } = JSON.parse(line);
      expect({ line, found }).toEqual({
        line,
        found: [[x, typeof t === "string" || t === null ? t : String(t)]],
      });
    }
    expect(regular).toBeGreaterThan(5000);
  });

  describe("objects in lines", () => {
    const read = async (line: string) => rowsOf(await own!.read(Buffer.from(line), nested));

    it("have columns", async () => {
      const lines: [string, number | null, string | null][] = [
        ['{"o":{"i":{"x":1}},"t":"a"}', 1, "a"],
        ['{ "t" : "b" , "o" : { "new" : [ {} ] , "i" : { "x" : 2 } , "unread" : { "z" : "}" } } }', 2, "b"],
        ['{"o":{"unread":5,"i":{"y":{"x":7},"x":3}}}', 3, null],
        ['{"o":null}', null, null],
        ['{"o":{}}', null, null],
        ['{"o":{"i":null}}', null, null],
        ['{"t":"c"}', null, "c"],
      ];
      for (const [line, x, t] of lines)
        expect({ line, rows: await read(line) }).toEqual({ line, rows: [[x, t]] });
      const all = lines.map(([line]) => line).join("\n");
      expect(await read(all)).toEqual(lines.map(([, x, t]) => [x, t]));
    });

    it.each([
      '{"o":5}',
      '{"o":[]}',
      '{"o":"x"}',
      '{"o":{"i":true}}',
      '{"o":{"i":{"x":{}}}}',
      '{"o":{},"o":{}}',
      '{"o":{"i":{},"i":null}}',
      '{"o":{"i":{"x":1,"x":2}}}',
      '{"o":{"\\u0069":{}}}',
      '{"o":{"i":{"x":1}}',
      '{"o":{"i":{"x":1,}}}',
      '{"o":{"i":{"x":1}}}}',
      '{"o":{"new":{"x" 1}}}',
      `{"o":{"new":${"[".repeat(100)}${"]".repeat(100)}}}`,
    ])("are not regular: %s", async (line) => {
      expect(await read(line)).toBeNull();
    });
  });
});

it("refuses fields that are no tree", () => {
  const [bytes, fields] = [Buffer.from("{}"), nested.fields];
  const message = /^expected a parent before its fields$/;
  expect(() => reader.read(bytes, { ...nested, fields: fields.map((of) => ({ ...of, parent: 4 })) })).toThrow(
    message,
  );
  expect(() => reader.read(bytes, { ...nested, columns: [{ index: 2, stored: "f64" }] })).toThrow(
    /^expected a column without fields$/,
  );
});

it.each([0, 1, 2])("reads all lines of the parts of a file once, on %i threads", async (threads) => {
  const file = join(folder, "parts.jsonl");
  const lines = Array.from({ length: 5000 }, (_, i) => `{"x":${i},"t":"a ${i % 10}"}`);
  const bytes = Buffer.from(lines.join("\n"));
  writeFileSync(file, bytes);
  const descriptor = openSync(file, "r");
  try {
    for (const partBytes of [64, 1000, 1 << 20]) {
      const parts = Array.from({ length: Math.ceil(bytes.length / partBytes) }, (_, part) =>
        reader.readPart(
          { descriptor, start: 0, size: bytes.length, partBytes, part },
          { ...request, threads },
        ),
      );
      const rows: unknown[] = [];
      for (const [, , isCut, found] of await Promise.all(parts)) {
        expect(isCut).toBe(false);
        rows.push(...rowsOf(found)!);
      }
      expect(rows).toEqual(lines.map((_, i) => [i, `a ${i % 10}`]));
    }
  } finally {
    closeSync(descriptor);
  }
});

it("reads a part in steps as all at once", async () => {
  const file = join(folder, "large.jsonl");
  const lines = Array.from({ length: 60_000 }, (_, i) => {
    const text = i === 30_000 ? "long ".repeat(80_000) : ["é", "plain", "\\u0041", ""][i % 4]!;
    return i % 1000 === 0 ? "" : `{"x":${i},"t":"${text}"}`;
  });
  const bytes = Buffer.from(lines.join("\n"));
  writeFileSync(file, bytes);
  const descriptor = openSync(file, "r");
  try {
    const partBytes = 600_000;
    for (let part = 0; part * partBytes < bytes.length; part++) {
      const place = { descriptor, start: 0, size: bytes.length, partBytes, part };
      const [offset, length, isCut, found] = await reader.readPart(place, request);
      expect([isCut, found]).toEqual([false, reader.read(bytes.subarray(offset, offset + length), request)]);
      expect(found).not.toBeNull();
    }
  } finally {
    closeSync(descriptor);
  }
});

it("refuses a column without a name", () => {
  expect(() => reader.read(Buffer.from("{}"), { ...request, fields: [{ key: "x", parent: -1 }] })).toThrow(
    expect.objectContaining({ code: "ERR_INTERNAL" }),
  );
});
