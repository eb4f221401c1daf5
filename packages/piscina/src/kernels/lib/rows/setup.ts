import type { SampleType } from "@polybin/core";
import { type Lowering, limits, ranksOf, SAMPLE_TRAITS, valueOfKey } from "@polybin/core/backend";
import { inShared, WORKER_CELLS } from "../../../platform/index.ts";
import { binLine, cellLine, guessOf, isSound, type Line, SIGN } from "./line.ts";

/** Rows before the first bin: NaN and underflow. */
const FIRST_BIN = 2;

/**
 * How the kernels of wider samples find the rows of an axis: the kernel's name, and its parameters. All results are
 * exact, because this file computes every guess at every threshold.
 */
export interface Setup {
  /** The number by which threads recognize a set-up. */
  readonly id: number;
  readonly kernel: string;
  /** The module's function. To put its name together takes as long as a few samples. */
  readonly count: string;
  readonly rows: number;
  readonly direct: { readonly low: number; readonly high: number; readonly row: number } | null;
  readonly line: Line | null;
  readonly keys: { readonly base: number; readonly last: number; readonly shift: number } | null;
  /** For a search: half of what the fullest cell may hold, and the number of thresholds. */
  readonly search: { readonly half: number; readonly thresholds: number } | null;
  /** The content of LOWERING: thresholds, or the rows of 16-bit samples. */
  readonly lowering: Float32Array | Float64Array | Uint16Array | Uint32Array | null;
  readonly starts: Uint32Array | null;
}

const known = new WeakMap<Lowering, Setup>();
let last = 0;

/**
 * Returns the set-up of a lowering, which is neither constant nor for bytes. Its arrays are in shared memory, so that no
 * message copies them.
 */
export function setupOf(lowering: Lowering): Setup {
  let setup = known.get(lowering);
  if (setup === undefined) {
    const way = wayOf(lowering);
    setup = {
      ...NOTHING,
      ...way,
      id: ++last,
      count: `count_${way.kernel}`,
      rows: lowering.bins + FIRST_BIN + 1,
      lowering: way.lowering ? inShared(way.lowering) : null,
      starts: way.starts ? inShared(way.starts) : null,
    };
    known.set(lowering, setup);
  }
  return setup;
}

const NOTHING: Omit<Setup, "id" | "kernel" | "count" | "rows"> = {
  direct: null,
  line: null,
  keys: null,
  search: null,
  lowering: null,
  starts: null,
};

/** The kernel that finds rows, and its parameters. */
type Way = Pick<Setup, "kernel"> & Partial<Setup>;

function wayOf(lowering: Lowering): Way {
  if (lowering.kind === "direct") return direct(lowering);
  if (lowering.kind === "table") return byTable(lowering);
  const edges = edgesOf(lowering);
  return exact(lowering, edges) ?? nearest(edges) ?? search(edges);
}

function direct({ type, bins, start }: Extract<Lowering, { kind: "direct" }>): Way {
  const { min, max } = SAMPLE_TRAITS[type];
  const low = Math.max(start - 1, min);
  const high = Math.min(start + bins, max);
  return { kernel: `direct_${type}`, direct: { low, high, row: low - start + FIRST_BIN } };
}

function byTable({ bins, table }: Extract<Lowering, { kind: "table" }>): Way {
  const isWide = bins + FIRST_BIN > limits.U16_MAX;
  const row = (code: number): number =>
    code < bins ? code + FIRST_BIN : code === bins ? FIRST_BIN - 1 : bins + FIRST_BIN;
  return {
    kernel: isWide ? "table_32" : "table_16",
    lowering: isWide ? Uint32Array.from(table, row) : Uint16Array.from(table, row),
  };
}

/** The values at which rows begin, from the first bin's on, and the values right before them. */
interface Edges {
  readonly type: SampleType;
  readonly at: Float64Array;
  readonly before: Float64Array;
}

function edgesOf(lowering: Lowering): Edges {
  const { type, low, high } = ranksOf(lowering)!;
  const keys = Array.from(low, (word, i) =>
    high === null ? BigInt(word) : (BigInt(high[i]!) << 32n) | BigInt(word),
  );
  // No sample can reach a value past infinity.
  const values = keys.map((key) => valueOfKey(type, key));
  const count = Number.isNaN(values.at(-1)) ? keys.length - 1 : keys.length;
  return {
    type,
    at: Float64Array.from(values.slice(0, count)),
    before: Float64Array.from(keys.slice(0, count), (key) =>
      key === 0n ? Number.NaN : valueOfKey(type, key - 1n),
    ),
  };
}

