import { describe, expect, it } from "vitest";
import { openTable } from "../src/index.ts";
import { cells, failure, read } from "./tables.ts";

const jsonl = { format: "jsonl" } as const;
const lines = (...rows: unknown[]) =>
  rows.map((row) => `${typeof row === "string" ? row : JSON.stringify(row)}\n`).join("");

describe("JSON lines", () => {
  it("have the types of their values, nulls where a field is missing, and exact integers", async () => {
    const text = lines(
      '{"a":1,"b":9007199254740993,"c":"x","t":"2026-01-02T00:00:00Z","toString":true,"__proto__":5}',
      '{"a":2.5,"c":null,"b":-9223372036854775808}',
      "",
      '{"a":-0,"t":"2026-01-03T00:00:00.5Z"}\r',
    );
    await using table = await openTable(Buffer.from(text), jsonl);
    expect(
      table.columns.map(({ name, type }) => [name, type.kind === "number" ? type.type : type.kind]),
    ).toEqual([
      ["a", "f64"],
      ["b", "i64"],
      ["c", "string"],
      ["t", "timestamp"],
      ["toString", "boolean"],
      ["__proto__", "i32"],
    ]);
    const found = Object.entries(await cells(table, { columns: ["a", "b", "c", "t", "toString"] }));
    expect(Object.fromEntries(found)).toEqual({
      a: [1, 2.5, -0],
      b: [9007199254740993n, -9223372036854775808n, null],
      c: ["x", null, null],
      t: [BigInt(Date.UTC(2026, 0, 2)), null, BigInt(Date.UTC(2026, 0, 3)) + 500n],
      toString: [1, null, null],
    });
    const [own] = Object.values(await cells(table, { columns: ["b"] }));
    expect(own).toHaveLength(3);
  });

  it("refuse nested and mixed columns by name, unless they are read as text", async () => {
    const text = lines({ a: { b: [1] }, m: 1, n: "1" }, { a: null, m: "x", n: "2" });
    await using table = await openTable(Buffer.from(text), jsonl);
    expect(await cells(table)).toEqual({ n: ["1", "2"] });
    await expect(cells(table, { columns: ["a"] })).rejects.toThrow(
      /"a" cannot be read: values are nested \(object\)/,
    );
    await expect(cells(table, { columns: ["m"] })).rejects.toThrow(/several types \(number, string\)/);
    const whole = await read(lines('{"a":{"b":[12345678901234567890]}}', { a: 1 }), {
      ...jsonl,
      types: { a: "string" },
    });
    expect(whole).toEqual({ a: ['{"b":[12345678901234567890]}', "1"] });
  });

  it("name the line of a wrong one, also in a late part", async () => {
    const many = lines(...Array.from({ length: 2000 }, (_, i) => ({ a: i, b: "x".repeat(i % 50) })));
    const options = { ...jsonl, partBytes: 16_384, types: { a: "i32" } } as const;
    expect((await read(many, options)).a).toEqual(Array.from({ length: 2000 }, (_, i) => i));
    const cases: [string, RegExp][] = [
      ['{"a":1.5}', /expected i32 in column "a" but found "1.5"; pass types: \{ "a": "f64" \}/],
      ['{"a":"1"}', /expected i32/],
      ['{"a":true}', /expected i32/],
      ['{"a":99999999999999999999}', /expected i32/],
    ];
    for (const [line, message] of cases) {
      const found = await failure(`${many}${line}\n`, options);
      expect(found).toMatch(/^ERR_INPUT bytes: line 2001: /);
      expect(found).toMatch(message);
    }
    for (const line of ["[1]", "1", "{", '{"a":1}}', '{"a":NaN}', "null"]) {
      expect(await failure(`${many}${line}\n`, options), line).toMatch(
        /^ERR_INPUT bytes: line 2001: expected a JSON object but found "[^"]/,
      );
    }
    // The first megabyte shows the fields, and the wrong line comes after it.
    const padding = lines(...Array.from({ length: 25_000 }, (_, i) => ({ a: i, b: "y".repeat(30) })));
    expect(await failure(`${padding}{"c":1}\n`, options)).toMatch(
      /line 25001: expected the fields of the first lines but found "c"; pass types/,
    );
    expect((await read(`${padding}{"c":1}\n`, { ...options, types: { c: "i32" } })).c!.at(-1)).toBe(1);
  });

  it("are UTF-8, and no option says otherwise", async () => {
    for (const before of ["", '{"a":"x"}\n'.repeat(200_000)]) {
      const bytes = Buffer.from(`${before}{"a":"\xe4"}\n`, "latin1");
      expect(await failure(bytes, jsonl)).toMatch(/line \d+: expected UTF-8 text but found other bytes$/);
    }
  });

  it("are bounded in width, depth and length", async () => {
    const wide = `{${Array.from({ length: 50_000 }, (_, i) => `"c${i}":1`).join(",")}}\n`;
    expect(await failure(wide, jsonl)).toMatch(/^ERR_LIMIT .*16384 columns/);
    // With a long integer, the parser visits every level.
    const deep = `{"a":${"[".repeat(500_000)}12345678901234567890${"]".repeat(500_000)}}\n`;
    expect(await failure(deep, jsonl)).toMatch(/^(ERR_INPUT|no error)/);
    expect(await failure(`{"a":"${"x".repeat(20_000_000)}"`, jsonl)).toMatch(/^ERR_/);
  });

  it("are empty", async () => {
    expect(await read("", jsonl)).toEqual({});
    expect(await read("\n \n", jsonl)).toEqual({});
    expect(await read(lines({}, {}), jsonl)).toEqual({});
  });
});
