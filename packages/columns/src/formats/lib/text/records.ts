/** The bytes that decide which newlines end a record. */
export interface Marks {
  /** The byte of a quotation mark, or null. It has a meaning at the start of a field, and from there to its end. */
  readonly quote: number | null;
  /** The bytes that may separate fields. */
  readonly separators: readonly number[];
  /** The byte before one without a meaning, or null. */
  readonly escape: number | null;
  /** The byte at the start of a line that is no record, or null. */
  readonly comment: number | null;
}

/** The marks of lines: every newline ends one. */
export const LINES: Marks = { quote: null, separators: [], escape: null, comment: null };

/** How records lie in a text file. */
export interface RecordLayout {
  /** Offset of the first record with data, after a byte order mark and a header. */
  readonly start: number;
  /** The byte that ends a record: a line feed, or a carriage return in files without line feeds. */
  readonly newline: number;
  readonly marks: Marks;
  /** Bytes per part. A part has the records that start in its bytes. */
  readonly partBytes: number;
}

/** Bytes of one record at most. It bounds the memory of a file without newlines, or with a quote that is not closed. */
export const MAX_RECORD_BYTES = 16_777_216;

/** Counts the occurrences of a byte. */
export function countOf(bytes: Uint8Array, byte: number): number {
  let count = 0;
  // Most texts have no quotation marks at all, and searching for the first one is much faster than a loop.
  const first = bytes.indexOf(byte);
  if (first < 0) return 0;
  for (let i = first; i < bytes.length; i++) if (bytes[i] === byte) count++;
  return count;
}

/** Where the bytes so far end. */
const RECORD = 0;
const FIELD = 1;
const PLAIN = 2;
const QUOTED = 3;
/** Behind a quotation mark that may close a field, or be the first one of a pair. */
const CLOSED = 4;
/** Behind blanks that follow such a mark. */
const CLOSED_BLANK = 5;
const COMMENT = 6;
const ESCAPED = 7;
const ESCAPED_IN_QUOTES = 8;

/** Kinds of bytes. Others are 0. */
const QUOTE = 1;
const SEPARATOR = 2;
const NEWLINE = 3;
const BLANK = 4;
const ESCAPE = 5;
const COMMENTS = 6;
const KINDS = 7;

/** The next state by state and kind of byte, as papaparse reads fields. */
const NEXT = Uint8Array.of(
  // other, quote, separator, newline, blank, escape, comment
  ...[PLAIN, QUOTED, FIELD, RECORD, PLAIN, ESCAPED, COMMENT],
  ...[PLAIN, QUOTED, FIELD, RECORD, PLAIN, ESCAPED, PLAIN],
  ...[PLAIN, PLAIN, FIELD, RECORD, PLAIN, ESCAPED, PLAIN],
  ...[QUOTED, CLOSED, QUOTED, QUOTED, QUOTED, ESCAPED_IN_QUOTES, QUOTED],
  ...[QUOTED, QUOTED, FIELD, RECORD, CLOSED_BLANK, ESCAPED_IN_QUOTES, QUOTED],
  ...[QUOTED, CLOSED, FIELD, RECORD, CLOSED_BLANK, ESCAPED_IN_QUOTES, QUOTED],
  ...[COMMENT, COMMENT, COMMENT, RECORD, COMMENT, COMMENT, COMMENT],
  ...[PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, PLAIN],
  ...[QUOTED, QUOTED, QUOTED, QUOTED, QUOTED, QUOTED, QUOTED],
);

/** Looks for the end of a record. It remembers whether it is between quotation marks. */
export class RecordEnds {
  readonly #newline: number;
  readonly #kinds = new Uint8Array(256);
  /** Without these bytes, the last byte decides the state. */
  readonly #rare: readonly number[];
  #state = RECORD;

  constructor({ newline, marks }: Pick<RecordLayout, "newline" | "marks">) {
    const { quote, separators, comment } = marks;
    this.#newline = newline;
    this.#rare = [quote, marks.escape, comment].filter((byte) => byte !== null);
    for (const byte of [9, 10, 11, 12, 13, 32]) this.#kinds[byte] = BLANK;
    if (comment !== null) this.#kinds[comment] = COMMENTS;
    if (quote !== null) this.#kinds[quote] = QUOTE;
    if (marks.escape !== null) this.#kinds[marks.escape] = ESCAPE;
    for (const byte of separators) this.#kinds[byte] = SEPARATOR;
    this.#kinds[newline] = NEWLINE;
  }

  /** Whether the bytes so far end between two quotation marks. */
  get isQuoted(): boolean {
    return this.#state === QUOTED || this.#state === ESCAPED_IN_QUOTES;
  }

  /** Passes over bytes. */
  skip(bytes: Uint8Array): void {
    if (this.#rare.length === 0 || bytes.length === 0) return;
    const isPlain = this.#state <= PLAIN && this.#rare.every((byte) => !bytes.includes(byte));
    if (isPlain) this.#state = PLAIN;
    this.#run(isPlain ? bytes.subarray(-1) : bytes, false);
  }

  /** Passes over bytes up to the first end of a record. Returns the index after it, or -1 if there is none. */
  next(bytes: Uint8Array): number {
    return this.#rare.length === 0 ? bytes.indexOf(this.#newline) + 1 || -1 : this.#run(bytes, true);
  }

  /** Returns the index after the first end of a record, or -1. @param stops whether to stop there */
  #run(bytes: Uint8Array, stops: boolean): number {
    const kinds = this.#kinds;
    let state = this.#state;
    for (let i = 0; i < bytes.length; i++) {
      state = NEXT[state * KINDS + kinds[bytes[i]!]!]!;
      if (stops && state === RECORD) {
        this.#state = state;
        return i + 1;
      }
    }
    this.#state = state;
    return -1;
  }
}
