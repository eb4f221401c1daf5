import type { Chunk } from "@polybin/columns";
import { checkGroups } from "../merge.ts";
import { isValid, valuesOf } from "./counter.ts";

/** The group of each row of a batch. */
export interface BatchGroups {
  /** Position of the row's group in `keys`. */
  readonly codes: Uint32Array;
  /** The groups of this batch, in the order in which they occur. Null: rows without a group. */
  readonly keys: readonly (string | null)[];
}

/**
 * Numbers the groups of a batch by their values: strings as they are, numbers as decimal digits, and null.
 * @throws ERR_LIMIT for too many of them
 */
export function groupsOf(chunk: Chunk): BatchGroups {
  const keys: (string | null)[] = [];
  const codes = new Uint32Array(chunk.rows);
  const known = new Map<unknown, number>();
  const keyAt = readerOf(chunk);
  for (let row = 0; row < chunk.rows; row++) {
    const key = isValid(chunk, row) ? keyAt(row) : null;
    let code = known.get(key);
    if (code === undefined) {
      code = keys.length;
      checkGroups(code + 1);
      known.set(key, code);
      keys.push(key === null ? null : String(key));
    }
    codes[row] = code;
  }
  return { codes, keys };
}

function readerOf(chunk: Chunk): (row: number) => string | number | bigint | null {
  if ("strings" in chunk) return (row) => chunk.strings[row]!;
  if ("codes" in chunk) return (row) => chunk.dictionary[chunk.codes[row]!]!;
  const values = valuesOf(chunk);
  return (row) => values[row]!;
}
