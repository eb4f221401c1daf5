import { type ByteReader, type ByteWriter, broken } from "../bytes.ts";
import type { Counts } from "./counts.ts";
import { compareValues, keysOf, type ValueKind } from "./keys.ts";

/** Writes exact counts in the order of their values, so that equal counts have equal bytes. */
export function writeEntries(to: ByteWriter, counts: Counts<unknown>, kind: ValueKind): void {
  const keys = keysOf(kind);
  to.whole(counts.size);
  const entries = Array.from(counts.entries(), ([key, count]) => ({ key, count, value: keys.value(key) }));
  entries.sort((a, b) => compareValues(a.value, b.value));
  for (const { key, count } of entries) {
    keys.write(key, to);
    to.whole(count);
  }
}

/** Reads what `writeEntries` wrote, at most `limit` values. @returns their number, in which a value may be twice */
export function readEntries(
  from: ByteReader,
  kind: ValueKind,
  limit: number,
  add: (key: unknown, count: number) => void,
): number {
  const keys = keysOf(kind);
  const size = from.whole(limit);
  for (let i = 0; i < size; i++) {
    const key = keys.read(from);
    const count = from.whole();
    if (count === 0) throw broken("a value that never occurs");
    add(key, count);
  }
  return size;
}
