import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { columnFromArray, int8, tableFromColumns, tableToIPC, utf8 } from "@uwdata/flechette";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import { format as arrow } from "../../src/formats/arrow/index.ts";
import { format as parquet } from "../../src/formats/parquet/index.ts";
import { streamSource } from "../../src/source/stream.ts";
import { bitsOf, expected, fileOf, open, textsIn } from "./values.ts";

const bytesOf = (name: string) => new Uint8Array(readFileSync(fileOf(name)));

describe("files by hyparquet-writer", () => {
  const integers = Array.from({ length: 1000 }, (_, i) => BigInt(i) * 0x7fff_ffff_ffffn - 2n ** 60n);
  const doubles = [
    Number.NaN,
    Infinity,
    -Infinity,
    -0,
    0,
    ...Array.from({ length: 995 }, (_, i) => Math.sin(i) * 1e9),
  ];
  const words = Array.from({ length: 1000 }, (_, i) => (i % 4 === 0 ? null : `word ${i % 9}`));

  it.each(["UNCOMPRESSED", "SNAPPY"] as const)("%s", async (codec) => {
    const bytes = parquetWriteBuffer({
      codec,
      rowGroupSize: [300, 700],
      columnData: [
        { name: "i", data: integers, type: "INT64" },
        { name: "delta", data: integers, type: "INT64", encoding: "DELTA_BINARY_PACKED" },
        { name: "d", data: doubles, type: "DOUBLE" },
        { name: "split", data: doubles, type: "DOUBLE", encoding: "BYTE_STREAM_SPLIT" },
        { name: "w", data: words, type: "STRING" },
        { name: "flag", data: words.map((word) => word !== null), type: "BOOLEAN" },
      ],
    });
    await using table = await open(bytes);
    expect(table.parts!.map(({ rows }) => rows)).toEqual([300, 700]);
    const found = await textsIn(table);
    expect(found.get("i")).toEqual(integers.map(String));
    expect(found.get("delta")).toEqual(integers.map(String));
    expect(found.get("d")).toEqual(doubles.map(bitsOf));
    expect(found.get("split")).toEqual(doubles.map(bitsOf));
    expect(found.get("w")).toEqual(words);
    expect(found.get("flag")).toEqual(words.map((word) => (word === null ? "0" : "1")));
    const last = await textsIn(table, { columns: ["w", "i"], parts: [1] });
    expect([...last.keys()]).toEqual(["w", "i"]);
    expect(last.get("w")).toEqual(words.slice(300));
  });
});

describe("streams", () => {
  /** A stream in pieces of a few bytes. */
  const streamOf = (bytes: Uint8Array, piece: number) =>
    streamSource(
      Readable.from(
        (function* pieces() {
          for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
        })(),
      ),
      "stream",
    );

  it.each(["pyarrow-none.arrows", "pyarrow-lz4.arrows", "pyarrow-replaced.arrows"])(
    "of Arrow are read once, %s",
    async (name) => {
      const bytes = bytesOf(name);
      await using table = await arrow.open(streamOf(bytes, 1000), { threads: 0 });
      expect(table.parts).toBeNull();
      await using whole = await open(bytes);
      expect(await textsIn(table)).toEqual(await textsIn(whole));
      await expect(textsIn(table)).rejects.toMatchObject({
        code: "ERR_INPUT",
        message: expect.stringContaining("read before"),
      });
    },
  );

  it("that end too early are refused", async () => {
    const bytes = bytesOf("pyarrow-deltas.arrows");
    await using table = await arrow.open(streamOf(bytes.subarray(0, bytes.length - 100), 64), { threads: 0 });
    await expect(textsIn(table)).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining("ends inside"),
    });
  });

  it("of files are refused with advice", async () => {
    await expect(parquet.open(streamOf(bytesOf("pyarrow-sums.parquet"), 64), {})).rejects.toMatchObject({
      code: "ERR_UNSUPPORTED",
    });
    await expect(arrow.open(streamOf(bytesOf("pyarrow-deltas.arrow"), 64), {})).rejects.toMatchObject({
      code: "ERR_UNSUPPORTED",
    });
  });
});

describe("large record batches", () => {
  it("are read in pieces", async () => {
    const rows = 8_000_000;
    const values = Int8Array.from({ length: rows }, (_, i) => i % 100);
    const few = Array.from({ length: 10 }, (_, i) => `word ${i}`);
    const table = tableFromColumns([["x", columnFromArray(values, int8())]] as never);
    await using large = await open(tableToIPC(table, { format: "file" })!);
    let at = 0;
    let batches = 0;
    for await (const { columns } of large.read()) {
      const [x] = columns;
      if (!("values" in x!)) throw new Error("expected values");
      batches++;
      for (const value of x.values) if (value !== at++ % 100) throw new Error(`row ${at - 1} is wrong`);
    }
    expect([at, batches]).toEqual([rows, 2]);
    await using small = await open(
      tableToIPC(tableFromColumns([["w", columnFromArray(few, utf8())]] as never), { format: "stream" })!,
    );
    expect((await textsIn(small)).get("w")).toEqual(few);
  }, 60_000);
});

describe.each(["pyarrow-dictionary-zstd-v2.parquet", "pyarrow-zstd.arrow"])("%s", (name) => {
  it("reads chosen columns and parts, and reports progress", async () => {
    await using table = await open(fileOf(name));
    const seen: number[] = [];
    const found = await textsIn(table, {
      columns: ["text?", "i64"],
      parts: [1],
      onProgress: ({ rows }) => seen.push(rows),
    });
    expect([...found.keys()]).toEqual(["text?", "i64"]);
    expect(found.get("i64")).toEqual(expected.columns.i64!.values.slice(90));
    expect(seen).toEqual([60]);
    await expect(textsIn(table, { columns: ["i65"] })).rejects.toMatchObject({ code: "ERR_INPUT" });
    await expect(textsIn(table, { parts: [2] })).rejects.toMatchObject({ code: "ERR_INPUT" });
    // No columns: only rows.
    let rows = 0;
    for await (const batch of table.read({ columns: [] })) rows += batch.rows;
    expect(rows).toBe(150);
  });

  it("stops when it is aborted", async () => {
    await using table = await open(fileOf(name), { threads: 1 });
    const controller = new AbortController();
    const reading = async () => {
      for await (const _ of table.read({ signal: controller.signal })) controller.abort(new Error("enough"));
    };
    await expect(reading()).rejects.toThrow("enough");
    expect((await textsIn(table, { columns: ["i8"] })).get("i8")).toHaveLength(150);
  });

  it("gives what it decodes in threads", async () => {
    await using here = await open(fileOf(name));
    await using there = await open(fileOf(name), { threads: 2 });
    expect(await textsIn(there)).toEqual(await textsIn(here));
  });
});
