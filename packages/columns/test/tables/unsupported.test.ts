import { ByteWriter, parquetWrite } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import { decodeColumn } from "../../src/formats/arrow/decode/column.ts";
import { Dictionaries } from "../../src/formats/arrow/dictionaries.ts";
import { readFooter } from "../../src/formats/parquet/footer.ts";
import { ParquetTable } from "../../src/formats/parquet/table.ts";
import { openSource } from "../../src/index.ts";
import { DecodePool } from "../../src/pool/index.ts";
import { type Forged, forge, plainPage } from "./damaged/forge.ts";
import { open, textsIn } from "./values.ts";

const three = plainPage(Float64Array.of(1, 2, 3));

describe("a column that cannot be read", () => {
  it("with an unknown logical type is refused by name, and the others are read", async () => {
    const bytes = forge({
      element: { type: "INT32", logical_type: { type: "DATE" } },
      pages: [plainPage(Int32Array.of(7))],
      rows: 1n,
      statistics: { null_count: 0n },
    });
    // Field 6 of the union is the date. Field 9 is no type.
    const at = Buffer.from(bytes).indexOf(Buffer.from([0x6c, 0, 0]));
    bytes[at] = 0x9c;
    await using table = await open(bytes);
    const reason = "its logical type (number 9 of Parquet) is unknown";
    expect(table.columns).toMatchObject([{ name: "x", type: { kind: "refused", reason } }]);
    expect(table.parts![0]!.statistics("x")).toEqual({ min: null, max: null, nulls: 0, distinct: null });
    await expect(textsIn(table, { columns: ["x"] })).rejects.toMatchObject({ code: "ERR_UNSUPPORTED" });
  });

  it("with a logical type whose number has two bytes is refused by name", async () => {
    const stated = forge({
      element: { type: "INT32", logical_type: { type: "DATE" } },
      pages: [plainPage(Int32Array.of(7))],
      rows: 1n,
    });
    const at = Buffer.from(stated).indexOf(Buffer.from([0x6c, 0, 0]));
    // The number of the field follows its type, and the metadata are two bytes longer.
    const bytes = Buffer.concat([
      stated.subarray(0, at),
      Buffer.of(0x0c, 0xf6, 0x27),
      stated.subarray(at + 1),
    ]);
    const length = bytes.length - 8;
    bytes.writeUInt32LE(bytes.readUInt32LE(length) + 2, length);
    await using table = await open(new Uint8Array(bytes));
    const reason = "its logical type (number 2555 of Parquet) is unknown";
    expect(table.columns).toMatchObject([{ name: "x", type: { kind: "refused", reason } }]);
  });

  it("because it is encrypted is refused by name, with the nulls that the file states", async () => {
    const bytes = forge({ pages: [three], rows: 3n, columns: 2, statistics: { null_count: 1n } });
    const source = await openSource(bytes);
    const footer = await readFooter(source, undefined);
    Object.assign(footer.groups[0]!.chunks[0]!, { isEncrypted: true });
    await using table = new ParquetTable(source, new DecodePool(0, bytes.length), footer);
    expect(table.columns.map(({ type }) => type)).toEqual([
      { kind: "refused", reason: "it is encrypted" },
      { kind: "number", type: "f64" },
    ]);
    expect(table.parts[0]!.statistics("x")).toMatchObject({ min: null, nulls: 1 });
    expect([...(await textsIn(table)).keys()]).toEqual(["x2"]);
  });

  it("because of its codec is refused by name", async () => {
    await using table = await open(forge({ pages: [three], rows: 3n, meta: { codec: "LZO" } }));
    expect(table.columns).toMatchObject([
      { type: { kind: "refused", reason: expect.stringContaining("its codec is LZO") } },
    ]);
  });

  it("because of a time in the year 9999 says so, and is not called damaged", async () => {
    const time = new Uint8Array(12);
    new DataView(time.buffer).setUint32(8, 2_440_588 + 2_932_896, true);
    const page = { header: { ...plainPage(time).header }, body: time };
    Object.assign(page.header, {
      data_page_header: { ...page.header.data_page_header, num_values: 1 },
    });
    await using table = await open(forge({ element: { type: "INT96" }, pages: [page], rows: 1n }));
    await expect(textsIn(table)).rejects.toMatchObject({
      code: "ERR_UNSUPPORTED",
      message: expect.stringContaining('column "x" cannot be read: a time lies 2932896 days from 1970'),
    });
  });
});

