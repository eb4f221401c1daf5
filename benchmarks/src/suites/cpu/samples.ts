import { closeSync, openSync, writeSync } from "node:fs";
import { type Axis, type Engine, variable } from "@polybin/core";
import { axisOf as equalBins } from "../../axes/cell.ts";
import type { Distribution } from "../../data/distributions.ts";
import { type JointDistribution, jointFloats } from "../../data/joint-floats.ts";
import { xorshift } from "../../data/random.ts";
import { pixelBytes, Tile } from "../../data/tile.ts";
import type { Case, Cell } from "./cases.ts";

/** The most samples that are generated. Larger data repeat them. */
const TILE = 2 ** 20;
/** The most bytes that are written at once: whole tiles. */
const PIECE = 2 ** 26;
/** Sums of weights that are whole multiples of this are exact in doubles, in any order. */
const QUANTUM = 2 ** -20;

/** The samples of a cell, in a file, and what counting them results in. */
export interface Samples {
  /** Counts of all bins, or their sums of weights, and then underflow, overflow and NaN of each channel. */
  readonly counts: readonly number[];
  /** The same without weights. */
  readonly plain: readonly number[];
}

function axisOf({ shape: { type }, bins, edges }: Case): Axis {
  return edges === undefined ? equalBins({ type, bins }) : variable(edges);
}

/** Writes a cell's samples to a file, and counts them by the reference. */
export async function writeSamples(of: Case, cell: Cell, oracle: Engine, path: string): Promise<Samples> {
  if (of.groups !== undefined) return writeGroups(of, of.groups, cell, oracle, path);
  return of.columns === 2 ? writePairs(of, cell, oracle, path) : writeColumn(of, cell, oracle, path);
}

/** Every group has samples, in no order. */
async function writeGroups(
  of: Case,
  groups: number,
  { n, distribution }: Cell,
  oracle: Engine,
  path: string,
): Promise<Samples> {
  const bytes = Tile.of(of.shape, distribution as Distribution, n).lay(
    new Uint8Array(n * pixelBytes(of.shape)),
    n,
  );
  const next = xorshift(0x2c1b3c6d);
  const codes = Uint16Array.from({ length: n }, () => Math.floor(next() * groups));
  writeAll(path, [bytes, codes]);
  const { counts } = await oracle.histogram(bytes as Float64Array, {
    axis: axisOf(of),
    by: { codes, groups },
  });
  return { counts: [...counts], plain: [...counts] };
}

async function writePairs(
  of: Case,
  { n, distribution }: Cell,
  oracle: Engine,
  path: string,
): Promise<Samples> {
  const [x, y] = [new Float32Array(n), new Float32Array(n)];
  jointFloats(x, y, distribution as JointDistribution);
  writeAll(path, [x, y]);
  const axis = axisOf(of);
  const { counts } = await oracle.joint([x, y], { axes: [axis, axis] });
  return { counts: [...counts], plain: [...counts] };
}

async function writeColumn(
  of: Case,
  { n, distribution }: Cell,
  oracle: Engine,
  path: string,
): Promise<Samples> {
  const { shape, wanted, weighted } = of;
  // Whole pixels.
  const most = TILE - (TILE % shape.channels);
  const tile = Tile.of(shape, distribution as Distribution, Math.min(n * shape.channels, most));
  const each = pixelBytes(shape);
  const axis = axisOf(of);
  const channels = Array.from({ length: wanted }, (_, channel) => channel);
  const truth = await tile.counts(oracle, n, { axis, channels });
  const plain = [
    ...truth.flatMap(({ counts }) => Array.from(counts)),
    ...truth.flatMap(({ underflow, overflow, nan }) => [underflow, overflow, nan]),
  ];
  const header = of.streamed ? [npyHeader(n)] : [];
  if (n * each > PIECE && n % TILE === 0) {
    const piece = tile.lay(new Uint8Array(PIECE), PIECE / each);
    const rest = new Uint8Array(piece.buffer, 0, (n * each) % PIECE);
    const pieces = Array.from({ length: Math.floor((n * each) / PIECE) }, () => piece);
    writeAll(path, [...header, ...pieces, rest]);
    return { counts: plain, plain };
  }
  const values = tile.lay(new Uint8Array(n * each), n);
  if (!weighted) {
    writeAll(path, [...header, values]);
    return { counts: plain, plain };
  }
  const next = xorshift(0x51ed270b);
  const weights = Float32Array.from({ length: n }, () => Math.round((next() * 2 - 1) / QUANTUM) * QUANTUM);
  writeAll(path, [values, weights]);
  const { sums } = await oracle.histogram(values as Float32Array, { axis, weights });
  return { counts: [...sums], plain };
}

/** The first bytes of NumPy's file of a column of doubles. */
function npyHeader(n: number): Uint8Array {
  const [magic, size] = ["\x93NUMPY\x01\0", 128];
  const text = `{'descr': '<f8', 'fortran_order': False, 'shape': (${n},), }`;
  const length = size - magic.length - 2;
  return Buffer.from(
    `${magic}${String.fromCharCode(length & 255, length >> 8)}${text.padEnd(length - 1)}\n`,
    "latin1",
  );
}

/** Writes arrays to a file, one after the other. */
function writeAll(path: string, arrays: readonly ArrayBufferView[]): void {
  const file = openSync(path, "w");
  try {
    for (const { buffer, byteOffset, byteLength } of arrays) {
      for (let at = 0; at < byteLength; )
        at += writeSync(file, new Uint8Array(buffer, byteOffset + at, Math.min(PIECE, byteLength - at)));
    }
  } finally {
    closeSync(file);
  }
}
