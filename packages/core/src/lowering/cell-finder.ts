import { BYTE_VALUES, FLOW_ROWS } from "../base/index.ts";
import { bitsOf, SAMPLE_TRAITS } from "../input/index.ts";
import { type CellColumn, type CellFinder, codesOfPlaces, plainCellFinder } from "./cells.ts";
import { valueOfKey } from "./keys.ts";
import { DOUBLES_AT_ONCE, FINDER_CELLS } from "./limits.ts";
import {
  type DirectLowering,
  type KeysLowering,
  type Lowering,
  NAN,
  OVERFLOW,
  UNDERFLOW,
} from "./lowering.ts";

/** The finders of the columns of plans, which are kept with their jobs. */
const known = new WeakMap<CellColumn, { readonly lowering: Lowering; readonly find: CellFinder }>();

/**
 * Returns a fast loop that finds the same cells as `plainCellFinder`. Everything that the samples do not decide is
 * computed once: bytes and 16-bit samples look up their part, and other samples compare values instead of keys.
 */
export function cellFinder(column: CellColumn, lowering: Lowering): CellFinder {
  let kept = known.get(column);
  if (kept?.lowering !== lowering) {
    kept = { lowering, find: newFinder(column, lowering) };
    known.set(column, kept);
  }
  return kept.find;
}

function newFinder(column: CellColumn, lowering: Lowering): CellFinder {
  const { type } = lowering;
  const { bytes, integer } = SAMPLE_TRAITS[type];
  if (column.by === "raw") {
    const parts = Uint32Array.from(
      { length: BYTE_VALUES },
      (_, bits) => (bits >> column.shift!) * column.stride,
    );
    return byTable(parts);
  }
  const parts = partsOfCodes(column, lowering);
  if (lowering.kind === "table") return byTable(lowering.table.map((code) => parts[code]!));
  if (lowering.kind === "direct") return inDoubles(direct(lowering, parts));
  // Doubles hold every value of these types.
  if (lowering.kind === "keys" && (bytes === 4 || !integer)) {
    const rows = rowsOf(lowering, parts);
    return inDoubles(evenly(rows) ?? anyhow(rows));
  }
  return plainCellFinder(column, lowering);
}

/** Returns a column's part in the cell for each code. */
function partsOfCodes(column: CellColumn, lowering: Lowering): Uint32Array {
  const parts = new Uint32Array(lowering.bins + FLOW_ROWS);
  codesOfPlaces(column, lowering).forEach((code, place) => {
    parts[code] = place * column.stride;
  });
  return parts;
}

/** The part of each bit pattern. */
function byTable(parts: Uint32Array): CellFinder {
  return (array, first, step, cells) => {
    const bits = bitsOf(array);
    return bits.BYTES_PER_ELEMENT === 1
      ? addBytes(parts, bits as Uint8Array, first, step, cells)
      : addHalves(parts, bits as Uint16Array, first, step, cells);
  };
}

// Two functions, because a loop that always sees the same type of array is several times as fast.

function addBytes(
  parts: Uint32Array,
  bits: Uint8Array,
  first: number,
  step: number,
  cells: Uint32Array,
): number {
  let count = 0;
  for (let i = first; i < bits.length; i += step) cells[count++]! += parts[bits[i]!]!;
  return count;
}

function addHalves(
  parts: Uint32Array,
  bits: Uint16Array,
  first: number,
  step: number,
  cells: Uint32Array,
): number {
  let count = 0;
  for (let i = first; i < bits.length; i += step) cells[count++]! += parts[bits[i]!]!;
  return count;
}

/** Samples as doubles. The array is shared because counting is synchronous on one thread. */
const doubles = new Float64Array(DOUBLES_AT_ONCE);
const highWords = new Int32Array(doubles.buffer);

/** Adds the parts of every `step`-th of `doubles`, from `first` to before `end`, to cells from `to` on. */
type DoublesFinder = (first: number, end: number, step: number, cells: Uint32Array, to: number) => number;

/** Converts samples to doubles, a part at a time, so that all types share one loop. */
function inDoubles(add: DoublesFinder): CellFinder {
  return (array, first, step, cells) => {
    // Parts are whole pixels.
    const most = DOUBLES_AT_ONCE - (DOUBLES_AT_ONCE % step);
    let count = 0;
    for (let from = 0; from < array.length; from += most) {
      const some = array.subarray(from, from + most);
      doubles.set(some);
      count = add(first, some.length, step, cells, count);
    }
    return count;
  };
}

function direct({ start, bins }: DirectLowering, parts: Uint32Array): DoublesFinder {
  const [below, above] = [parts[bins + UNDERFLOW]!, parts[bins + OVERFLOW]!];
  return (first, end, step, cells, to) => {
    let count = to;
    for (let i = first; i < end; i += step) {
      const bin = doubles[i]! - start;
      cells[count++]! += bin < 0 ? below : bin >= bins ? above : parts[bin]!;
    }
    return count;
  };
}

/**
 * The values at which a row begins, and the part of each row in the cell:
 *
 *   row    0     1                   2 …
 *          NaN   below thresholds[0]  from thresholds[0] on
 */
interface Rows {
  readonly thresholds: Float64Array;
  readonly parts: Uint32Array;
}

