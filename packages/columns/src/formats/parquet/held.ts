import { joinValues, sliceValues, type Values } from "../lib/bytes/index.ts";
import { HELD_BYTES } from "./limits.ts";
import type { ColumnTask } from "./task.ts";

/** Rows of a batch in one column: pages to decode, or rows of a page that is decoded once for several batches. */
export type Piece =
  | { readonly kind: "pages"; readonly rows: number; readonly task: ColumnTask }
  | { readonly kind: "held"; readonly rows: number; readonly from: number; readonly page: Promise<Values> };

/** Decodes pages that have more rows than a batch, and keeps their values for the batches after it. */
export class HeldPages {
  readonly #decode: (task: ColumnTask) => Promise<Values>;
  #bytes = 0;

  /** @param decode decodes all rows of a task. */
  constructor(decode: (task: ColumnTask) => Promise<Values>) {
    this.#decode = decode;
  }

  /** Returns a page to take rows from, or null if its values do not fit next to those of other columns. */
  hold(task: ColumnTask): HeldPage | null {
    const bytes = (task.store === "boolean" ? 1 : task.store === "string" ? 4 : 8) * task.rows;
    if (this.#bytes + bytes > HELD_BYTES) return null;
    this.#bytes += bytes;
    const values = this.#decode(task);
    // A batch awaits it in its turn. Until then, its failure must not count as unhandled.
    values.catch(() => {});
    return new HeldPage(values, task.rows, () => {
      this.#bytes -= bytes;
    });
  }
}

/** A page that is decoded once, and the number of its rows that batches took. */
export class HeldPage {
  readonly #values: Promise<Values>;
  readonly #rows: number;
  readonly #release: () => void;
  #taken = 0;

  constructor(values: Promise<Values>, rows: number, release: () => void) {
    this.#values = values;
    this.#rows = rows;
    this.#release = release;
  }

  get isTaken(): boolean {
    return this.#taken === this.#rows;
  }

  /** Takes the next rows, at most `most`. */
  take(most: number): Piece {
    const rows = Math.min(most, this.#rows - this.#taken);
    const piece: Piece = { kind: "held", rows, from: this.#taken, page: this.#values };
    this.#taken += rows;
    if (this.isTaken) this.#release();
    return piece;
  }
}

/** Returns a column's rows of a batch. `decoded` has the values of its pieces that are pages, in order. */
export async function assembled(pieces: readonly Piece[], decoded: readonly Values[]): Promise<Values> {
  const parts: Values[] = [];
  let next = 0;
  for (const piece of pieces) {
    if (piece.kind === "pages") parts.push(decoded[next++]!);
    else parts.push(sliceValues(await piece.page, piece.from, piece.rows));
  }
  return joinValues(
    parts,
    pieces.map(({ rows }) => rows),
  );
}
