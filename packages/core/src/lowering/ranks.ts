import type { DeviceLimits } from "../base/index.ts";
import { SAMPLE_TRAITS, type SampleType } from "../input/index.ts";
import { valueOfKey } from "./keys.ts";
import { RANK_CELLS_MAX, RANK_CELLS_MIN, RANK_INVERSE_MAX, RANK_INVERSE_MIN, RANK_SLACK } from "./limits.ts";
import type { KeysLowering, Lowering, TableLowering } from "./lowering.ts";

/**
 * A lowering in a form that a GPU searches without branches on the data. A sample's *rank* is the number of
 * thresholds that are at most its key, and the rank is its row in the table.
 *
 *   rank   0          1 … bins    bins + 1   | bins + 2
 *          underflow  the bins    overflow   | NaN, detected from the sample's bits
 *
 *   rank = start of the guess's cell
 *   for step = 2^(steps-1) … 2, 1:    if thresholds[rank + step - 1] <= key,   rank += step
 *
 * Every sample takes the same steps, inside or outside the bins, so the speed does not depend on the data. The guess
 * may be computed in floats with any rounding, because the integers decide.
 */
export interface Ranks {
  readonly type: RankedType;
  readonly bins: number;
  /** 32-bit words per key: 1, or 2 for f64. */
  readonly words: 1 | 2;
  /**
   * Low words of the ascending thresholds: the first key of each bin that a sample can reach, then of overflow if
   * reachable.
   */
  readonly low: Uint32Array;
  /** High words of the thresholds; null for one-word keys. */
  readonly high: Uint32Array | null;
  /** Bisection steps that find the rank in any cell. */
  readonly steps: number;
  readonly guess: RankGuess;
  /**
   * A multiplier for evenly spaced edges over 16-bit samples, which need no search. For keys from the first threshold
   * to before that of overflow, bin = floor((key - low[0]) * scale / 2^32), at most bins - 1. Null: there is none.
   */
  readonly scale: number | null;
}

/** Sample types whose bins are found by keys. 8-bit samples are counted by value. */
export type RankedType = Exclude<SampleType, "u8" | "i8">;

/** The start of the search: `starts[cell]` is the lowest rank in a cell. */
export type RankGuess =
  /**
   * cell = round(saturate((sample - origin) * inverse) * cells), for edges spread over the values. For integers,
   * sample - origin is the distance of their keys. For f64 without 64-bit arithmetic, `narrowed` makes the samples
   * from their keys. If `starts` is null, the edges are so even that the rank is the cell or one more.
   */
  | {
      readonly kind: "line";
      readonly origin: number;
      readonly inverse: number;
      readonly cells: number;
      readonly starts: Uint32Array | null;
      readonly narrow: boolean;
    }
  /** cell = min((max(leading word of the key, base) - base) >> shift, cells), for edges spread over the magnitudes. */
  | {
      readonly kind: "keys";
      readonly base: number;
      readonly shift: number;
      readonly cells: number;
      readonly starts: Uint32Array;
    };

/** Size of a lookup that a plan must make room for. */
export interface LookupSize {
  /** Bytes per key. */
  readonly keyBytes: number;
  readonly thresholds: number;
  /** Number of entries of `starts`. */
  readonly starts: number;
}

/** The part of a device's arithmetic that a guess depends on. */
type Arithmetic = Pick<DeviceLimits, "doubles">;

/** The bit that is set in the high word of the key of a non-negative float. */
const SIGN_WORD = 2 ** 31;
/**
 * High words of the 64-bit floats with exponent 2^-127 and with the largest 32-bit value, and the shift between
 * exponents.
 */
const NARROW_LEAST = 0x3800_0000;
const NARROW_MOST = 0x47ef_ffff;
const NARROW_SHIFT = 3;

const known = new WeakMap<Lowering, Ranks>();
/** Ranks whose guesses do not use 64-bit floats. */
const knownByKeys = new WeakMap<Lowering, Ranks>();

