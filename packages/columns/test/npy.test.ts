import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTable } from "../src/index.ts";
import { type Cell, cells, failure } from "./tables.ts";

const folder = join(import.meta.dirname, "npy");
const expected: Record<string, Record<string, (string | null)[]>> = JSON.parse(
  readFileSync(join(folder, "expected.json"), "utf8"),
);
const bytesOf = (name: string) => new Uint8Array(readFileSync(join(folder, name)));

/** A double from Python's hexadecimal text. */
function doubleOf(text: string): number {
  const found = /^(-?)0x([01])\.([0-9a-f]+)p([+-]\d+)$/.exec(text);
  if (found === null) return Number(text);
  const [, sign, whole, fraction, exponent] = found as unknown as [string, string, string, string, string];
  const mantissa = Number(whole) + Number.parseInt(fraction, 16) / 16 ** fraction.length;
  return (sign === "-" ? -1 : 1) * mantissa * 2 ** Number(exponent);
}

/** NumPy's values in the form of a column's cells. */
function same(texts: readonly (string | null)[], found: readonly Cell[]): Cell[] {
  return texts.map((text, i) => {
    if (text === null) return null;
    const cell = found[i];
    if (typeof cell === "bigint") return BigInt(text);
    return typeof cell === "number" ? doubleOf(text) : text;
  });
}

describe("files that NumPy wrote", () => {
  it.each(Object.keys(expected))("%s has NumPy's values, in one part or many", async (name) => {
    for (const options of [{}, { partBytes: 64, threads: 0 }]) {
      await using table = await openTable(join(folder, name), options);
      const found = await cells(table);
      const columns = expected[name]!;
      for (const [column, texts] of Object.entries(columns)) {
        expect(found[column] ?? [], column).toEqual(same(texts, found[column] ?? []));
        expect(found[column]?.length ?? 0).toBe(texts.length);
        expect(table.rows).toBe(texts.length);
      }
    }
  });

  it("keep NumPy's types", async () => {
    const typeOf = async (name: string) => {
      await using table = await openTable(join(folder, `${name}.npy`));
      return table.columns[0]!.type;
    };
    expect(await typeOf("f2-big")).toEqual({ kind: "number", type: "f32" });
    expect(await typeOf("u8-big")).toEqual({ kind: "number", type: "u64" });
    expect(await typeOf("bool")).toEqual({ kind: "boolean" });
    expect(await typeOf("time-us")).toEqual({ kind: "timestamp", unit: "us", timezone: null });
    expect(await typeOf("time-D")).toEqual({ kind: "date", unit: "day" });
    expect(await typeOf("complex")).toMatchObject({ kind: "refused" });
  });

  it("read some columns and parts, alone and in another order", async () => {
    for (const name of ["matrix.npy", "fortran.npy", "record.npy", "stored.npz", "deflated.npz"]) {
      await using table = await openTable(join(folder, name), { partBytes: 64 });
      const whole = await cells(table);
      const columns = Object.keys(whole).reverse().slice(0, 2);
      const some = await cells(table, { columns });
      expect(Object.keys(some)).toEqual(columns);
      for (const column of columns) expect(some[column]).toEqual(whole[column]);
      if (table.parts === null) {
        expect(name).toBe("deflated.npz");
        continue;
      }
      const apart: Cell[] = [];
      for (const { index, rows } of table.parts) {
        const part = await cells(table, { columns: columns.slice(0, 1), parts: [index] });
        expect(part[columns[0]!]).toHaveLength(rows!);
        apart.push(...part[columns[0]!]!);
      }
      expect(apart).toEqual(whole[columns[0]!]);
    }
  });

  it("come from a stream, and in threads", async () => {
    async function* stream(bytes: Uint8Array) {
      for (let i = 0; i < bytes.length; i += 7) yield bytes.subarray(i, i + 7);
    }
    await using table = await openTable(stream(bytesOf("record.npy")), { partBytes: 256 });
    await using file = await openTable(join(folder, "record.npy"), { threads: 2 });
    expect(table.parts).toBeNull();
    expect(await cells(table)).toEqual(await cells(file));
    await expect(openTable(stream(bytesOf("fortran.npy")))).rejects.toMatchObject({
      code: "ERR_UNSUPPORTED",
    });
    await expect(openTable(stream(bytesOf("stored.npz")))).rejects.toMatchObject({ code: "ERR_UNSUPPORTED" });
  });

  it("are flattened, or one array is chosen", async () => {
    await using flat = await openTable(join(folder, "matrix.npy"), { flatten: true });
    expect((await cells(flat)).value).toHaveLength(120);
    await using one = await openTable(join(folder, "unequal.npz"), { array: "b" });
    expect(await cells(one)).toEqual({ b: [0n, 1n, 2n, 3n] });
    expect(await failure(bytesOf("unequal.npz"), {})).toMatch(
      /^ERR_INPUT .*"a" has 3 and "b" has 4; pass array: one of "a", "b"/,
    );
    expect(await failure(bytesOf("unequal.npz"), { array: "c" })).toMatch(/one of "a", "b"/);
  });

  it("are refused with a reason", async () => {
    expect(await failure(bytesOf("objects.npy"), {})).toMatch(/^ERR_UNSUPPORTED .*pickled/);
    expect(await failure(bytesOf("fortran.npz"), {})).toMatch(/^ERR_UNSUPPORTED .*Fortran order/);
    await using table = await openTable(join(folder, "complex.npy"));
    await expect(cells(table, { columns: ["value"] })).rejects.toThrow("save .real and .imag");
    expect(await cells(table)).toEqual({});
    await using record = await openTable(join(folder, "record.npy"));
    await expect(cells(record, { columns: ["v"] })).rejects.toThrow("each value is an array");
  });
});

