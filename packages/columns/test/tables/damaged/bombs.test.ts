import { readFileSync } from "node:fs";
import zlib from "node:zlib";
import { CompressionType, setCompressionCodec, tableFromArrays, tableToIPC } from "@uwdata/flechette";
import { describe, expect, it, vi } from "vitest";
import { Flat } from "../../../src/formats/arrow/messages/flat.ts";
import { messageAt } from "../../../src/formats/arrow/messages/index.ts";
import { openSource } from "../../../src/index.ts";
import { fileOf, open, textsIn } from "../values.ts";
import { forge, plainHeader, plainPage } from "./forge.ts";

/** Reads a table whole and returns its values. */
async function readAll(bytes: Uint8Array) {
  await using table = await open(bytes);
  return await textsIn(table);
}

const bytesOf = (name: string) => new Uint8Array(readFileSync(fileOf(name)));

const doubles = Float64Array.of(1, 2, 3);

describe("forged Parquet files", () => {
  it("are read if they tell the truth", async () => {
    const found = await readAll(forge({ pages: [plainPage(doubles)], rows: 3n }));
    expect(found.get("x")).toHaveLength(3);
  });

  it.each([
    ["GZIP", zlib.gzipSync],
    ["ZSTD", zlib.zstdCompressSync],
    [
      "BROTLI",
      (bytes: Uint8Array) =>
        zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
    ],
  ] as const)("refuse a bomb of %s", async (codec, compress) => {
    const body = new Uint8Array(compress(new Uint8Array(1 << 24)));
    const bomb = forge({
      pages: [{ header: plainHeader(3, 24, body.length), body }],
      rows: 3n,
      meta: { codec },
    });
    expect(bomb.length).toBeLessThan(100_000);
    await expect(readAll(bomb)).rejects.toMatchObject({ code: "ERR_INPUT" });
  });

  it.each(["SNAPPY", "LZ4_RAW", "LZ4"] as const)("refuse lengths that %s does not hold", async (codec) => {
    // A length of 2^28 for Snappy, a match that never ends for LZ4.
    const body =
      codec === "SNAPPY"
        ? Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x01, 0, 0)
        : Uint8Array.of(0x1f, 0, 1, 0, 255, 255, 255, 255, 0);
    const file = forge({
      pages: [{ header: plainHeader(3, 24, body.length), body }],
      rows: 3n,
      meta: { codec },
    });
    await expect(readAll(file)).rejects.toMatchObject({ code: "ERR_INPUT" });
  });

  it.each([
    ["bytes", plainHeader(3, 0x7fff_ffff, 24), "ERR_LIMIT"],
    ["compressed bytes", plainHeader(3, 24, 0x7fff_ffff), "ERR_LIMIT"],
    ["values", plainHeader(0x7fff_ffff, 24, 24), "ERR_LIMIT"],
    ["fewer than no bytes", plainHeader(3, -1, 24), "ERR_INPUT"],
    ["more values than its column", plainHeader(4, 24, 24), "ERR_INPUT"],
    ["more bytes than its chunk", plainHeader(3, 24, 25), "ERR_INPUT"],
  ])("refuse a page of %s", async (_, header, code) => {
    await expect(
      readAll(forge({ pages: [{ header, body: plainPage(doubles).body }], rows: 3n })),
    ).rejects.toMatchObject({ code });
  });

  it("refuse rows that their pages do not hold", async () => {
    await expect(readAll(forge({ pages: [plainPage(doubles)], rows: 2n ** 40n }))).rejects.toMatchObject({
      code: "ERR_INPUT",
    });
    await expect(readAll(forge({ pages: [plainPage(doubles)], rows: -1n }))).rejects.toMatchObject({
      code: "ERR_INPUT",
    });
    await expect(
      readAll(forge({ pages: [plainPage(doubles)], rows: 3n, meta: { num_values: 4n } })),
    ).rejects.toMatchObject({ code: "ERR_INPUT" });
  });

  it("refuse an index outside the dictionary", async () => {
    const dictionary = {
      header: {
        type: "DICTIONARY_PAGE",
        uncompressed_page_size: 24,
        compressed_page_size: 24,
        dictionary_page_header: { num_values: 3, encoding: "PLAIN" },
      },
      body: plainPage(doubles).body,
    } as const;
    // Bits per index, then a run of three times the index.
    const indices = (index: number) => ({
      header: {
        ...plainHeader(3, 3, 3),
        data_page_header: { ...plainHeader(3, 3, 3).data_page_header!, encoding: "RLE_DICTIONARY" as const },
      },
      body: Uint8Array.of(2, 6, index),
    });
    const file = (index: number) =>
      forge({ pages: [dictionary, indices(index)], rows: 3n, meta: { dictionary_page_offset: 4n } });
    expect((await readAll(file(2))).get("x")).toEqual(Array(3).fill("4008000000000000"));
    await expect(readAll(file(3))).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining("index 3"),
    });
  });

  it.each([20_000, 1_000_000])("refuse %i columns", async (columns) => {
    const column = [0x15, 0x0a, 0x25, 0x00, 0x18, 0x01, 0x61, 0x00];
    const footer = Buffer.concat([
      Uint8Array.of(0x15, 0x04, 0x19, 0xfc, ...varint(columns + 1)),
      Uint8Array.of(0x48, 0x01, 0x72, 0x15, ...varint(2 * columns), 0x00),
      Buffer.alloc(column.length * columns, Uint8Array.from(column)),
      // No rows, no row groups.
      Uint8Array.of(0x16, 0x00, 0x19, 0x0c, 0x00),
    ]);
    const tail = Buffer.alloc(8);
    tail.writeUInt32LE(footer.length);
    tail.write("PAR1", 4);
    await expect(open(Buffer.concat([Buffer.from("PAR1"), footer, tail]))).rejects.toMatchObject({
      code: "ERR_LIMIT",
      message: expect.stringMatching(new RegExp(`at most 16384 columns but found ${columns}`)),
    });
  });

  it("refuse metadata that lie deep in each other, or have endless lists", async () => {
    const file = (footer: Uint8Array) => {
      const tail = Buffer.alloc(8);
      tail.writeUInt32LE(footer.length);
      tail.write("PAR1", 4);
      return Buffer.concat([Buffer.from("PAR1"), footer, tail]);
    };
    for (const footer of [
      Buffer.alloc(100_000, 0x1c),
      Uint8Array.of(0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x0f),
      Buffer.alloc(1000, 0xff),
    ]) {
      await expect(open(file(footer))).rejects.toMatchObject({ code: "ERR_INPUT" });
    }
  });
});

