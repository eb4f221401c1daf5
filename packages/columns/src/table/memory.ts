import type { CountsBatch, Table } from "./types.ts";

/** Tables whose batches have memory of their own, and what takes it back. */
const lending = new WeakMap<Table, (memory: ArrayBuffer) => void>();

/**
 * States that nothing but a batch of this table has the memory of its arrays.
 * @param back receives the memory of a batch that is not needed any more
 */
export const lend = (table: Table, back: (memory: ArrayBuffer) => void): void => {
  lending.set(table, back);
};

/**
 * Returns a function that gives back the arrays of a batch, for a caller that reads the table and passes its batches to
 * nobody. Until the garbage collector freed them, there would be many, and it would run often. For other tables, the
 * function does nothing: a table may keep the batches of another one.
 */
export function freeing(table: Table): (batch: CountsBatch) => void {
  const back = lending.get(table);
  if (back === undefined) return () => {};
  return ({ columns }) => {
    for (const chunk of columns) {
      const array = "values" in chunk ? chunk.values : "codes" in chunk ? chunk.codes : null;
      // A transfer empties the arrays, so that a mistake shows.
      if (ArrayBuffer.isView(array)) back((array.buffer as ArrayBuffer).transfer());
    }
  };
}
