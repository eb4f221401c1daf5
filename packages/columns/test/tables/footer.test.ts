import { readdirSync, readFileSync } from "node:fs";
import { parquetMetadata } from "hyparquet";
import { describe, expect, it } from "vitest";
import { readFooter } from "../../src/formats/parquet/footer.ts";
import { leavesOf } from "../../src/formats/parquet/schema.ts";
import { openSource } from "../../src/index.ts";
import { forge, plainPage } from "./damaged/forge.ts";
import { fileOf, open, textsIn } from "./values.ts";

const files = readdirSync(fileOf(".")).filter((name) => name.endsWith(".parquet"));
const page = plainPage(new Float64Array([1, 2, 3]));

describe("the metadata of a file", () => {
  it.each(files)("are those that are parsed as a whole, %s", async (name) => {
    await using source = await openSource(fileOf(name));
    const footer = await readFooter(source, undefined);
    const { schema, num_rows, row_groups } = parquetMetadata(new Uint8Array(readFileSync(fileOf(name))));
    expect([footer.rows, footer.groups.length]).toEqual([num_rows, row_groups.length]);
    // Marks of geography are no part of the schema.
    expect(footer.schema.map((element) => element.name)).toEqual(schema.map((element) => element.name));
    const leaves = leavesOf(name, footer).filter(({ hasManyValues }) => !hasManyValues);
    for (const [i, group] of row_groups.entries()) {
      const { rows, chunks } = footer.groups[i]!;
      expect([rows, chunks.length]).toEqual([Number(group.num_rows), group.columns.length]);
      for (const [k, { meta_data, file_path, crypto_metadata }] of group.columns.entries()) {
        expect(chunks[k]).toMatchObject({
          codec: meta_data!.codec,
          compressed: Number(meta_data!.total_compressed_size),
          uncompressed: Number(meta_data!.total_uncompressed_size),
          isEncrypted: crypto_metadata !== undefined,
          isElsewhere: file_path !== undefined,
        });
      }
      for (const { chunk, element } of leaves) {
        const { statistics, ...own } = footer.chunk(i, chunk, element)!.meta_data!;
        const { statistics: expected, ...others } = group.columns[chunk]!.meta_data!;
        expect(own).toEqual(others);
        expect([statistics?.null_count, statistics?.is_min_value_exact]).toEqual([
          expected?.null_count,
          expected?.is_min_value_exact,
        ]);
      }
    }
  });

  it("are refused for the column whose chunk they state wrongly, and not for others", async () => {
    const bytes = Buffer.from(forge({ pages: [page], rows: 3n, columns: 2, statistics: { null_count: 0n } }));
    // The path of the second column's chunk becomes another field, and so do all after it.
    const at = bytes.lastIndexOf(Buffer.from([0x19, 0x18, 2, ...Buffer.from("x2")]));
    expect(at).toBeGreaterThan(0);
    bytes[at] = 0x29;
    await using table = await open(new Uint8Array(bytes));
    expect(table.columns).toMatchObject([
      { type: { kind: "number" } },
      { type: { kind: "refused", reason: expect.stringContaining("its codec is none") } },
    ]);
    expect([...(await textsIn(table)).keys()]).toEqual(["x"]);
    expect(table.parts![0]!.statistics("x")).toMatchObject({ nulls: 0 });
    expect(() => table.parts![0]!.statistics("x2")).toThrow(
      expect.objectContaining({ code: "ERR_INPUT", message: expect.stringContaining("damaged") }),
    );
  });

  it("are refused if they state the row groups twice", async () => {
    const bytes = Buffer.from(forge({ pages: [page], rows: 3n }));
    const end = bytes.length - 8;
    // A field of the number before, which is an empty list of structures.
    const twice = Buffer.from([0x09, 0x08, 0x0c, 0x00]);
    const stated = Buffer.concat([bytes.subarray(0, end - 1), twice, bytes.subarray(end)]);
    stated.writeUInt32LE(bytes.readUInt32LE(end) + twice.length - 1, stated.length - 8);
    await expect(open(new Uint8Array(stated))).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining("a structure has a field twice"),
    });
  });
});