/** An NPY file with any header. */
function npy(header: string, data: Uint8Array = new Uint8Array(0), version = 1): Uint8Array {
  const text = Buffer.from(header, "latin1");
  const head = Buffer.alloc(version === 1 ? 10 : 12);
  head.write("\x93NUMPY", "latin1");
  head[6] = version;
  if (version === 1) head.writeUInt16LE(text.length, 8);
  else head.writeUInt32LE(text.length, 8);
  return Buffer.concat([head, text, data]);
}

describe("damaged files", () => {
  const header = (shape: string, descr = "'<f8'") =>
    `{'descr': ${descr}, 'fortran_order': False, 'shape': ${shape}, }`;

  it.each([
    [
      "a shape of more bytes",
      npy(header("(3,)"), new Uint8Array(16)),
      /ERR_INPUT .*expected 24 bytes.*found 16/,
    ],
    ["a shape of fewer bytes", npy(header("(1,)"), new Uint8Array(16)), /ERR_INPUT .*expected 8 bytes/],
    ["a shape past 2^53", npy(header("(4503599627370496, 4503599627370496)")), /ERR_INPUT .*2\^53/],
    ["a negative shape", npy(header("(-1,)")), /ERR_INPUT .*whole numbers/],
    [
      "a million columns",
      npy(header("(2, 1000000)", "'|u1'"), new Uint8Array(2e6)),
      /ERR_LIMIT .*16384 columns but found 1000000/,
    ],
    ["elements without bytes", npy(header("(1000000000,)", "'|S0'")), /ERR_INPUT .*elements of 1 to/],
    ["huge elements", npy(header("(1,)", "'|V99999999999'")), /ERR_INPUT .*elements of 1 to/],
    ["deep nesting", npy(`{'descr': ${"[".repeat(5000)}`), /ERR_INPUT .*32 levels/],
    ["code", npy("__import__('os').system('true')"), /ERR_INPUT .*Python literal/],
    ["a longer header", npy(header("(1,)"), new Uint8Array(8), 2).subarray(0, 40), /ERR_INPUT .*ends before/],
    ["version 9", npy(header("(1,)"), new Uint8Array(8), 9), /ERR_UNSUPPORTED .*found 9/],
    [
      "a header of 4 GB",
      Uint8Array.of(0x93, 78, 85, 77, 80, 89, 2, 0, 255, 255, 255, 255),
      /ERR_LIMIT .*4194304/,
    ],
    ["no dtype", npy("{'shape': (1,)}", new Uint8Array(8)), /ERR_INPUT .*descr/],
    ["an unknown dtype", npy(header("(1,)", "'<q8'"), new Uint8Array(8)), /^no error$/],
  ])("%s", async (_, bytes, message) => {
    expect(await failure(bytes, { format: "npy" })).toMatch(message);
  });

  it("have rows without columns, which hold nothing", async () => {
    await using table = await openTable(Buffer.from(npy(header("(1000000000, 0)"))));
    expect(table.rows).toBe(1_000_000_000);
    expect(table.parts).toHaveLength(0);
    expect(await cells(table)).toEqual({});
  });

  it("are archives with wrong checksums, sizes and shared bytes", async () => {
    const flipped = bytesOf("deflated.npz");
    flipped[flipped.length >> 2]! ^= 0x10;
    expect(await failure(flipped, {})).toMatch(/^ERR_INPUT/);
    for (const name of readdirSync(folder).filter((file) => file.endsWith(".npz"))) {
      const cut = bytesOf(name);
      expect(await failure(cut.subarray(0, cut.length - 30), {}), name).toMatch(/^ERR_INPUT/);
    }
    // The central directory states 4 GB for the first array.
    const bomb = bytesOf("deflated.npz");
    const directory = Buffer.from(bomb.buffer).indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    new DataView(bomb.buffer).setUint32(directory + 24, 0xf0000000, true);
    expect(await failure(bomb, {})).toMatch(/^ERR_LIMIT .*1040 times/);
    // The second entry's header is the first one's.
    const shared = bytesOf("stored.npz");
    const second = Buffer.from(shared.buffer).indexOf(
      Buffer.from([0x50, 0x4b, 1, 2]),
      Buffer.from(shared.buffer).indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 4,
    );
    new DataView(shared.buffer).setUint32(second + 42, 0, true);
    expect(await failure(shared, {})).toMatch(/^ERR_INPUT/);
  });
});
