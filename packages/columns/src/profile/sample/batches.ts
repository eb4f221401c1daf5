import {
  type Batch,
  type Chunk,
  type CountsBatch,
  freeing,
  isValid,
  pickParts,
  type ReadOptions,
  type Table,
  type Validity,
  type ValueArray,
} from "../../table/index.ts";
import type { SamplePlan } from "../partial/plan.ts";
import { hasChosen, RowHashes } from "./chosen.ts";

/** The place of a table among those of a profile, and who learns how many rows it has. */
export interface Sampling {
  readonly file: number;
  /** Called with rows of the table as they are read or skipped, chosen or not. */
  readonly see: (rows: number) => void;
}

/** A part is searched for chosen rows if it should have fewer than this. Others surely have one. */
const FEW = 32;

/** Reads the rows of a sample. Parts without any are not read if the file states their rows. */
export async function* sampledBatches(
  table: Table,
  plan: SamplePlan,
  { file, see }: Sampling,
  options: ReadOptions,
): AsyncGenerator<CountsBatch> {
  const parts = pickParts(table, options.parts);
  const needed = parts?.filter((index) => {
    const { rows } = table.parts![index]!;
    if (rows === null || plan.below * rows >= FEW || hasChosen(plan, file, index, rows)) return true;
    see(rows);
    return false;
  });
  if (needed?.length === 0) return;
  const isWhole = needed === undefined || needed.length === table.parts!.length;
  const free = freeing(table);
  let [part, at, hashes]: [number | null, number, RowHashes | null] = [null, 0, null];
  for await (const batch of table.read({ ...options, ...(isWhole ? {} : { parts: needed }) })) {
    if (hashes === null || batch.part !== part) {
      [part, at, hashes] = [batch.part, 0, new RowHashes(plan.seed, file, batch.part)];
    }
    const rows: number[] = [];
    hashes.addBelow(plan.below, at, batch.rows, rows);
    at += batch.rows;
    see(batch.rows);
    if (rows.length > 0) yield taken(batch, rows);
    free(batch);
  }
}

/** Copies some rows of a batch. */
function taken({ part, columns }: Batch, rows: readonly number[]): Batch {
  return { rows: rows.length, part, columns: columns.map((chunk) => chunkOf(chunk, rows)) };
}

function chunkOf(chunk: Chunk, rows: readonly number[]): Chunk {
  const { name } = chunk;
  const validity = validityOf(chunk, rows);
  const nulls = validity === null ? 0 : rows.reduce((sum, row) => sum + Number(!isValid(chunk, row)), 0);
  const base = { name, rows: rows.length, nulls, validity: nulls === 0 ? null : validity };
  if ("values" in chunk) {
    const { values } = chunk;
    const some = new (values.constructor as new (length: number) => ValueArray)(rows.length);
    for (const [i, row] of rows.entries()) some[i] = values[row]!;
    return { ...base, values: some };
  }
  if ("codes" in chunk) {
    const { codes, dictionary } = chunk;
    return { ...base, codes: Uint32Array.from(rows, (row) => codes[row]!), dictionary };
  }
  return { ...base, strings: rows.map((row) => chunk.strings[row]!) };
}

function validityOf(chunk: Chunk, rows: readonly number[]): Validity | null {
  if (chunk.validity === null || chunk.nulls === 0) return null;
  const bits = new Uint8Array((rows.length + 7) >> 3);
  for (const [i, row] of rows.entries()) if (isValid(chunk, row)) bits[i >> 3]! |= 1 << (i & 7);
  return { bits };
}
