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
    const text = lines({ a: { b: [1] }, m: 1, n: "1", o: {} }, { a: null, m: "x", n: "2", o: 1 });
    await using table = await openTable(Buffer.from(text), jsonl);
    expect(await cells(table)).toEqual({ n: ["1", "2"] });
    await expect(cells(table, { columns: ["a"] })).rejects.toThrow(
      /"a" cannot be read: values are objects, and only their fields are columns/,
    );
    await expect(cells(table, { columns: ["a.b"] })).rejects.toThrow(/values are nested \(array\)/);
    await expect(cells(table, { columns: ["o"] })).rejects.toThrow(/values are nested \(object, number\)/);
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

  describe("with objects", () => {
    const named = async (text: string, options = {}) => {
      await using table = await openTable(Buffer.from(text), { ...jsonl, ...options });
      return table.columns.map(({ name, type }) => [name, type.kind === "number" ? type.type : type.kind]);
    };

    it("have columns of their fields, with nulls where an object is missing", async () => {
      const text = lines(
        '{"trip":{"fare":1,"stop":{"name":"x","at":{"toString":5}}},"id":1}',
        '{"trip":null,"id":2}',
        '{"id":3}',
        '{"id":4,"trip":{"stop":{"at":{}},"fare":9007199254740993}}',
        '{"id":5,"trip":{"fare":7,"fare":8,"new":1},"trip":{"fare":-0.5}}',
      );
      expect(await named(text)).toEqual([
        ["trip", "refused"],
        ["trip.fare", "f64"],
        ["trip.stop", "refused"],
        ["trip.stop.name", "string"],
        ["trip.stop.at", "refused"],
        ["trip.stop.at.toString", "i32"],
        ["id", "i32"],
      ]);
      const types = { "trip.fare": "string" } as const;
      expect(await read(text, { ...jsonl, types })).toEqual({
        id: [1, 2, 3, 4, 5],
        "trip.fare": ["1", null, null, "9007199254740993", "-0.5"],
        "trip.stop.name": ["x", null, null, null, null],
        "trip.stop.at.toString": [5, null, null, null, null],
      });
    });

    it("are read as JSON if their type is stated", async () => {
      const text = lines({ a: { b: 1 }, c: 1 }, { a: 5 });
      const whole = { ...jsonl, types: { a: "string" } } as const;
      expect(await read(text, whole)).toEqual({ a: ['{"b":1}', "5"], c: [1, null] });
      expect(await failure(text, { ...jsonl, types: { a: "string", "a.b": "i32" } })).toMatch(
        /^ERR_INPUT .*expected no type of "a.b", since the fields of "a" are no columns/,
      );
    });

    it("refuse two fields of one name, and read one of them", async () => {
      const text = lines('{"a.b":1,"a":{"b":2,"c.d":3,"c":{"d":4}}}');
      await using table = await openTable(Buffer.from(text), jsonl);
      for (const name of ["a.b", "a.c.d"]) {
        const error = { code: "ERR_UNSUPPORTED", message: expect.stringContaining("a key with a point") };
        await expect(cells(table, { columns: [name] })).rejects.toMatchObject(error);
      }
      expect(await read(text, { ...jsonl, types: { a: "string" } })).toEqual({
        "a.b": [1],
        a: ['{"b":2,"c.d":3,"c":{"d":4}}'],
      });
      expect(await read(text, { ...jsonl, types: { "a.c": "string" } })).toEqual({
        "a.c.d": [3],
        "a.c": ['{"d":4}'],
      });
      expect(await read(lines('{"a.b":1}'), jsonl)).toEqual({ "a.b": [1] });
    });

    it("have fields that only later lines have, if their types are stated", async () => {
      const many = lines(
        ...Array.from({ length: 30_000 }, (_, i) => ({ a: { i, text: "x".repeat(30) }, z: null })),
      );
      const late = `${many}${lines('{"a":{"b":{"c":5}},"z":{"y":6},"k.e":7}')}`;
      const types = { "a.b.c": "i32", "z.y": "u8", "k.e": "u8" } as const;
      const found = await read(late, { ...jsonl, types });
      expect(Object.entries(found).map(([name, values]) => [name, values.at(-1)])).toEqual([
        ["a.i", null],
        ["a.text", null],
        ["a.b.c", 5],
        ["z.y", 6],
        ["k.e", 7],
      ]);
    });

    it("name the line whose value is no object", async () => {
      const many = lines(
        ...Array.from({ length: 30_000 }, (_, i) => ({ a: { b: i, t: "x".repeat(30) }, n: 1 })),
      );
      for (const [line, value] of [
        ['{"a":5}', '"5"'],
        ['{"a":[{"b":1}]}', '"[{\\"b\\":1}]"'],
        ['{"a":"x"}', '"x"'],
      ]) {
        expect(await failure(`${many}${line}\n`, jsonl)).toBe(
          `ERR_INPUT bytes: line 30001: expected an object in "a" but found ${value}; pass types: { "a": "string" }`,
        );
        // A value can only be wrong in a column that is read.
        await using table = await openTable(Buffer.from(`${many}${line}\n`), jsonl);
        expect((await cells(table, { columns: ["n"] })).n).toHaveLength(30_001);
      }
      expect(await failure(`${many}{"a":{"b":"x"}}\n`, jsonl)).toMatch(
        /line 30001: expected i32 in column "a.b"/,
      );
    });

    it("are bounded in depth and in the number of their fields", async () => {
      const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}\n`;
      expect((await named(deep(33))).at(-1)).toEqual([Array(33).fill("a").join("."), "i32"]);
      expect((await named(deep(34))).at(-1)).toEqual([Array(33).fill("a").join("."), "refused"]);
      expect(await named(deep(5000))).toHaveLength(33);
      const keys = Array.from({ length: 1025 }, (_, i) => `"k${i}":1`);
      expect(await named(`{"m":{${keys.join()}},"x":1}\n`)).toEqual([
        ["m", "refused"],
        ["x", "i32"],
      ]);
      expect(await named(`{"m":{${keys.slice(1).join()}},"x":1}\n`)).toHaveLength(1026);
    });
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
