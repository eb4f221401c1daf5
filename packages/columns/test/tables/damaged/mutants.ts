import { readdirSync, readFileSync } from "node:fs";
import { isPolybinError } from "@polybin/core";
import { fileOf, open } from "../values.ts";

/** The files that are damaged: small ones of each kind. */
export function corpus(): { readonly name: string; readonly bytes: Uint8Array }[] {
  return readdirSync(fileOf("."))
    .filter((name) => /\.(parquet|arrows?)$/.test(name))
    .sort()
    .map((name) => ({ name, bytes: new Uint8Array(readFileSync(fileOf(name))) }));
}

/** Numbers below 1 from a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = Math.imul(state ^ (state >>> 15), state | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Values that lengths and counts are replaced by. */
const EXTREMES = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

type Damage = (bytes: Uint8Array<ArrayBuffer>, random: () => number) => Uint8Array<ArrayBuffer>;

/** Places near the end of a file, where its metadata are, are twice as likely. */
function placeIn(length: number, random: () => number): number {
  const near = Math.min(length, 4096);
  return Math.floor(random() < 0.5 ? length * random() : length - 1 - near * random() ** 2 * 0.999);
}

const DAMAGES: Readonly<Record<string, Damage>> = {
  flip(bytes, random) {
    for (let i = Math.ceil(3 * random()); i > 0; i--) bytes[placeIn(bytes.length, random)]! ^= 1 << Math.floor(8 * random());
    return bytes;
  },
  byte(bytes, random) {
    for (let i = Math.ceil(3 * random()); i > 0; i--) bytes[placeIn(bytes.length, random)] = Math.floor(256 * random());
    return bytes;
  },
  word(bytes, random) {
    const at = Math.min(bytes.length - 4, placeIn(bytes.length, random));
    new DataView(bytes.buffer).setUint32(at, EXTREMES[Math.floor(EXTREMES.length * random())]!, true);
    return bytes;
  },
  wide(bytes, random) {
    const at = Math.min(bytes.length - 8, placeIn(bytes.length, random));
    bytes.fill(random() < 0.5 ? 0xff : 0x7f, at, at + 8);
    return bytes;
  },
  truncate: (bytes, random) => bytes.slice(0, Math.floor(bytes.length * random())),
  cut(bytes, random) {
    const at = placeIn(bytes.length, random);
    const length = Math.ceil(64 * random());
    const cut = new Uint8Array(Math.max(0, bytes.length - length));
    cut.set(bytes.subarray(0, Math.min(at, cut.length)));
    if (at < cut.length) cut.set(bytes.subarray(at + length), at);
    return cut;
  },
  copy(bytes, random) {
    const from = placeIn(bytes.length, random);
    const length = Math.min(bytes.length - from, Math.ceil(256 * random()));
    bytes.copyWithin(Math.floor((bytes.length - length) * random()), from, from + length);
    return bytes;
  },
  zero(bytes, random) {
    const at = placeIn(bytes.length, random);
    bytes.fill(0, at, at + Math.ceil(128 * random()));
    return bytes;
  },
};

/** Damages a file in one of several ways. */
export function mutant(bytes: Uint8Array, seed: number): { readonly damage: string; readonly bytes: Uint8Array<ArrayBuffer> } {
  const random = randomFrom(seed);
  const names = Object.keys(DAMAGES);
  const damage = names[Math.floor(names.length * random())]!;
  return { damage, bytes: DAMAGES[damage]!(new Uint8Array(bytes), random) };
}

/** The codes that a damaged file may end in. */
const CODES = ["ERR_INPUT", "ERR_LIMIT", "ERR_UNSUPPORTED"];

/** Reads a table whole. Returns "read", or the code of the error. Any other error is thrown. */
export async function verdictOf(bytes: Uint8Array, format: "parquet" | "arrow"): Promise<string> {
  try {
    await using table = await open(bytes, { format });
    let rows = 0;
    for await (const batch of table.read()) rows += batch.rows;
    if (table.rows !== null && rows !== table.rows) throw new Error(`the table states ${table.rows} rows and has ${rows}`);
    return "read";
  } catch (error) {
    if (isPolybinError(error) && CODES.includes(error.code)) return error.code;
    throw error;
  }
}
