import type { ColumnMetaData, FileMetaData, PageHeader, SchemaElement, Statistics } from "hyparquet";
import { ByteWriter } from "hyparquet-writer";
import { writePageHeader } from "hyparquet-writer/src/datapage.js";
import { writeMetadata } from "hyparquet-writer/src/metadata.js";

/** A Parquet file of one column, as a forger states it. */
export interface Forged {
  readonly element?: Partial<SchemaElement>;
  readonly pages: readonly { readonly header: Partial<PageHeader>; readonly body: Uint8Array }[];
  readonly rows: bigint;
  readonly meta?: Partial<ColumnMetaData>;
  readonly statistics?: Statistics;
  /** Number of columns with these pages. Default: 1. Those after the first are called x2, x3 … */
  readonly columns?: number;
}

/** A page of values that are required and plain. */
export function plainPage(values: ArrayBufferView & { readonly length: number }): Forged["pages"][number] {
  const body = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return { header: plainHeader(values.length, body.length, body.length), body };
}

/** The header of a page of required and plain values. */
export function plainHeader(values: number, size: number, stored: number): Partial<PageHeader> {
  return {
    type: "DATA_PAGE",
    uncompressed_page_size: size,
    compressed_page_size: stored,
    data_page_header: {
      num_values: values,
      encoding: "PLAIN",
      definition_level_encoding: "RLE",
      repetition_level_encoding: "RLE",
    },
  };
}

/** Writes a Parquet file that states what it is told. */
export function forge({ element, pages, rows, meta, statistics, columns = 1 }: Forged): Uint8Array {
  const writer = new ByteWriter();
  writer.appendUint32(0x31524150);
  for (const { header, body } of pages) {
    writePageHeader(writer, header as PageHeader);
    writer.appendBytes(body);
  }
  const length = BigInt(writer.offset - 4);
  const leaf = { name: "x", type: "DOUBLE", repetition_type: "REQUIRED", ...element } as SchemaElement;
  const leaves = Array.from({ length: columns }, (_, i) => (i === 0 ? leaf : { ...leaf, name: `x${i + 1}` }));
  const chunks = leaves.map(({ name }) => ({
    file_offset: 0n,
    meta_data: {
      type: leaf.type,
      encodings: ["PLAIN"],
      path_in_schema: [name],
      codec: "UNCOMPRESSED",
      num_values: rows,
      total_uncompressed_size: length,
      total_compressed_size: length,
      data_page_offset: 4n,
      ...(statistics && { statistics }),
      ...meta,
    } as ColumnMetaData,
  }));
  const metadata = {
    version: 2,
    schema: [{ name: "root", num_children: columns }, ...leaves],
    num_rows: rows,
    row_groups: [{ columns: chunks, total_byte_size: length, num_rows: rows }],
    metadata_length: 0,
  } as FileMetaData;
  writeMetadata(writer, metadata);
  writer.appendUint32(0x31524150);
  return writer.getBytes();
}