/** Returns the ranks of a lowering, or null if samples need none: 8-bit samples and `direct` lowerings. */
export function ranksOf(lowering: Lowering, { doubles = true }: Arithmetic = {}): Ranks | null {
  const isKeys = lowering.kind === "keys";
  if (!isKeys && !(lowering.kind === "table" && SAMPLE_TRAITS[lowering.type].bytes === 2)) return null;
  const byKeys = lowering.type === "f64" && !doubles;
  const cache = byKeys ? knownByKeys : known;
  let ranks = cache.get(lowering);
  if (ranks === undefined) {
    ranks = isKeys ? ranksOfKeys(lowering, byKeys) : ranksOfTable(lowering as TableLowering);
    cache.set(lowering, ranks);
  }
  return ranks;
}

/** Returns the size of the lookup of a lowering, or null if it has none. */
export function lookupSizeOf(lowering: Lowering, arithmetic: Arithmetic = {}): LookupSize | null {
  const ranks = ranksOf(lowering, arithmetic);
  if (ranks === null || ranks.scale !== null) return null;
  const { low, words, guess } = ranks;
  return {
    keyBytes: words * Uint32Array.BYTES_PER_ELEMENT,
    thresholds: low.length,
    starts: guess.starts?.length ?? 0,
  };
}

function ranksOfKeys(of: KeysLowering, byKeys: boolean): Ranks {
  const top = of.words === 2 ? 0xffff_ffff_ffff_ffffn : 0xffff_ffffn;
  const last = (BigInt(of.last.high) << 32n) | BigInt(of.last.low);
  const keys = Array.from(of.thresholds, (low, i) =>
    of.thresholdsHigh === null ? BigInt(low) : (BigInt(of.thresholdsHigh[i]!) << 32n) | BigInt(low),
  );
  if (keys.length === of.bins && last < top) keys.push(last + 1n);
  return ranksFrom(of.type, of.bins, keys, byKeys);
}

function ranksOfTable({ type, bins, table }: TableLowering): Ranks {
  const flip = SAMPLE_TRAITS[type].min < 0 ? table.length / 2 : 0;
  const rankOf = (code: number): number => (code < bins ? code + 1 : code === bins ? 0 : bins + 1);
  const keys: bigint[] = [];
  for (let key = 0; key < table.length; key++) {
    const rank = rankOf(table[key ^ flip]!);
    while (keys.length < rank) keys.push(BigInt(key));
  }
  // If all samples underflow, this is a key that no sample has.
  if (keys.length === 0) keys.push(BigInt(table.length));
  return ranksFrom(type as RankedType, bins, keys, false);
}

function ranksFrom(type: RankedType, bins: number, keys: readonly bigint[], byKeys: boolean): Ranks {
  const words = type === "f64" ? 2 : 1;
  const onLine = even(type, bins, keys, byKeys);
  const { steps, guess } = onLine ?? fewest(spread(type, keys, byKeys), magnitudes(keys, words));
  return {
    type,
    bins,
    words,
    low: Uint32Array.from(keys, (key) => Number(key & 0xffff_ffffn)),
    high: words === 2 ? Uint32Array.from(keys, (key) => Number(key >> 32n)) : null,
    steps,
    guess,
    scale: SAMPLE_TRAITS[type].bytes === 2 ? exactScale(bins, keys) : null,
  };
}

/** Returns the multiplier that places every bin of evenly spaced thresholds exactly, or null if there is none. */
function exactScale(bins: number, keys: readonly bigint[]): number | null {
  if (keys.length < bins || bins === 1) return null;
  const [first] = keys as [bigint];
  const unit = 1n << 32n;
  // Every bin i begins at its first key if the scale is at least `least`, and not earlier if it is below `most`.
  let least = 0n;
  let most = 1n << 31n;
  for (let i = 1n; i < bins; i++) {
    const distance = keys[Number(i)]! - first;
    if (distance === 0n) return null;
    const from = (i * unit + distance - 1n) / distance;
    const below = distance > 1n ? (i * unit - 1n) / (distance - 1n) + 1n : most;
    if (from > least) least = from;
    if (below < most) most = below;
  }
  return least < most ? Number(least) : null;
}

