/** How records lie in a text file. */
export interface RecordLayout {
  /** Offset of the first record with data, after a byte order mark and a header. */
  readonly start: number;
  /** The byte that ends a record: a line feed, or a carriage return in files without line feeds. */
  readonly newline: number;
  /** The byte of a quotation mark, or null. A newline between two of them ends no record. */
  readonly quote: number | null;
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

/** Looks for the end of a record. It remembers whether it is between quotation marks. */
export class RecordEnds {
  readonly #newline: number;
  readonly #quote: number | null;
  #isQuoted = false;

  constructor({ newline, quote }: Pick<RecordLayout, "newline" | "quote">) {
    this.#newline = newline;
    this.#quote = quote;
  }

  /** Whether the bytes so far end between two quotation marks. */
  get isQuoted(): boolean {
    return this.#isQuoted;
  }

  /** Passes over bytes. */
  skip(bytes: Uint8Array): void {
    if (this.#quote !== null && countOf(bytes, this.#quote) % 2 === 1) this.#isQuoted = !this.#isQuoted;
  }

  /** Passes over bytes up to the first end of a record. Returns the index after it, or -1 if there is none. */
  next(bytes: Uint8Array): number {
    if (this.#quote === null) return bytes.indexOf(this.#newline) + 1 || -1;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i];
      if (byte === this.#quote) this.#isQuoted = !this.#isQuoted;
      else if (byte === this.#newline && !this.#isQuoted) return i + 1;
    }
    return -1;
  }
}
