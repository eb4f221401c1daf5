import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type Chunk,
  type OpenTableOptions,
  openTable,
  type ReadOptions,
  type Table,
} from "../../src/index.ts";

/** The path of a file that `vectors/make.py` wrote. */
export const fileOf = (name: string): string => fileURLToPath(new URL(`vectors/${name}`, import.meta.url));

/** The values of the files that `vectors/make.py` wrote: integers and booleans in decimal, floats as the bits of a double. */
export interface Expected {
  readonly rows: number;
  readonly files: readonly string[];
  readonly columns: Readonly<
    Record<
      string,
      {
        readonly kind: "boolean" | "float" | "integer" | "string";
        readonly values: readonly (string | null)[];
      }
    >
  >;
  readonly counts: Readonly<
    Record<string, { readonly range: [number, number]; readonly counts: number[]; readonly nan: number }>
  >;
  readonly words: {
    readonly deltas: readonly (string | null)[];
    readonly replaced: readonly (string | null)[];
  };
}

export const expected = JSON.parse(readFileSync(fileOf("expected.json"), "utf8")) as Expected;

const isSet = (bits: Uint8Array, row: number) => ((bits[row >> 3]! >> (row & 7)) & 1) === 1;

/** The bits of a double in hexadecimal. */
export function bitsOf(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

/** Returns the values of a chunk as texts, floats as their bits. It checks the chunk's own numbers. */
function textsOf(chunk: Chunk): (string | null)[] {
  const texts: (string | null)[] = [];
  let nulls = 0;
  for (let i = 0; i < chunk.rows; i++) {
    if (chunk.validity !== null && !isSet(chunk.validity.bits, i)) {
      nulls++;
      texts.push(null);
    } else if ("codes" in chunk) texts.push(chunk.dictionary[chunk.codes[i]!] ?? "outside the dictionary");
    else if ("strings" in chunk) texts.push(chunk.strings[i]!);
    else if (chunk.values instanceof Float32Array || chunk.values instanceof Float64Array)
      texts.push(bitsOf(chunk.values[i]!));
    else texts.push(String(chunk.values[i]));
  }
  if (nulls !== chunk.nulls) throw new Error(`${chunk.name} states ${chunk.nulls} nulls and has ${nulls}`);
  return texts;
}

/** Reads columns as texts. */
export async function textsIn(
  table: Table,
  options: ReadOptions = {},
): Promise<Map<string, (string | null)[]>> {
  const all = new Map<string, (string | null)[]>();
  for await (const { columns, rows } of table.read(options)) {
    for (const chunk of columns) {
      if (chunk.rows !== rows) throw new Error(`${chunk.name} has ${chunk.rows} rows in a batch of ${rows}`);
      const texts = all.get(chunk.name) ?? [];
      all.set(chunk.name, texts);
      for (const text of textsOf(chunk)) texts.push(text);
    }
  }
  return all;
}

/** Opens a table and decodes in the calling thread. */
export const open = (
  location: Parameters<typeof openTable>[0],
  options: OpenTableOptions = {},
): Promise<Table> => openTable(location, { threads: 0, ...options });

/** Returns the first row in which two columns differ, or null. Comparing them whole would print all of them. */
export function difference(
  found: readonly (string | null)[],
  known: readonly (string | null)[],
): string | null {
  if (found.length !== known.length) return `${found.length} rows instead of ${known.length}`;
  const row = found.findIndex((text, i) => text !== known[i]);
  return row < 0 ? null : `row ${row}: ${found[row]} instead of ${known[row]}`;
}
