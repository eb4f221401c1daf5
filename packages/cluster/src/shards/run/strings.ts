import type { Chunk, CountsChunk } from "@polybin/columns";
import { cellsOf } from "../cells.ts";
import { MAX_TABLE_CELLS } from "../limits.ts";
import { checkGroups, checkStrings } from "../merge.ts";
import { type Counts, compareGroups } from "../payload.ts";
import { isValid } from "./counter.ts";
import type { BatchGroups } from "./groups.ts";

/** Counts every string of a column, group by group. Null is a string of its own. */
export class StringsCounter {
  readonly #rows = new Map<string | null, Map<string | null, number>>();
  readonly #seen = new Set<string>();
  #units = 0;

  async add(chunk: Chunk, groups: BatchGroups | null): Promise<void> {
    if ("codes" in chunk) this.#addCodes(chunk, groups);
    else this.#addStrings(chunk, groups);
    checkGroups(this.#rows.size);
    checkStrings(this.#seen.size, this.#units);
  }

  /** Adds different strings with their counts. */
  async addCounted({ values, counts, nulls }: CountsChunk): Promise<void> {
    if (nulls > 0) this.#count(null, null, nulls);
    for (const [i, count] of counts.entries()) this.#count(null, values[i] as string, count);
    checkStrings(this.#seen.size, this.#units);
  }

  take(): Counts {
    const strings = [...this.#seen].sort((a, b) => (a < b ? -1 : 1));
    const place = new Map<string | null, number>(strings.map((text, i) => [text, i]));
    place.set(null, strings.length);
    const rows = [...this.#rows].map(([group, counts]) => {
      const all = new Float64Array(strings.length + 1);
      for (const [text, count] of counts) all[place.get(text)!] = count;
      return { group, cells: cellsOf(all) };
    });
    return { strings, rows: rows.sort((a, b) => compareGroups(a.group, b.group)) };
  }

  #addCodes(chunk: Extract<Chunk, { readonly codes: unknown }>, groups: BatchGroups | null): void {
    const { codes, dictionary, rows } = chunk;
    const nulls = dictionary.length;
    const width = nulls + 1;
    const keys = groups?.keys ?? [null];
    // A batch counts into a table of its own if that is small, so that the maps are looked up once per string.
    const isSmall = keys.length * width <= MAX_TABLE_CELLS;
    const counts = isSmall ? new Float64Array(keys.length * width) : null;
    for (let row = 0; row < rows; row++) {
      const code = isValid(chunk, row) ? codes[row]! : nulls;
      const group = groups === null ? 0 : groups.codes[row]!;
      if (counts !== null) counts[group * width + code]! += 1;
      else this.#count(keys[group]!, code === nulls ? null : dictionary[code]!, 1);
    }
    for (const [cell, count] of counts?.entries() ?? []) {
      if (count === 0) continue;
      const code = cell % width;
      this.#count(keys[Math.floor(cell / width)]!, code === nulls ? null : dictionary[code]!, count);
    }
  }

  #addStrings(chunk: Chunk, groups: BatchGroups | null): void {
    for (let row = 0; row < chunk.rows; row++) {
      const text = isValid(chunk, row) ? textAt(chunk, row) : null;
      this.#count(groups === null ? null : groups.keys[groups.codes[row]!]!, text, 1);
    }
  }

  #count(group: string | null, text: string | null, count: number): void {
    let row = this.#rows.get(group);
    if (row === undefined) {
      row = new Map();
      this.#rows.set(group, row);
    }
    row.set(text, (row.get(text) ?? 0) + count);
    if (text === null || this.#seen.has(text)) return;
    this.#seen.add(text);
    this.#units += text.length;
  }
}

function textAt(chunk: Chunk, row: number): string | null {
  if ("strings" in chunk) return chunk.strings[row]!;
  if ("values" in chunk) return String(chunk.values[row]);
  return chunk.dictionary[chunk.codes[row]!]!;
}
