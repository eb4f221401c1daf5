import { MAX_BLOCKS, MAX_FIELDS } from "../limits.ts";
import { checkFields } from "./fields.ts";
import { Flat, type FlatTable } from "./flat.ts";

/** Part of a message's body. */
export interface Region {
  readonly offset: number;
  readonly length: number;
}

/** The metadata of a record batch, or of a dictionary's values. */
export interface RecordBatch {
  readonly rows: number;
  /** Rows of each field, in the order of the schema, nested ones after their parents. */
  readonly nodes: readonly number[];
  readonly regions: readonly Region[];
  /** Numbers of data buffers of the fields of views. */
  readonly variadic: readonly number[];
  readonly codec: "lz4" | "zstd" | null;
}

/** A message, checked. The reader of its body checks the positions in it. */
export type Message = { readonly bodyBytes: number } & (
  | { readonly kind: "schema" }
  | { readonly kind: "batch"; readonly batch: RecordBatch }
  | {
      readonly kind: "dictionary";
      readonly batch: RecordBatch;
      readonly id: number;
      readonly isDelta: boolean;
    }
  | { readonly kind: "other" }
);

/** Versions of the metadata that record batches of today have. */
const VERSION_4 = 3;
const HEADERS = { schema: 1, dictionary: 2, batch: 3 } as const;
const CODECS = ["lz4", "zstd"] as const;
/** Bytes of a field's entry, and of a buffer's. */
const NODE_BYTES = 16;

/** @throws Error if the metadata are damaged. */
export function messageIn(metadata: Uint8Array): Message {
  const flat = new Flat(metadata);
  const root = flat.root();
  const version = flat.int16(flat.field(root, 0), 0);
  const kind = flat.uint8(flat.field(root, 1), 0);
  const header = flat.field(root, 2);
  const bodyBytes = flat.length(flat.field(root, 3));
  if (header === null) return { kind: "other", bodyBytes };
  const table = flat.table(header);
  if (kind === HEADERS.schema) {
    checkFields(flat, table);
    return { kind: "schema", bodyBytes };
  }
  if (kind !== HEADERS.batch && kind !== HEADERS.dictionary) return { kind: "other", bodyBytes };
  if (version < VERSION_4) throw new Error(`the version ${version + 1} of the metadata is older than 4`);
  if (kind === HEADERS.batch) return { kind: "batch", bodyBytes, batch: batchIn(flat, table) };
  const values = flat.field(table, 1);
  if (values === null) throw new Error("a dictionary has no values");
  return {
    kind: "dictionary",
    bodyBytes,
    batch: batchIn(flat, flat.table(values)),
    id: flat.id(flat.field(table, 0)),
    isDelta: flat.uint8(flat.field(table, 2), 0) !== 0,
  };
}

function batchIn(flat: Flat, table: FlatTable): RecordBatch {
  const nodes = flat.vector(flat.field(table, 1), NODE_BYTES);
  const regions = flat.vector(flat.field(table, 2), NODE_BYTES);
  const variadic = flat.vector(flat.field(table, 4), 8);
  for (const { length } of [nodes, regions, variadic]) {
    if (length > 4 * MAX_FIELDS + MAX_BLOCKS) throw new Error(`a record batch has ${length} buffers`);
  }
  const list = <T>(vector: { at: number; length: number }, stride: number, read: (at: number) => T): T[] =>
    Array.from({ length: vector.length }, (_, i) => read(vector.at + i * stride));
  return {
    rows: flat.length(flat.field(table, 0)),
    nodes: list(nodes, NODE_BYTES, (at) => flat.length(at)),
    regions: list(regions, NODE_BYTES, (at) => ({ offset: flat.length(at), length: flat.length(at + 8) })),
    variadic: list(variadic, 8, (at) => flat.length(at)),
    codec: codecIn(flat, flat.field(table, 3)),
  };
}

function codecIn(flat: Flat, reference: number | null): RecordBatch["codec"] {
  if (reference === null) return null;
  const table = flat.table(reference);
  const codec = flat.uint8(flat.field(table, 0), 0);
  const method = flat.uint8(flat.field(table, 1), 0);
  if (CODECS[codec] === undefined || method !== 0) throw new Error(`the codec ${codec} is unknown`);
  return CODECS[codec];
}

/** A message in a file: its position, and the bytes of its metadata and body. */
export interface Block {
  readonly at: number;
  readonly bytes: number;
  /** Number of rows of a record batch, or null if only its message states it. */
  readonly rows: number | null;
}

/** The messages of a file that hold values. */
export interface Blocks {
  readonly dictionaries: readonly Block[];
  readonly batches: readonly Block[];
}

/** Bytes of a block in a footer. */
const BLOCK_BYTES = 24;

/** Returns the blocks that a file's footer lists. */
export function blocksIn(footer: Uint8Array): Blocks {
  const flat = new Flat(footer);
  const root = flat.root();
  const list = (index: number): Block[] => {
    const { at, length } = flat.vector(flat.field(root, index), BLOCK_BYTES);
    if (length > MAX_BLOCKS) throw new Error(`the footer lists ${length} blocks`);
    return Array.from({ length }, (_, i) => {
      const place = at + BLOCK_BYTES * i;
      return { at: flat.length(place), bytes: flat.length(place + 16), rows: null };
    });
  };
  return { dictionaries: list(2), batches: list(3) };
}
