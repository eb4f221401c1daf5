import type { Chunk } from "@polybin/columns/page";

/** The most different strings of a column. */
const MOST_STRINGS: number = 1_000_000;

/** Counts the different strings of a column, chunk by chunk. */
export class Texts {
  nulls = 0;
  rows = 0;
  readonly #counts = new Map<string, number>();

  /** @throws if the column has too many different ones */
  add(chunk: Chunk): void {
    this.nulls += chunk.nulls;
    this.rows += chunk.rows - chunk.nulls;
    if ("codes" in chunk) this.#addCodes(chunk);
    else if ("strings" in chunk)
      for (let row = 0; row < chunk.rows; row++) if (has(chunk, row)) this.#count(chunk.strings[row]!, 1);
    if (this.#counts.size <= MOST_STRINGS) return;
    const most = MOST_STRINGS.toLocaleString("en");
    throw new Error(`expected at most ${most} different strings but the column has more`);
  }

  /** All strings, the most frequent ones first and equal ones in order. */
  sorted(): [text: string, count: number][] {
    return [...this.#counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  }

  #addCodes(chunk: Extract<Chunk, { readonly codes: unknown }>): void {
    const counts = new Float64Array(chunk.dictionary.length);
    for (let row = 0; row < chunk.rows; row++) if (has(chunk, row)) counts[chunk.codes[row]!]! += 1;
    for (const [code, count] of counts.entries()) if (count > 0) this.#count(chunk.dictionary[code]!, count);
  }

  #count(text: string, count: number): void {
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + count);
  }
}

/** Whether a row has a value. */
export const has = ({ validity }: Pick<Chunk, "validity">, row: number): boolean =>
  validity === null || ((validity.bits[row >> 3]! >> (row & 7)) & 1) === 1;
