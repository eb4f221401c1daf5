import type { Chunk, CountsBatch, CountsChunk, Table } from "./types.ts";

type GiveBack = (memory: ArrayBuffer) => void;

/** Tables whose batches have memory of their own, and what takes it back. */
const lending = new WeakMap<Table, GiveBack>();
/** Memory of their batches that is used again. */
const held = new WeakSet<ArrayBuffer>();

/**
 * States that nothing but a batch of this table has the memory of its arrays.
 * @param back receives the memory of a batch that is not needed any more
 */
export const lend = (table: Table, back: GiveBack): void => {
  lending.set(table, back);
};

/** Does so for a table whose batches are those of another one. */
export function lendAs(table: Table, of: Table): void {
  const back = lending.get(of);
  if (back !== undefined) lend(table, back);
}

/** Does so for a table whose batches are those of others. Their memory is not used again. */
export function lendOnce(table: Table, of: readonly Table[]): void {
  if (of.every((one) => lending.has(one))) lend(table, discard);
}

/** Frees memory. */
export const discard: GiveBack = (memory) => {
  memory.transfer(0);
};

/** States that a batch is used again. */
export function hold(batch: CountsBatch): void {
  for (const memory of memoryOf(batch)) held.add(memory);
}

/**
 * Returns a function that gives back the arrays of a batch, for a caller that reads the table and passes its batches to
 * nobody. Until the garbage collector freed them, there would be many, and it would run often. For other tables, the
 * function does nothing: a table may keep the batches of another one.
 */
export function freeing(table: Table): (batch: CountsBatch) => void {
  const back = lending.get(table);
  if (back === undefined) return () => {};
  return (batch) => {
    // A transfer empties the arrays, so that a mistake shows.
    for (const memory of memoryOf(batch)) if (!held.has(memory)) back(memory.transfer());
  };
}

function memoryOf({ columns }: CountsBatch): readonly ArrayBuffer[] {
  return columns.flatMap(arraysOf).map(({ buffer }) => buffer as ArrayBuffer);
}

function arraysOf(chunk: Chunk | CountsChunk): readonly ArrayBufferView[] {
  const arrays = [
    "values" in chunk ? chunk.values : "codes" in chunk ? chunk.codes : null,
    "counts" in chunk ? chunk.counts : chunk.validity?.bits,
  ];
  return arrays.filter((array) => ArrayBuffer.isView(array));
}
