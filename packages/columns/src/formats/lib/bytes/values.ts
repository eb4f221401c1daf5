import type { ValueArray } from "../../../table/index.ts";
import { copyBits, countBits, setBits } from "./bits.ts";

/** The values of a column in a batch, as a thread returns them. Strings have codes and a dictionary, others values. */
export interface Values {
  readonly nulls: number;
  readonly bits: Uint8Array<ArrayBuffer> | null;
  readonly values: ValueArray | null;
  readonly codes: Uint32Array<ArrayBuffer> | null;
  readonly dictionary: readonly string[] | null;
}

/** The values of a column in a batch without their rows, as CountsChunk describes them. */
export interface Counted {
  readonly nulls: number;
  readonly values: ValueArray | readonly string[];
  readonly counts: Uint32Array<ArrayBuffer>;
}

const isCoded = (values: Values): values is Values & { readonly codes: Uint32Array<ArrayBuffer> } =>
  values.codes !== null;

/** Copies `rows` rows from row `from` on. The dictionary is shared. */
export function sliceValues({ bits, values, codes, dictionary }: Values, from: number, rows: number): Values {
  const nulls = bits === null ? 0 : rows - countBits(bits, from, rows);
  let own: Uint8Array<ArrayBuffer> | null = null;
  if (bits !== null && nulls > 0) {
    own = new Uint8Array((rows + 7) >> 3);
    copyBits(own, 0, bits, from, rows);
  }
  return {
    nulls,
    bits: own,
    values: (values?.slice(from, from + rows) as ValueArray | undefined) ?? null,
    codes: codes?.slice(from, from + rows) ?? null,
    dictionary,
  };
}

/** Joins the rows of a column. `rows` has the number of each part's rows. */
export function joinValues(parts: readonly Values[], rows: readonly number[]): Values {
  if (parts.length === 1) return parts[0]!;
  const all = rows.reduce((sum, count) => sum + count, 0);
  const nulls = parts.reduce((sum, part) => sum + part.nulls, 0);
  const base = { nulls, bits: nulls === 0 ? null : joinedBits(parts, rows, all) };
  const first = parts[0]!;
  if (isCoded(first)) return { ...base, values: null, ...joinedCodes(parts, all) };
  const Type = first.values!.constructor as new (length: number) => ValueArray;
  const values = new Type(all);
  let at = 0;
  for (const part of parts) {
    values.set(part.values as never, at);
    at += part.values!.length;
  }
  return { ...base, values, codes: null, dictionary: null };
}

function joinedBits(parts: readonly Values[], rows: readonly number[], all: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array((all + 7) >> 3);
  let at = 0;
  for (const [i, { bits }] of parts.entries()) {
    if (bits === null) setBits(joined, at, rows[i]!);
    else copyBits(joined, at, bits, 0, rows[i]!);
    at += rows[i]!;
  }
  return joined;
}

function joinedCodes(parts: readonly Values[], all: number): Pick<Values, "codes" | "dictionary"> {
  const codes = new Uint32Array(all);
  const known = new Map<string, number>();
  let at = 0;
  for (const part of parts) {
    const places = part.dictionary!.map((text) => {
      const code = known.get(text) ?? known.size;
      known.set(text, code);
      return code;
    });
    // An empty dictionary has no code 0, and then all rows are null.
    for (const code of part.codes!) codes[at++] = places[code] ?? 0;
  }
  return { codes, dictionary: [...known.keys()] };
}
