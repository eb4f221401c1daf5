import { isPolybinError } from "@polybin/core";
import { openTable } from "../../src/index.ts";
import { CORPUS, type Sample } from "./corpus.ts";

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

type Damage = (bytes: Uint8Array, random: () => number) => Uint8Array;

const at = (length: number, random: () => number): number => Math.floor(random() * length);

/** Replaces some bytes, at a place that lies in the first bytes as often as anywhere: headers are there. */
function replaced(bytes: Uint8Array, random: () => number, byte: (old: number) => number): Uint8Array {
  const damaged = bytes.slice();
  const start = at(random() < 0.5 ? Math.min(200, bytes.length) : bytes.length, random);
  const end = Math.min(bytes.length, start + 1 + at(8, random));
  for (let i = start; i < end; i++) damaged[i] = byte(damaged[i]!);
  return damaged;
}

const DAMAGES: Readonly<Record<string, Damage>> = {
  cut: (bytes, random) => bytes.slice(0, at(bytes.length, random)),
  flipped: (bytes, random) => replaced(bytes, random, (old) => old ^ (1 << at(8, random))),
  random: (bytes, random) => replaced(bytes, random, () => at(256, random)),
  digits: (bytes, random) => replaced(bytes, random, () => 0x30 + at(10, random)),
  zeros: (bytes, random) => replaced(bytes, random, () => 0),
  ones: (bytes, random) => replaced(bytes, random, () => 255),
  marks: (bytes, random) => replaced(bytes, random, () => "\"'\\(){}[],:\n\r\t".charCodeAt(at(14, random))),
  removed: (bytes, random) => {
    const start = at(bytes.length, random);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + 1 + at(20, random))]);
  },
  repeated: (bytes, random) => {
    const start = at(bytes.length, random);
    const end = start + 1 + at(100, random);
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)]);
  },
};

/** A damaged file, and what reading it gave. */
export interface Trial {
  readonly what: string;
  /** "read", the code of an error, or what went wrong: another error, or more rows than the bytes can hold. */
  readonly verdict: string;
}

const CODES: ReadonlySet<string> = new Set(["ERR_INPUT", "ERR_UNSUPPORTED", "ERR_LIMIT"]);
/** Rows that a damaged file may have. No file of the corpus has as many bytes. */
const MAX_ROWS = 100_000;

/** Damages files, one after another, and reads them. */
export async function* trials(count: number, seed: number): AsyncGenerator<Trial> {
  const names = Object.keys(DAMAGES);
  for (let i = 0; i < count; i++) {
    const random = randomOf(seed + i);
    const sample = CORPUS[i % CORPUS.length]!;
    const name = names[at(names.length, random)]!;
    const bytes = DAMAGES[name]!(sample.bytes, random);
    yield { what: `${sample.name}, ${name}, seed ${seed + i}`, verdict: await verdictOf(bytes, sample) };
  }
}

async function verdictOf(bytes: Uint8Array, { options }: Sample): Promise<string> {
  try {
    await using table = await openTable(bytes, options);
    let rows = 0;
    for await (const batch of table.read()) rows += batch.rows;
    return rows > MAX_ROWS ? `${rows} rows` : "read";
  } catch (error) {
    return isPolybinError(error) && CODES.has(error.code) ? error.code : `${(error as Error).stack}`;
  }
}
