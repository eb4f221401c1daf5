import { damaged } from "../../table/index.ts";
import type { Values } from "../lib/bytes/index.ts";
import type { RecordBatch } from "./messages/index.ts";
import { BatchPieces, type ReadBody } from "./pieces.ts";
import { type ColumnTask, NULL_CODE, type Store } from "./task.ts";

/** The different strings of a dictionary, and the code of each of its values if a string is in it twice, or a value is null. */
export interface Dictionary {
  readonly size: number;
  readonly strings: readonly string[];
  readonly codes: Uint32Array | null;
}

/** A dictionary's message: its values are one column. */
export interface DictionaryMessage {
  readonly id: number;
  readonly isDelta: boolean;
  readonly batch: RecordBatch;
  readonly bodyBytes: number;
  readonly read: ReadBody;
}

/**
 * The dictionaries of a table. A message replaces an id's values, or adds to them. Each message is decoded once, when a
 * batch needs it.
 */
export class Dictionaries {
  readonly #name: string;
  readonly #decode: (task: ColumnTask) => Promise<Values>;
  readonly #stores: ReadonlyMap<number, Store>;
  readonly #known = new Map<number, () => Promise<Dictionary>>();

  constructor(
    name: string,
    stores: ReadonlyMap<number, Store>,
    decode: (task: ColumnTask) => Promise<Values>,
  ) {
    this.#name = name;
    this.#stores = stores;
    this.#decode = decode;
  }

  /** Takes a message. Batches that were handed out before keep the dictionaries that they had. */
  add(message: DictionaryMessage): void {
    const { id, isDelta } = message;
    const before = this.#known.get(id);
    if (isDelta && before === undefined)
      throw damaged(this.#name, `dictionary ${id} is extended before it exists`);
    const values = once(() => this.#values(message));
    this.#known.set(id, isDelta ? once(async () => merged([await before!(), await values()])) : values);
  }

  has(id: number): boolean {
    return this.#known.has(id);
  }

  /** Returns a function that decodes the dictionary as it is now. */
  get(id: number): () => Promise<Dictionary> {
    const dictionary = this.#known.get(id);
    if (dictionary === undefined) throw damaged(this.#name, `dictionary ${id} is missing`);
    return dictionary;
  }

  async #values({ id, batch, bodyBytes, read }: DictionaryMessage): Promise<Dictionary> {
    const store = this.#stores.get(id);
    if (store === undefined) throw damaged(this.#name, `dictionary ${id} belongs to no column`);
    const layout = { name: `dictionary ${id}`, store, node: 0, buffer: 0, variadic: 0 };
    const pieces = new BatchPieces(this.#name, batch, bodyBytes, [layout]);
    const {
      columns: [task],
    } = await pieces.read(0, batch.rows, read);
    const { nulls, bits, codes, dictionary } = await this.#decode({ ...task!, dictionary: null });
    for (let i = 0; nulls > 0 && i < codes!.length; i++)
      if (((bits![i >> 3]! >> (i & 7)) & 1) === 0) codes![i] = NULL_CODE;
    const size = codes!.length;
    return { size, strings: dictionary!, codes: nulls === 0 && dictionary!.length === size ? null : codes };
  }
}

/** Runs a function at its first call, and returns the same promise at each. */
function once<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null;
  return () => {
    result ??= run();
    return result;
  };
}

function merged(parts: readonly Dictionary[]): Dictionary {
  const codes: number[] = [];
  const known = new Map<string, number>();
  for (const { size, strings, codes: own } of parts) {
    for (let i = 0; i < size; i++) {
      const index = own === null ? i : own[i]!;
      if (index === NULL_CODE) {
        codes.push(NULL_CODE);
        continue;
      }
      const text = strings[index]!;
      const code = known.get(text) ?? known.size;
      known.set(text, code);
      codes.push(code);
    }
  }
  const strings = [...known.keys()];
  return {
    size: codes.length,
    strings,
    // Null values have no string.
    codes: strings.length === codes.length ? null : Uint32Array.from(codes),
  };
}
