import type { Chunk, CodesChunk } from "../../../table/index.ts";
import type { Builder } from "./builder.ts";
import { Nulls } from "./validity.ts";

/** Different strings of a chunk that are kept as a dictionary. Above it, a dictionary saves no memory. */
const MAX_DICTIONARY = 65_536;

/** Collects strings, by dictionary while few of them differ. */
export class StringBuilder implements Builder {
  readonly #name: string;
  readonly #nulls = new Nulls();
  readonly #codes: number[] = [];
  readonly #dictionary = new Map<string, number>();
  #strings: (string | null)[] | null = null;
  #rows = 0;

  constructor(name: string) {
    this.#name = name;
  }

  add(text: string): boolean {
    this.#rows++;
    if (this.#strings !== null) {
      this.#strings.push(text);
      return true;
    }
    let code = this.#dictionary.get(text);
    if (code === undefined) {
      code = this.#dictionary.size;
      if (code === MAX_DICTIONARY) {
        this.#strings = this.#plain();
        this.#strings.push(text);
        return true;
      }
      this.#dictionary.set(text, code);
    }
    this.#codes.push(code);
    return true;
  }

  addNumber(value: number | bigint): boolean {
    return this.add(String(value));
  }

  addNull(): void {
    this.#nulls.mark(this.#rows++);
    if (this.#strings !== null) this.#strings.push(null);
    else this.#codes.push(0);
  }

  finish(): Chunk {
    const rows = this.#rows;
    const base = { name: this.#name, rows, nulls: this.#nulls.count, validity: this.#nulls.finish(rows) };
    if (this.#strings !== null) return { ...base, strings: this.#strings };
    return { ...base, codes: Uint32Array.from(this.#codes), dictionary: [...this.#dictionary.keys()] };
  }

  /** Returns the strings that are known by their codes. */
  #plain(): (string | null)[] {
    const bits = this.#nulls.finish(this.#rows)?.bits ?? null;
    const strings = plainOf(this.#codes, [...this.#dictionary.keys()], bits);
    this.#dictionary.clear();
    this.#codes.length = 0;
    return strings;
  }
}

function plainOf(
  codes: ArrayLike<number>,
  dictionary: readonly string[],
  bits: Uint8Array | null,
): (string | null)[] {
  return Array.from({ length: codes.length }, (_, i) =>
    bits === null || bits[i >> 3]! & (1 << (i & 7)) ? dictionary[codes[i]!]! : null,
  );
}

/** Returns a chunk of strings as the builder makes it: with a dictionary, unless too many strings differ. */
export function textChunk(chunk: CodesChunk): Chunk {
  const { codes, dictionary, ...base } = chunk;
  if (dictionary.length <= MAX_DICTIONARY) return chunk;
  return { ...base, strings: plainOf(codes, dictionary, base.validity?.bits ?? null) };
}