/** Evenly spaced edges whose guess is always right. */
function exact(lowering: Lowering, { type, at, before }: Edges): Way | null {
  if (lowering.kind !== "keys" || lowering.guess.kind !== "linear") return null;
  const { integer, min, max } = SAMPLE_TRAITS[type];
  const form = integer ? "words" : type === "f32" ? "bins32" : "bins64";
  const down = type === "u32" ? SIGN : 0;
  const { bins, guess } = lowering;
  // The end of the last bin belongs to the bin, so a comparison finds the samples above.
  const hasEnd = at.length > bins;
  const count = hasEnd ? bins : at.length;
  const first = at[0]!;
  const ends = {
    low: (integer && first === min ? first : before[0]!) - down,
    high: at[count - 1]! - down,
    last: hasEnd ? before[bins]! - down : integer ? max - down : Number.POSITIVE_INFINITY,
  };
  const line = binLine(form, ends, guess.lo - down, guess.scale, bins);
  if (!isSound(form, line)) return null;
  for (let i = 0; i < count; i++) {
    const isFirstOfAll = i === 0 && ends.low === first - down;
    if (guessOf(form, line, at[i]! - down) !== i + FIRST_BIN) return null;
    if (!isFirstOfAll && guessOf(form, line, before[i]! - down) !== i + FIRST_BIN - 1) return null;
  }
  return { kernel: `exact_${type}`, line };
}

/** Floats over edges that are even enough for each to have its own cell. */
function nearest({ type, at }: Edges): Way | null {
  if (SAMPLE_TRAITS[type].integer) return null;
  const form = type === "f32" ? "cells32" : "cells64";
  const line = spread(form, at, at.length);
  if (!isSound(form, line) || at.some((value, i) => guessOf(form, line, value) !== i + 1)) return null;
  return { kernel: `nearest_${type}`, line, lowering: thresholdsOf(type, at) };
}

/** Returns a line with this number of cells from the first threshold to the last. */
function spread(form: "cells32" | "cells64", at: Float64Array, cells: number): Line {
  const [first, last] = [at[0]!, at.at(-1)!];
  const perUnit = last > first ? (cells - 1) / (last - first) : 1 / Math.max(1, Math.abs(first));
  return cellLine(form, first, last, perUnit);
}

/** Any edges: cells along a line or by keys, whichever has fewer thresholds in its fullest cell. */
function search({ type, at }: Edges): Way {
  const form = type === "f32" ? "cells32" : "cells64";
  const most = WORKER_CELLS - 2;
  const line = spread(form, at, most);
  const byLine = isSound(form, line) ? cellsOf(at, (value) => guessOf(form, line, value)) : null;
  const keys = keysOf(type, at, most);
  const byKeys = cellsOf(at, (value) => keyCell(keys, leadingOf(type, value)));
  const isLine = byLine !== null && byLine.fullest <= byKeys.fullest;
  const { starts, fullest } = isLine ? byLine : byKeys;
  return {
    ...(isLine ? { kernel: `line_${type}`, line } : { kernel: `keys_${type}`, keys }),
    lowering: thresholdsOf(type, at),
    starts,
    search: { half: 2 ** (31 - Math.clz32(fullest)), thresholds: at.length },
  };
}

interface Cells {
  /** The first row of each cell. Cell 0 is for NaN. */
  readonly starts: Uint32Array;
  /** Thresholds of the cell that has the most. */
  readonly fullest: number;
}

/** Returns cells for thresholds whose cells never fall. */
function cellsOf(at: Float64Array, cellOf: (value: number) => number): Cells {
  const cells = Array.from(at, cellOf);
  const starts = new Uint32Array(cells.at(-1)! + 1);
  let next = 0;
  let fullest = 1;
  for (let cell = 1; cell < starts.length; cell++) {
    starts[cell] = next + FIRST_BIN - 1;
    const from = next;
    while (next < cells.length && cells[next]! <= cell) next++;
    fullest = Math.max(fullest, next - from);
  }
  return { starts, fullest };
}

function keysOf(type: SampleType, at: Float64Array, most: number): NonNullable<Setup["keys"]> {
  const base = leadingOf(type, at[0]!);
  const last = leadingOf(type, at.at(-1)!);
  let shift = 0;
  while ((last - base) / 2 ** shift >= most) shift++;
  return { base, last, shift };
}

function keyCell({ base, shift }: NonNullable<Setup["keys"]>, leading: number): number {
  return Math.floor((leading - base) / 2 ** shift) + 1;
}

const scratch = new DataView(new ArrayBuffer(8));

/** Returns the high word of the key of a float or a double. Integers are compared as doubles. */
function leadingOf(type: SampleType, value: number): number {
  if (type === "f32") scratch.setFloat32(0, value);
  else scratch.setFloat64(0, value);
  const bits = scratch.getUint32(0);
  return (bits & 0x8000_0000 ? ~bits : bits | 0x8000_0000) >>> 0;
}

/** Returns thresholds between two that no sample reaches. */
function thresholdsOf(type: SampleType, at: Float64Array): Float32Array | Float64Array {
  const thresholds = new (type === "f32" ? Float32Array : Float64Array)(at.length + 2).fill(Number.NaN);
  thresholds.set(at, 1);
  return thresholds;
}
