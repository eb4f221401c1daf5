import type { CountsBatch, Table } from "./types.ts";

/** Tables whose batches have memory of their own, which the table does not use again. */
const lending = new WeakSet<Table>();

/** States that nothing but a batch of this table has the memory of its arrays. */
export const lend = (table: Table): void => {
  lending.add(table);
};

/**
 * Returns a function that frees the arrays of a batch, for a caller that reads the table and passes its batches to nobody.
 * Until the garbage collector freed them, there would be many, and it would run often. For other tables, the function does
 * nothing: a table may keep the batches of another one.
 */
export const freeing = (table: Table): ((batch: CountsBatch) => void) =>
  lending.has(table) ? free : () => {};

function free({ columns }: CountsBatch): void {
  for (const chunk of columns) {
    const array = "values" in chunk ? chunk.values : "codes" in chunk ? chunk.codes : null;
    if (ArrayBuffer.isView(array)) (array.buffer as ArrayBuffer).transfer(0);
  }
}
