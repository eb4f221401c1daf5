import type { Chunk } from "../../../table/index.ts";
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
    const dictionary = [...this.#dictionary.keys()];
    const strings: (string | null)[] = this.#codes.map((code) => dictionary[code]!);
    const bits = this.#nulls.finish(this.#rows)?.bits;
    if (bits !== undefined) {
      for (let i = 0; i < strings.length; i++) if (!(bits[i >> 3]! & (1 << (i & 7)))) strings[i] = null;
    }
    this.#dictionary.clear();
    this.#codes.length = 0;
    return strings;
  }
}