interface Search {
  readonly steps: number;
  readonly guess: RankGuess;
}

function fewest(a: Search | null, b: Search): Search {
  return a !== null && a.steps <= b.steps ? a : b;
}

type Place = (key: bigint) => number;

/** Returns how far along a line a key's sample lies, from 0 to 1, in the arithmetic that a device uses. */
function line(type: RankedType, origin: bigint, inverse: number, narrow: boolean): Place {
  const saturate = (x: number): number => Math.fround(Math.min(Math.max(x, 0), 1));
  if (narrow) {
    const [from, by] = [narrowed(origin), Math.fround(inverse)];
    return (key) => saturate(Math.fround(Math.fround(narrowed(key) - from) * by));
  }
  const first = valueOfKey(type, origin);
  if (type === "f64") return (key) => saturate((valueOfKey(type, key) - first) * inverse);
  const factor = Math.fround(inverse);
  if (type === "f32") {
    return (key) => saturate(Math.fround(Math.fround(valueOfKey(type, key) - first) * factor));
  }
  return (key) => saturate(Math.fround(Math.fround(Number(key - origin)) * factor));
}

const NARROW = new DataView(new ArrayBuffer(Uint32Array.BYTES_PER_ELEMENT));

/**
 * Converts a 64-bit float to 32 bits with 20 bits of mantissa, using only the high word of its key. It rounds towards
 * zero; values out of range become zero or the largest value. The result is monotonic in the key.
 */
function narrowed(key: bigint): number {
  const high = Number(key >> 32n);
  const isNegative = high < SIGN_WORD;
  const magnitude = isNegative ? SIGN_WORD - 1 - high : high - SIGN_WORD;
  const within = Math.min(Math.max(magnitude, NARROW_LEAST), NARROW_MOST) - NARROW_LEAST;
  NARROW.setUint32(0, within * 2 ** NARROW_SHIFT);
  const value = NARROW.getFloat32(0);
  return isNegative ? -value : value;
}

/** Returns true if devices multiply by this number as JavaScript does, even if they flush denormals to zero. */
function isPlain(inverse: number): boolean {
  return inverse >= RANK_INVERSE_MIN && inverse <= RANK_INVERSE_MAX;
}

/** Evenly spaced edges: threshold i lies at i, within RANK_SLACK. Null: the edges are not even. */
function even(type: RankedType, bins: number, keys: readonly bigint[], narrow: boolean): Search | null {
  if (keys.length < bins) return null;
  const origin = keys[0]!;
  const value = (i: number) => valueOfKey(type, keys[i]!);
  const width =
    bins > 1 ? (value(bins - 1) - value(0)) / (bins - 1) : keys.length > 1 ? value(1) - value(0) : 1;
  const inverse = 1 / (width * bins);
  if (!isPlain(inverse)) return null;
  const at = line(type, origin, inverse, narrow);
  for (let i = 0; i < keys.length; i++) {
    const off = at(keys[i]!) * bins - i;
    if (!(Math.abs(off) <= RANK_SLACK)) return null;
  }
  return {
    steps: 1,
    guess: {
      kind: "line",
      origin: narrow ? narrowed(origin) : value(0),
      inverse,
      cells: bins,
      starts: null,
      narrow,
    },
  };
}