describe("a column that other readers refuse", () => {
  it("with the name of another one has a name of its own", async () => {
    const writer = new ByteWriter();
    const leaf = { name: "x", type: "INT32", repetition_type: "REQUIRED" } as const;
    parquetWrite({
      writer,
      schema: [{ name: "root", num_children: 2 }, leaf, leaf],
      columnData: [
        { name: "x", data: [1, 2] },
        { name: "x", data: [3, 4] },
      ],
    });
    await using table = await open(writer.getBytes());
    expect([...(await textsIn(table))]).toEqual([
      ["x", ["1", "2"]],
      ["x 2", ["3", "4"]],
    ]);
  });

  it.each([
    ["with levels", Uint8Array.of(6, 0), 0],
    ["without levels", new Uint8Array(0), 0],
    ["with a run of repetition levels", Uint8Array.of(6, 6, 0), 1],
  ])("is a compressed page of nulls of version 2, %s", async (_, body, repetition) => {
    const page: Forged["pages"][number] = {
      header: {
        type: "DATA_PAGE_V2",
        uncompressed_page_size: body.length,
        compressed_page_size: body.length,
        data_page_header_v2: {
          num_values: 3,
          num_nulls: 3,
          num_rows: 3,
          encoding: "PLAIN",
          definition_levels_byte_length: body.length - repetition,
          repetition_levels_byte_length: repetition,
          is_compressed: true,
        },
      },
      body,
    };
    const element = { repetition_type: "OPTIONAL" } as const;
    await using table = await open(forge({ element, pages: [page], rows: 3n, meta: { codec: "SNAPPY" } }));
    expect((await textsIn(table)).get("x")).toEqual([null, null, null]);
  });

  it("is a run of 40 million booleans", async () => {
    const rows = 40_000_000;
    // The length of the runs, a run of all rows, and its value.
    const run: number[] = [];
    for (let rest = 2 * rows; rest > 0; rest = Math.floor(rest / 128))
      run.push((rest % 128) | (rest >= 128 ? 128 : 0));
    const body = Uint8Array.of(run.length + 1, 0, 0, 0, ...run, 1);
    const { header } = plainPage(body);
    Object.assign(header, {
      data_page_header: { ...header.data_page_header, num_values: rows, encoding: "RLE" },
    });
    await using table = await open(
      forge({ element: { type: "BOOLEAN" }, pages: [{ header, body }], rows: BigInt(rows) }),
    );
    let ones = 0;
    for await (const { columns } of table.read()) {
      const [chunk] = columns;
      if (chunk === undefined || !("values" in chunk)) throw new Error("expected values");
      for (const value of chunk.values as Uint8Array) ones += value;
    }
    expect(ones).toBe(rows);
  }, 60_000);

  it("is a dictionary of Arrow with a null among its values", async () => {
    const dictionaries = new Dictionaries("file", new Map([[7, "utf8"]]), async (task) => decodeColumn(task));
    // The validity of three values, their offsets, and their bytes: "a", null and "b".
    const body = Buffer.concat([
      Uint8Array.of(0b101),
      new Uint8Array(Int32Array.of(0, 1, 1, 2).buffer),
      Buffer.from("ab"),
    ]);
    const regions = [
      { offset: 0, length: 1 },
      { offset: 1, length: 16 },
      { offset: 17, length: 2 },
    ];
    const batch = { rows: 3, nodes: [3], regions, variadic: [], codec: null };
    const read = async (at: number, length: number) => new Uint8Array(body.subarray(at, at + length));
    dictionaries.add({ id: 7, isDelta: false, batch, bodyBytes: body.length, read });
    const { size, strings, codes } = await dictionaries.get(7)();
    const column = decodeColumn({
      name: "x",
      store: "i8",
      rows: 5,
      // Row 4 is null itself.
      buffers: [Uint8Array.of(0b01111), Uint8Array.of(2, 1, 0, 1, 0)],
      base: 0,
      codec: null,
      dictionary: { size, codes },
    });
    expect(column.nulls).toBe(3);
    const rows = [...column.codes!].map((code, i) => ((column.bits![0]! >> i) & 1 ? strings[code] : null));
    expect(rows).toEqual(["b", null, "a", null, null]);
  });
});
