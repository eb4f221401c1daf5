/** A value of a Python literal: what the header of an NPY file may hold. */
export type Literal =
  | string
  | number
  | boolean
  | null
  | readonly Literal[]
  | { readonly [name: string]: Literal };

/** Nesting of a literal at most. A header of nested dtypes has a few levels. */
const MAX_DEPTH = 32;

const TOKEN =
  /\s*(?:([()[\]{},:])|(True|False|None)|(-?\d+)L?|([ub]?)'((?:[^'\\]|\\.)*)'|[ub]?"((?:[^"\\]|\\.)*)")/y;

/**
 * Parses a Python literal of dictionaries, tuples, lists, texts, integers and booleans. Nothing is executed.
 * @throws Error if the text is anything else.
 */
export function parseLiteral(text: string): Literal {
  const parser = new Parser(text);
  const value = parser.value(0);
  if (text.slice(parser.at).trim() !== "") throw new Error(`expected the end of the header at ${parser.at}`);
  return value;
}

class Parser {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): Literal {
    if (depth > MAX_DEPTH) throw new Error(`expected a header of at most ${MAX_DEPTH} levels`);
    const [, sign, word, integer, , single, double] = this.#next();
    if (integer !== undefined) return Number(integer);
    if (word !== undefined) return word === "None" ? null : word === "True";
    if (sign === "(") return this.#list(")", depth);
    if (sign === "[") return this.#list("]", depth);
    if (sign === "{") return this.#dictionary(depth);
    const string = single ?? double;
    if (string === undefined) throw new Error(`expected a value but found ${sign}`);
    return unescaped(string);
  }

  #list(end: string, depth: number): readonly Literal[] {
    const values: Literal[] = [];
    while (!this.#skip(end)) {
      values.push(this.value(depth + 1));
      if (!this.#skip(",")) {
        this.#expect(end);
        break;
      }
    }
    return values;
  }

  #dictionary(depth: number): { readonly [name: string]: Literal } {
    const entries: [string, Literal][] = [];
    while (!this.#skip("}")) {
      const name = this.value(depth + 1);
      if (typeof name !== "string") throw new Error("expected names of texts");
      this.#expect(":");
      entries.push([name, this.value(depth + 1)]);
      if (!this.#skip(",")) {
        this.#expect("}");
        break;
      }
    }
    return Object.fromEntries(entries);
  }

  #next(): RegExpExecArray {
    TOKEN.lastIndex = this.at;
    const found = TOKEN.exec(this.#text);
    if (found === null) throw new Error(`expected a Python literal at ${this.at} of the header`);
    this.at = TOKEN.lastIndex;
    return found;
  }

  /** Passes over a sign. Returns false if another token comes next. */
  #skip(sign: string): boolean {
    const before = this.at;
    if (this.#next()[1] === sign) return true;
    this.at = before;
    return false;
  }

  #expect(sign: string): void {
    if (!this.#skip(sign)) throw new Error(`expected ${sign} at ${this.at} of the header`);
  }
}

/** Resolves the escapes that Python's repr writes. */
function unescaped(text: string): string {
  return text.replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))/gi, (_, x, u, long, other) => {
    if (other !== undefined) return ESCAPES[other] ?? other;
    const code = Number.parseInt(x ?? u ?? long, 16);
    return code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
  });
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