function varint(value: number): number[] {
  const bytes = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return [...bytes, rest];
}

describe("statistics that cannot be trusted", () => {
  const known = { min_value: 1, max_value: 3, null_count: 0n };
  it.each([
    ["whole", {}, known, { min: 1, max: 3, nulls: 0, distinct: null }],
    [
      "NaN",
      {},
      { min_value: Number.NaN, max_value: 3, null_count: 0n },
      { min: null, max: null, nulls: 0, distinct: null },
    ],
    [
      "reversed",
      {},
      { min_value: 3, max_value: 1, null_count: 0n },
      { min: null, max: null, nulls: 0, distinct: null },
    ],
    ["older, signed", {}, { min: 1, max: 3 }, { min: 1, max: 3, nulls: null, distinct: null }],
    ["older, unsigned", { type: "INT32", converted_type: "UINT_32" }, { min: 1, max: 3 }, null],
    [
      "unsigned",
      { type: "INT32", converted_type: "UINT_32" },
      { min_value: 1, max_value: 4_000_000_000 },
      { min: 1, max: 4_000_000_000, nulls: null, distinct: null },
    ],
    [
      "infinite",
      {},
      { min_value: -Infinity, max_value: 3 },
      { min: -Infinity, max: 3, nulls: null, distinct: null },
    ],
  ] as const)("%s", async (_, element, statistics, expected) => {
    await using table = await open(forge({ element, statistics, pages: [plainPage(doubles)], rows: 3n }));
    expect(table.parts![0]!.statistics("x")).toEqual(expected);
  });

  it("strings that may be truncated", async () => {
    const element = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
    const page = plainPage(Uint8Array.of(1, 0, 0, 0, 97));
    const statisticsOf = async (isExact: boolean | undefined) => {
      const bounds = {
        min_value: "a",
        max_value: "b",
        is_min_value_exact: isExact,
        is_max_value_exact: isExact,
      } as never;
      await using table = await open(forge({ element, statistics: bounds, pages: [page], rows: 1n }));
      return table.parts![0]!.statistics("x");
    };
    expect(await statisticsOf(true)).toMatchObject({ min: "a", max: "b" });
    expect(await statisticsOf(false)).toBeNull();
    expect(await statisticsOf(undefined)).toBeNull();
  });
});