function rowsOf(
  { type, bins, thresholds, thresholdsHigh, words, last }: KeysLowering,
  parts: Uint32Array,
): Rows {
  const keys = Array.from(thresholds, (low, i) => joined(low, thresholdsHigh?.[i] ?? 0));
  const end = joined(last.low, last.high);
  const top = words === 2 ? 2n ** 64n - 1n : 2n ** 32n - 1n;
  if (keys.length === bins && end < top) keys.push(end + 1n);
  const values = keys.map((key) => valueOfKey(type, key));
  // No sample reaches a value past infinity.
  const count = Number.isNaN(values.at(-1)) ? values.length - 1 : values.length;
  const own = Uint32Array.of(
    parts[bins + NAN]!,
    parts[bins + UNDERFLOW]!,
    ...parts.subarray(0, bins),
    parts[bins + OVERFLOW]!,
  );
  return { thresholds: Float64Array.from(values.slice(0, count)), parts: own };
}

function joined(low: number, high: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}

/**
 * Evenly spaced edges: a multiplication guesses the nearest threshold, and one comparison decides. The guess never
 * falls as samples rise, and here it is checked at every threshold. NaN becomes 0.
 * @returns null if a guess is not the threshold's own
 */
function evenly({ thresholds, parts }: Rows): DoublesFinder | null {
  const count = thresholds.length;
  const origin = thresholds[0]!;
  const end = thresholds[count - 1]!;
  const scale = end > origin ? (count - 1) / (end - origin) : 1;
  if (!Number.isFinite(scale) || !Number.isFinite(origin) || !Number.isFinite(end)) return null;
  const near = Float64Array.of(Number.NaN, ...thresholds);
  for (let i = 0; i < count; i++) {
    if ((((thresholds[i]! - origin) * scale + 1.5) | 0) !== i + 1) return null;
  }
  return (first, last, step, cells, to) => {
    let at = to;
    for (let i = first; i < last; i += step) {
      const value = doubles[i]!;
      const guess = ((Math.min(Math.max(value, origin), end) - origin) * scale + 1.5) | 0;
      cells[at++]! += parts[(guess + Number(near[guess]! <= value)) | 0]!;
    }
    return at;
  };
}

/**
 * Edges of any spacing: a cell of the thresholds' range has the first candidate, and every sample takes as many halvings
 * as the fullest cell needs. Cells divide the range of values evenly, or that of keys, whichever has the emptier cells.
 * As values rise, the cell never falls, so any cells give exact results.
 */
function anyhow({ thresholds, parts }: Rows): DoublesFinder {
  const [origin, end] = [thresholds[0]!, thresholds.at(-1)!];
  const scale = end > origin ? (FINDER_CELLS - 1) / (end - origin) : 0;
  const line = Number.isFinite(scale) ? search(thresholds, (value) => ((value - origin) * scale) | 0) : null;
  const base = leadingOf(origin);
  const most = leadingOf(end);
  let shift = 0;
  while ((most - base) / 2 ** shift >= FINDER_CELLS) shift++;
  const keys = search(thresholds, (value) => (leadingOf(value) - base) >>> shift);
  if (line === null || keys.halvings < line.halvings) return byKeys(keys, parts, base, most, shift);
  return byLine(line, parts, origin, end, scale);
}

interface Search {
  /** Number of thresholds before each cell. */
  readonly starts: Int32Array;
  /** Halvings that find the rank in any cell. */
  readonly halvings: number;
  /** The thresholds, and values that no sample reaches, so that a search can go past the last threshold. */
  readonly all: Float64Array;
}

function search(thresholds: Float64Array, cellOf: (value: number) => number): Search {
  const cells = Array.from(thresholds, cellOf);
  const starts = new Int32Array(cells.at(-1)! + 1);
  let fullest = 1;
  for (let cell = 0, next = 0; cell < starts.length; cell++) {
    starts[cell] = next;
    while (next < cells.length && cells[next]! <= cell) next++;
    fullest = Math.max(fullest, next - starts[cell]!);
  }
  const halvings = 32 - Math.clz32(fullest);
  const all = new Float64Array(thresholds.length + 2 ** halvings).fill(Number.NaN);
  all.set(thresholds);
  return { starts, halvings, all };
}

function byLine(
  { starts, halvings, all }: Search,
  parts: Uint32Array,
  origin: number,
  end: number,
  scale: number,
): DoublesFinder {
  return (first, last, step, cells, to) => {
    let at = to;
    for (let i = first; i < last; i += step) {
      const value = doubles[i]!;
      let rank = starts[((Math.min(Math.max(value, origin), end) - origin) * scale) | 0]!;
      for (let bit = halvings - 1; bit >= 0; bit--) {
        rank = (rank + (Number(all[rank + (1 << bit) - 1]! <= value) << bit)) | 0;
      }
      cells[at++]! += parts[Number.isNaN(value) ? 0 : rank + 1]!;
    }
    return at;
  };
}

function byKeys(
  { starts, halvings, all }: Search,
  parts: Uint32Array,
  base: number,
  most: number,
  shift: number,
): DoublesFinder {
  return (first, last, step, cells, to) => {
    let at = to;
    for (let i = first; i < last; i += step) {
      const value = doubles[i]!;
      const word = highWords[2 * i + 1]!;
      const key = word ^ ((word >> 31) & 0x7fff_ffff);
      let rank = starts[(Math.min(Math.max(key, base), most) - base) >>> shift]!;
      for (let bit = halvings - 1; bit >= 0; bit--) {
        rank = (rank + (Number(all[rank + (1 << bit) - 1]! <= value) << bit)) | 0;
      }
      cells[at++]! += parts[Number.isNaN(value) ? 0 : rank + 1]!;
    }
    return at;
  };
}

const scratch = new DataView(new ArrayBuffer(Float64Array.BYTES_PER_ELEMENT));

/** Returns the leading word of a double, as a signed integer in the order of the doubles. */
function leadingOf(value: number): number {
  scratch.setFloat64(0, value);
  const word = scratch.getInt32(0);
  return word ^ ((word >> 31) & 0x7fff_ffff);
}
