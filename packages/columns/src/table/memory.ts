import type { CountsBatch, Table } from "./types.ts";

/** Tables whose batches have memory of their own, which the table does not use again. */
const lending = new WeakSet<Table>();
/** Batches of them that are used again. */
const held = new WeakSet<CountsBatch>();

/** States that nothing but a batch of this table has the memory of its arrays. */
export const lend = (table: Table): void => {
  lending.add(table);
};

/** Whether nothing but a batch of this table has the memory of its arrays. */
export const lends = (table: Table): boolean => lending.has(table);

/** States that a batch is used again. */
export const hold = (batch: CountsBatch): void => {
  held.add(batch);
};

/**
 * Returns a function that frees the arrays of a batch, for a caller that reads the table and passes its batches to nobody.
 * Until the garbage collector freed them, there would be many, and it would run often. For other tables, the function does
 * nothing: a table may keep the batches of another one.
 */
export const freeing = (table: Table): ((batch: CountsBatch) => void) => (lends(table) ? free : () => {});

function free(batch: CountsBatch): void {
  if (held.has(batch)) return;
  for (const chunk of batch.columns) {
    const array = "values" in chunk ? chunk.values : "codes" in chunk ? chunk.codes : null;
    if (ArrayBuffer.isView(array)) (array.buffer as ArrayBuffer).transfer(0);
  }
}
