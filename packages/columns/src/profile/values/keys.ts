import type { ByteReader, ByteWriter } from "../bytes.ts";
import { type Counts, TextCounts, WordCounts, type Words } from "./counts.ts";
import { hashOfText, hashOfWords, rankHashOfText, rankHashOfWords } from "./hash.ts";

/** How polybin distinguishes the values of a column: as doubles, as 64-bit integers or as strings. */
export type ValueKind = "double" | "signed" | "unsigned" | "text";

/** A value as it is shown. */
export type Value = number | bigint | string;

/** The operations on the keys of a kind of values. */
export interface Keys<Key> {
  counts(): Counts<Key>;
  hash(key: Key): number;
  rankHash(key: Key): number;
  value(key: Key): Value;
  write(key: Key, to: ByteWriter): void;
  read(from: ByteReader): Key;
}

/** Code units of a string at most: the longest of any engine. */
const MOST_UNITS = 2 ** 30;
const words = new Int32Array(2);
const bytes = new Uint8Array(words.buffer);
const double = new Float64Array(words.buffer);
const signed = new BigInt64Array(words.buffer);
const unsigned = new BigUint64Array(words.buffer);

function wordKeys(view: { readonly [index: number]: number | bigint }): Keys<Words> {
  const fill = ([lower, upper]: Words): void => {
    words[0] = lower;
    words[1] = upper;
  };
  return {
    counts: () => new WordCounts(),
    hash: ([lower, upper]) => hashOfWords(lower, upper),
    rankHash: ([lower, upper]) => rankHashOfWords(lower, upper),
    value: (key) => {
      fill(key);
      return view[0]!;
    },
    write: (key, to) => {
      fill(key);
      to.bytes(bytes);
    },
    read: (from) => {
      bytes.set(from.bytes(bytes.length));
      return [words[0]!, words[1]!];
    },
  };
}

const TEXT: Keys<string> = {
  counts: () => new TextCounts(),
  hash: hashOfText,
  rankHash: rankHashOfText,
  value: (key) => key,
  write: (key, to) => to.text(key),
  read: (from) => from.text(MOST_UNITS),
};

const KEYS: Readonly<Record<ValueKind, Keys<Words> | Keys<string>>> = {
  double: wordKeys(double),
  signed: wordKeys(signed),
  unsigned: wordKeys(unsigned),
  text: TEXT,
};

/** The keys of a kind. They are those of strings for text and words for all others. */
export function keysOf(kind: ValueKind): Keys<unknown> {
  return KEYS[kind] as Keys<unknown>;
}

/** Orders values: numbers ascending, strings by their code units. */
export function compareValues(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