/** Cells of equal width between the first and the last threshold; null if the width is zero. */
function spread(type: RankedType, keys: readonly bigint[], narrow: boolean): Search | null {
  const [origin, last] = [keys[0]!, keys.at(-1)!];
  const inverse = 1 / (valueOfKey(type, last) - valueOfKey(type, origin));
  if (!isPlain(inverse)) return null;
  const cells = cellsFor(keys.length);
  const at = line(type, origin, inverse, narrow);
  const places = keys.map((key) => at(key) * cells);
  if (!(Math.abs(places.at(-1)! - cells) <= RANK_SLACK)) return null;
  // A cell covers what rounds to it, plus a margin on both sides, because devices round differently.
  const reach = 0.5 + RANK_SLACK;
  const starts = new Uint32Array(cells + 1);
  let before = 0;
  let upTo = 0;
  let widest = 0;
  for (let cell = 0; cell <= cells; cell++) {
    if (cell > 0) while (before < keys.length && places[before]! < cell - reach) before++;
    while (upTo < keys.length && places[upTo]! <= cell + reach) upTo++;
    starts[cell] = before;
    widest = Math.max(widest, upTo - before);
  }
  return {
    steps: halvings(widest),
    guess: {
      kind: "line",
      origin: narrow ? narrowed(origin) : valueOfKey(type, origin),
      inverse,
      cells,
      starts,
      narrow,
    },
  };
}

/** Cells with equal numbers of keys. For floats this is a fixed number of cells per octave. */
function magnitudes(keys: readonly bigint[], words: 1 | 2): Search {
  const leading = (key: bigint): number => Number(words === 2 ? key >> 32n : key);
  const base = leading(keys[0]!);
  const span = leading(keys.at(-1)!) - base;
  const most = cellsFor(keys.length);
  let shift = 0;
  while (Math.floor(span / 2 ** shift) >= most) shift++;
  const cells = Math.floor(span / 2 ** shift);
  const starts = new Uint32Array(cells + 1);
  let before = 0;
  let upTo = 0;
  let widest = 0;
  for (let cell = 0; cell <= cells; cell++) {
    const begin = base + cell * 2 ** shift;
    // Keys below the base fall into the first cell, and keys past the end into the last.
    if (cell > 0) while (before < keys.length && leading(keys[before]!) < begin) before++;
    while (upTo < keys.length && (cell === cells || leading(keys[upTo]!) < begin + 2 ** shift)) upTo++;
    starts[cell] = before;
    widest = Math.max(widest, upTo - before);
  }
  return { steps: halvings(widest), guess: { kind: "keys", base, shift, cells, starts } };
}

/** Returns twice the number of thresholds, rounded up to a power of two, so that most cells have at most one. */
function cellsFor(thresholds: number): number {
  let cells = RANK_CELLS_MIN;
  while (cells < 2 * (thresholds - 1) && cells < RANK_CELLS_MAX) cells *= 2;
  return cells;
}

/** Returns the number of bisection steps that distinguish 0 … width. */
function halvings(width: number): number {
  return Math.max(1, 32 - Math.clz32(width));
}

/** Maps a key to a sample's row. This is the executable specification of a kernel's search. */
export function rankOf({ low, high, steps, guess, type, bins, scale }: Ranks, key: bigint): number {
  const count = low.length;
  if (scale !== null) {
    const distance = key - BigInt(low[0]!);
    if (distance < 0n) return 0;
    if (count > bins && key >= BigInt(low[bins]!)) return bins + 1;
    return Math.min(Number((distance * BigInt(scale)) >> 32n), bins - 1) + 1;
  }
  const threshold = (i: number): bigint =>
    high === null ? BigInt(low[i]!) : (BigInt(high[i]!) << 32n) | BigInt(low[i]!);
  const cell = cellOf(guess, type, threshold(0), key);
  let rank = guess.starts?.[cell] ?? cell;
  for (let step = 2 ** (steps - 1); step >= 1; step /= 2) {
    if (rank + step <= count && threshold(rank + step - 1) <= key) rank += step;
  }
  return rank;
}

function cellOf(guess: RankGuess, type: RankedType, first: bigint, key: bigint): number {
  if (guess.kind === "line") {
    const from = SAMPLE_TRAITS[type].integer && key < first ? first : key;
    return Math.round(line(type, first, guess.inverse, guess.narrow)(from) * guess.cells);
  }
  const leading = Number(type === "f64" ? key >> 32n : key);
  return Math.min(Math.floor((Math.max(leading, guess.base) - guess.base) / 2 ** guess.shift), guess.cells);
}