describe("forged Arrow files", () => {
  it("refuse a bomb", async () => {
    const bomb = zlib.zstdCompressSync(new Uint8Array(1 << 24));
    setCompressionCodec(CompressionType.ZSTD, {
      encode: () => new Uint8Array(bomb),
      decode: () => new Uint8Array(0),
    });
    const values = tableFromArrays({ x: new Float64Array(4000) });
    const file = tableToIPC(values, { codec: CompressionType.ZSTD })!;
    await expect(readAll(file)).rejects.toMatchObject({ code: "ERR_INPUT" });
  });

  it("refuse a record batch whose buffers take more together than one bound", async () => {
    // Each buffer stays below its own limit: 200 MB of zeros in 20 kB.
    const zeros = zlib.zstdCompressSync(new Uint8Array(200_000_000));
    setCompressionCodec(CompressionType.ZSTD, {
      encode: () => new Uint8Array(zeros),
      decode: () => new Uint8Array(0),
    });
    const one = new Float64Array(25_000);
    const names = Array.from({ length: 9 }, (_, i) => `x${i}`);
    const file = tableToIPC(tableFromArrays(Object.fromEntries(names.map((name) => [name, one]))), {
      codec: CompressionType.ZSTD,
    })!;
    // The length that flechette writes before a buffer is the one of its values.
    const stated = Buffer.from(BigInt64Array.of(200_000n).buffer);
    let found = 0;
    for (let at = file.indexOf(stated[0]!); at >= 0; at = file.indexOf(stated[0]!, at + 1)) {
      if (Buffer.compare(file.subarray(at, at + 8), stated) !== 0) continue;
      file.set(Buffer.from(BigInt64Array.of(200_000_000n).buffer), at);
      found++;
    }
    expect(found).toBe(9);
    expect(file.length).toBeLessThan(250_000);
    const decompressed = vi.spyOn(zlib, "zstdDecompressSync");
    await expect(readAll(file)).rejects.toMatchObject({
      code: "ERR_LIMIT",
      message: expect.stringContaining("1073741824 bytes of a record batch"),
    });
    expect(decompressed).not.toHaveBeenCalled();
    decompressed.mockRestore();
    await using table = await open(file);
    for await (const { rows } of table.read({ columns: ["x3"] })) expect(rows).toBe(25_000);
  });

  it("refuse buffers that take more than the body", async () => {
    const file = tableToIPC(tableFromArrays({ x: new Float64Array(64), y: new Float64Array(64) }), {})!;
    await using source = await openSource(file);
    const schema = (await messageAt(source, 0, undefined))!;
    const { metadata } = (await messageAt(source, schema.end, undefined))!;
    const flat = new Flat(metadata);
    const batch = flat.table(flat.field(flat.root(), 2)!);
    const buffers = flat.vector(flat.field(batch, 2)!, 16);
    // The last buffer lies where the second one does, and both are as long as the body.
    const view = new DataView(file.buffer, file.byteOffset + schema.end + 8);
    for (const i of [1, 3]) {
      view.setBigInt64(buffers.at + 16 * i, 0n, true);
      view.setBigInt64(buffers.at + 16 * i + 8, 1024n, true);
    }
    await expect(readAll(file)).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining("2048 bytes of a body of 1024"),
    });
  });

  it("refuse 20,000 columns", async () => {
    const columns = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`c${i}`, Int8Array.of(1)]));
    const file = tableToIPC(tableFromArrays(columns), {})!;
    await expect(open(file)).rejects.toMatchObject({
      code: "ERR_LIMIT",
      message: expect.stringContaining("at most 16384 columns but found 20000"),
    });
  });

  it("refuse fields that contain themselves", async () => {
    const bytes = bytesOf("pyarrow-none.arrows");
    await using source = await openSource(bytes);
    const { metadata } = (await messageAt(source, 0, undefined))!;
    const flat = new Flat(metadata);
    const schema = flat.table(flat.field(flat.root(), 2)!);
    const fields = flat.field(schema, 1)!;
    const { at, length } = flat.vector(fields, 4);
    const nested = Array.from({ length }, (_, i) => flat.field(flat.table(at + 4 * i), 5)!).find(
      (children) => flat.vector(children, 4).length > 0,
    )!;
    // The message begins after eight bytes. Its children are the fields of the schema from now on.
    new DataView(bytes.buffer).setInt32(8 + nested, at - 4 - nested, true);
    await expect(open(bytes)).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining("outside"),
    });
  });

  it("refuse metadata that readers could understand in two ways", async () => {
    const bytes = bytesOf("pyarrow-deltas.arrows");
    // The list of the schema's fields ends inside a place, whose bytes would be the position of a vector with 2^22 entries.
    expect(bytes[108]).toBe(8);
    bytes.set([4, 16, 32, 64, 9], 104);
    await expect(open(bytes)).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining("list of 9 bytes"),
    });
  });

  it("refuse a dictionary that is extended before it exists, or is missing", async () => {
    const bytes = bytesOf("pyarrow-deltas.arrows");
    await using source = await openSource(bytes);
    const ends: number[] = [];
    for (let at = 0; ; ) {
      const placed = await messageAt(source, at, undefined);
      if (placed === null) break;
      at = placed.end;
      ends.push(at);
    }
    const [schema, dictionary, batch] = ends as [number, number, number];
    const without = (from: number, to: number) =>
      Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
    await expect(readAll(without(schema, dictionary))).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining("missing"),
    });
    await expect(readAll(without(schema, batch))).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining("extended"),
    });
  });

  it("refuse version 1 of Feather, and big-endian values", async () => {
    const feather = Buffer.concat([Buffer.from("FEA1"), Buffer.alloc(60)]);
    await expect(open(feather)).rejects.toMatchObject({ code: "ERR_UNSUPPORTED" });
  });
});
