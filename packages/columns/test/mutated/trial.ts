import { createHash, type Hash } from "node:crypto";
import { isPolybinError } from "@polybin/core";
import { type Chunk, openTable } from "../../src/index.ts";
import type { Sample } from "./corpus.ts";
import type { Kind } from "./readers.ts";

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

/** Bytes at the start of a file that hold its header, and at its end, where others have their metadata. */
const HEAD_BYTES = 200;
const TAIL_BYTES = 4096;

/** Returns a place that lies in a file's first bytes, in its last ones, or anywhere. */
function placeIn(bytes: Uint8Array, random: () => number): number {
  const where = random();
  if (where < 0.3) return at(Math.min(HEAD_BYTES, bytes.length), random);
  if (where < 0.6) return bytes.length - 1 - at(Math.min(TAIL_BYTES, bytes.length), random);
  return at(bytes.length, random);
}

/** Replaces some bytes. */
function replaced(
  bytes: Uint8Array,
  random: () => number,
  byte: (old: number) => number,
  most = 8,
): Uint8Array {
  const damaged = bytes.slice();
  const start = placeIn(bytes, random);
  const end = Math.min(bytes.length, start + 1 + at(most, random));
  for (let i = start; i < end; i++) damaged[i] = byte(damaged[i]!);
  return damaged;
}

/** Values at the borders of the types that lengths and counts have. */
const LENGTHS = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

const DAMAGES: Readonly<Record<string, Damage>> = {
  cut: (bytes, random) => bytes.slice(0, at(bytes.length, random)),
  flipped: (bytes, random) => replaced(bytes, random, (old) => old ^ (1 << at(8, random))),
  random: (bytes, random) => replaced(bytes, random, () => at(256, random)),
  digits: (bytes, random) => replaced(bytes, random, () => 0x30 + at(10, random)),
  zeros: (bytes, random) => replaced(bytes, random, () => 0, 64),
  ones: (bytes, random) => replaced(bytes, random, () => 255),
  lengths: (bytes, random) => {
    const damaged = bytes.slice();
    const place = Math.min(placeIn(bytes, random), Math.max(0, bytes.length - 4));
    const length = LENGTHS[at(LENGTHS.length, random)]!;
    for (let i = 0; i < 4 && place + i < bytes.length; i++) damaged[place + i] = length >>> (8 * i);
    return damaged;
  },
  copied: (bytes, random) => {
    const start = placeIn(bytes, random);
    return bytes.slice().copyWithin(at(bytes.length, random), start, start + 1 + at(256, random));
  },
  marks: (bytes, random) => replaced(bytes, random, () => "\"'\\(){}[],:\n\r\t".charCodeAt(at(14, random))),
  removed: (bytes, random) => {
    const start = placeIn(bytes, random);
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
  readonly number: number;
  readonly what: string;
  readonly format: string;
  /** "read", the code of an error, or what went wrong: another error, or more rows than the bytes can hold. */
  readonly verdict: string;
}

const CODES: ReadonlySet<string> = new Set(["ERR_INPUT", "ERR_UNSUPPORTED", "ERR_LIMIT"]);
/** Rows that a damaged file may have. No file of the corpus has as many bytes. */
const MAX_ROWS = 100_000;

/** Words of JavaScript's own messages, which say nothing to the owner of a file. */
const ENGINE =
  /undefined|NaN|Cannot (read|convert|mix)|is not (a function|iterable|a constructor|valid JSON)|Invalid (array|typed|string|count|DataView|code|offset)|outside the bounds|out of range|out-of-bounds|Unexpected (token|end|string|number|non)|call stack|should be a multiple|allocation failed|JSON at position/;

/** The cases from a number to another one, which is none of them. */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/**
 * Damages samples, one after another, and reads them.
 * @param readBy decides what reads. With it, WebAssembly and JavaScript read every file, too
 */
export async function* trials(
  samples: readonly Sample[],
  { from, to, step }: Range,
  readBy: ((kind: Kind) => void) | null = null,
): AsyncGenerator<Trial> {
  const names = Object.keys(DAMAGES);
  for (let number = from; number < to; number += step) {
    const random = randomOf(number);
    const sample = samples[number % samples.length]!;
    const name = names[at(names.length, random)]!;
    const bytes = DAMAGES[name]!(sample.bytes, random);
    const found = await foundIn(bytes, sample);
    let { verdict } = found;
    if (readBy !== null) {
      for (const kind of ["WebAssembly", "JavaScript"] as const) {
        readBy(kind);
        const other = await foundIn(bytes, sample);
        if (found.verdict !== other.verdict || found.content !== other.content)
          verdict = `the addon: ${found.verdict}, ${kind}: ${other.verdict}, or other values`;
      }
      readBy("addon");
    }
    yield { number, what: `${sample.name}, ${name}`, format: sample.options.format!, verdict };
  }
}

interface Found {
  readonly verdict: string;
  /** A digest of all values. */
  readonly content: string;
}

async function foundIn(bytes: Uint8Array, { options }: Sample): Promise<Found> {
  const content = createHash("sha1");
  try {
    // A read may take the memory of what it is given.
    await using table = await openTable(bytes.slice(), options);
    let rows = 0;
    for await (const batch of table.read()) {
      rows += batch.rows;
      for (const chunk of batch.columns) addTo(content, chunk);
    }
    for await (const batch of table.readCounts?.() ?? []) rows -= batch.rows;
    const isRight = rows === 0 || table.readCounts === undefined;
    const verdict = isRight ? "read" : `${rows} rows more than with counts`;
    return { verdict: rows > MAX_ROWS ? `${rows} rows` : verdict, content: content.digest("hex") };
  } catch (error) {
    const isCoded = isPolybinError(error) && CODES.has(error.code) && !ENGINE.test(error.message);
    return { verdict: isCoded ? error.code : `${(error as Error).stack}`, content: "" };
  }
}

/** Adds the values of a chunk to a digest. Those of nulls are none. */
function addTo(content: Hash, chunk: Chunk): void {
  const { name, rows, nulls, validity } = chunk;
  const isNull = (row: number): boolean =>
    validity !== null && ((validity.bits[row >> 3]! >> (row & 7)) & 1) === 0;
  content.update(`${name} ${rows} ${nulls}`);
  for (let row = 0; row < rows; row++) {
    if (isNull(row)) content.update("null\n");
    else if ("values" in chunk)
      content.update(Object.is(chunk.values[row], -0) ? "-0\n" : `${chunk.values[row]}\n`);
    else
      content.update(
        JSON.stringify("codes" in chunk ? chunk.dictionary[chunk.codes[row]!] : chunk.strings[row]),
      );
  }
}
