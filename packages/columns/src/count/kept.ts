import type { Batch, Chunk } from "../table/index.ts";

/** Batches of a first pass, for the second one. Beyond a number of bytes, they are dropped. */
export class Kept {
  readonly #most: number;
  #bytes = 0;
  #batches: Batch[] | null = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Null: they were too many, and the table is read again. */
  get batches(): readonly Batch[] | null {
    return this.#batches;
  }

  add(batch: Batch): void {
    if (this.#batches === null) return;
    this.#bytes += batch.columns.reduce((sum, chunk) => sum + bytesOf(chunk), 0);
    if (this.#bytes > this.#most) this.#batches = null;
    else this.#batches.push(batch);
  }
}

/** Bytes of an object in a list. */
const OBJECT_BYTES = 16;

function bytesOf(chunk: Chunk): number {
  if ("values" in chunk) return chunk.values.byteLength;
  const texts = "codes" in chunk ? chunk.dictionary : chunk.strings;
  const codes = "codes" in chunk ? chunk.codes.byteLength : 0;
  return texts.reduce((sum, text) => sum + OBJECT_BYTES + (text?.length ?? 0), codes);
}
