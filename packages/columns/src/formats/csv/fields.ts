/** The characters with a meaning in CSV. */
export interface Dialect {
  readonly separator: string;
  readonly quote: string | null;
  /** The character before one without a meaning. Null: only a doubled quotation mark stands for one. */
  readonly escape: string | null;
  /** The first character of lines that are no records, or null. */
  readonly comment: string | null;
  /** The byte that ends a record. */
  readonly newline: number;
}

const HELP = "pass quote: null if quotation marks have no meaning";
/** Says that something follows a closing quotation mark. */
export const MALFORMED: string = `expected a separator behind a closing quotation mark but found other text; ${HELP}`;
/** Says that a quotation mark opens the last field of a text. */
export const NOT_CLOSED: string = `expected a closing quotation mark but the field is not closed; ${HELP}`;

/** A record of a text. */
export interface TextRecord {
  readonly fields: string[];
  /** The error in its quotation marks, or null. */
  readonly fault: string | null;
  /** Its place in the text, with its newline. */
  readonly start: number;
  readonly end: number;
}

/**
 * Yields the records of a text in any dialect. Without an escape character and comments they are those of papaparse, which
 * is faster.
 */
export function* recordsIn(text: string, dialect: Dialect): Generator<TextRecord> {
  const scanner = new Scanner(text, dialect);
  for (;;) {
    const record = scanner.record();
    if (record === null) return;
    yield record;
  }
}

/** Reads one record after another. */
class Scanner {
  readonly #text: string;
  readonly #dialect: Dialect;
  readonly #separators: Places;
  readonly #newlines: Places;
  readonly #escapes: Places;
  #at = 0;
  #fault: string | null = null;

  constructor(text: string, dialect: Dialect) {
    this.#text = text;
    this.#dialect = dialect;
    this.#separators = new Places(text, dialect.separator);
    this.#newlines = new Places(text, String.fromCharCode(dialect.newline));
    this.#escapes = new Places(text, dialect.escape);
  }

  record(): TextRecord | null {
    const { separator, quote, comment } = this.#dialect;
    const text = this.#text;
    while (comment !== null && text.startsWith(comment, this.#at))
      this.#at = this.#newlines.from(this.#at) + 1;
    const start = this.#at;
    if (start >= text.length) return null;
    this.#fault = null;
    const fields: string[] = [];
    for (;;) {
      const isQuoted = quote !== null && text[this.#at] === quote;
      fields.push(isQuoted ? this.#quoted(quote) : this.#plain());
      const isLast = text[this.#at] !== separator;
      this.#at++;
      if (isLast) return { fields, fault: this.#fault, start, end: Math.min(this.#at, text.length) };
    }
  }

  /** Returns the place of the separator or newline from a place on, or the end of the text. */
  #end(at: number): number {
    return Math.min(this.#separators.from(at), this.#newlines.from(at));
  }

  #plain(): string {
    const text = this.#text;
    let field = "";
    let from = this.#at;
    for (let at = from; ; ) {
      const end = this.#end(at);
      const before = this.#escapes.from(at);
      // \N alone is a null of databases.
      const isNull = end === before + 2 && before === this.#at && text[before + 1] === "N";
      if (before >= end || isNull) {
        this.#at = end;
        return field + text.slice(from, end);
      }
      field += text.slice(from, before);
      from = before + 1;
      at = before + 2;
    }
  }

  #quoted(quote: string): string {
    const text = this.#text;
    let field = "";
    let from = this.#at + 1;
    for (let at = from; at < text.length; ) {
      const mark = text.indexOf(quote, at);
      const before = this.#escapes.from(at);
      if (before < (mark < 0 ? text.length : mark)) {
        field += text.slice(from, before);
        from = before + 1;
        at = before + 2;
        continue;
      }
      if (mark < 0) break;
      if (text[mark + 1] === quote) {
        field += text.slice(from, mark + 1);
        from = at = mark + 2;
        continue;
      }
      const end = this.#end(mark + 1);
      if (text.slice(mark + 1, end).trim() === "") {
        this.#at = end;
        return field + text.slice(from, mark);
      }
      this.#fault ??= MALFORMED;
      at = mark + 1;
    }
    this.#fault ??= NOT_CLOSED;
    this.#at = text.length;
    return field + text.slice(from);
  }
}

/** The places of a character in a text, which are asked for in ascending order. */
class Places {
  readonly #text: string;
  readonly #character: string | null;
  #next = -1;

  constructor(text: string, character: string | null) {
    this.#text = text;
    this.#character = character;
  }

  /** Returns the first place from `at` on, or the length of the text. */
  from(at: number): number {
    if (this.#character === null) return this.#text.length;
    if (this.#next < at) {
      const found = this.#text.indexOf(this.#character, at);
      this.#next = found < 0 ? this.#text.length : found;
    }
    return this.#next;
  }
}
