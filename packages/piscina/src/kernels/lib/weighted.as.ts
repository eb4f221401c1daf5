// Weighted sums in a worker's own tables, for weighted-fixed-point (four tables) and weighted-collision-free (one).
//
//   TABLES   counted  [bin][lane]  count << WORKER_SUM_BITS + sum, a word of 64 bits; document j uses lane j mod lanes
//            paired   [bin][lane]  the same, and a word for the sum of squares
//            fast     [bin][lane]  count and sum, two doubles; squares are added after them, count and sum of squares
//   WEIGHTS  what a document adds to its cell: one word, or two
//   RAW      weights as they arrive, 32 bits each; RAW_SQUARES has the same form
//   INDICES  documents of a list, relative to the chunk's first
//   VALUES   [feature of four] one value per document, 8 or 16 bits
//   TOTALS   [feature of the block] counts, sums, sums of squares: doubles, `bins` of each
//
// The calls for up to WORKER_WEIGHTED_DOCUMENTS documents are: weigh once; then for each feature its values, add and
// fold. The values are written to VALUES, or to CHUNK and then unpacked or gathered. A fold clears TABLES. The caller
// grows the memory to the end of TOTALS.
//
// Bound: one load of a value, one of a weight, one of a cell and one store per document, whatever is added. A count and
// a sum in two words would need two stores.
// Source: polybin; one table per lane is Xu et al.'s collision-free method.
import { WORKER_CHUNK_BYTES, WORKER_NARROW_CELLS, WORKER_SIDE_BY_SIDE, WORKER_SUM_BITS, WORKER_WEIGHTED_DOCUMENTS, WORKER_WIDE_LANES } from "../generated/limits.as";
import { CHUNK, TABLES } from "./memory.as";

if (WORKER_WIDE_LANES != 4 || WORKER_SIDE_BY_SIDE != 4) {
  ERROR("weighted.as.ts is written for 4 lanes and 4 features: rewrite its loops for core's WORKER_* numbers");
}

export const WEIGHTS: u32 = CHUNK + WORKER_CHUNK_BYTES + 64;
export const RAW: u32 = WEIGHTS + WORKER_WEIGHTED_DOCUMENTS * 16;
export const RAW_SQUARES: u32 = RAW + WORKER_WEIGHTED_DOCUMENTS * 4;
export const INDICES: u32 = RAW_SQUARES + WORKER_WEIGHTED_DOCUMENTS * 4;
export const VALUES: u32 = INDICES + WORKER_WEIGHTED_DOCUMENTS * 4;
export const VALUES_STEP: u32 = WORKER_CHUNK_BYTES + 64;
export const TOTALS: u32 = VALUES + VALUES_STEP * WORKER_SIDE_BY_SIDE;
/** Bytes between the tables of four features side by side, which have up to WORKER_NARROW_CELLS bins each. */
export const TABLES_STEP: u32 = WORKER_NARROW_CELLS * WORKER_WIDE_LANES * 8 + 64;

// -- Weights ---------------------------------------------------------------------------------------------

const ONE: i64 = 1 << (<i64>WORKER_SUM_BITS);

export function weigh_counted(n: u32): void {
  for (let i: u32 = 0; i < n; i++) store<i64>(i << 3, ONE + <i64>load<i32>(i << 2, RAW), WEIGHTS);
}

export function weigh_paired(n: u32): void {
  for (let i: u32 = 0; i < n; i++) {
    store<i64>(i << 4, ONE + <i64>load<i32>(i << 2, RAW), WEIGHTS);
    store<i64>(i << 4, <i64>load<i32>(i << 2, RAW_SQUARES), WEIGHTS + 8);
  }
}

export function weigh_fast(n: u32, squares: bool): void {
  const from = squares ? RAW_SQUARES : RAW;
  for (let i: u32 = 0; i < n; i++) {
    store<f64>(i << 4, 1, WEIGHTS);
    store<f64>(i << 4, <f64>load<f32>(from + (i << 2)), WEIGHTS + 8);
  }
}

// -- Adding ----------------------------------------------------------------------------------------------

export function add_counted_u8(ptr: u32, n: u32, lanes: u32): void {
  if (lanes == WORKER_WIDE_LANES) countedInFour<u8>(ptr, n);
  else countedInOne<u8>(ptr, n);
}
export function add_counted_u16(ptr: u32, n: u32, lanes: u32): void {
  if (lanes == WORKER_WIDE_LANES) countedInFour<u16>(ptr, n);
  else countedInOne<u16>(ptr, n);
}
export function add_paired_u8(ptr: u32, n: u32, lanes: u32): void {
  if (lanes == WORKER_WIDE_LANES) pairedInFour<u8>(ptr, n);
  else pairedInOne<u8>(ptr, n);
}
export function add_paired_u16(ptr: u32, n: u32, lanes: u32): void {
  if (lanes == WORKER_WIDE_LANES) pairedInFour<u16>(ptr, n);
  else pairedInOne<u16>(ptr, n);
}
export function add_fast_u8(ptr: u32, n: u32, lanes: u32): void {
  if (lanes == WORKER_WIDE_LANES) fastInFour<u8>(ptr, n);
  else fastInOne<u8>(ptr, n);
}
export function add_fast_u16(ptr: u32, n: u32, lanes: u32): void {
  if (lanes == WORKER_WIDE_LANES) fastInFour<u16>(ptr, n);
  else fastInOne<u16>(ptr, n);
}

function countedInFour<C>(ptr: u32, n: u32): void {
  let at = WEIGHTS;
  let cell: u32;
  const end = ptr + n * sizeof<C>();
  const whole = ptr + (n & ~3) * sizeof<C>();
  for (; ptr < whole; ptr += sizeof<C>() * 4, at += 32) {
    cell = <u32>load<C>(ptr) << 5;
    store<i64>(cell, load<i64>(cell, TABLES) + load<i64>(at), TABLES);
    cell = <u32>load<C>(ptr, sizeof<C>()) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + 8) + load<i64>(at, 8), TABLES + 8);
    cell = <u32>load<C>(ptr, sizeof<C>() * 2) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + 16) + load<i64>(at, 16), TABLES + 16);
    cell = <u32>load<C>(ptr, sizeof<C>() * 3) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + 24) + load<i64>(at, 24), TABLES + 24);
  }
  for (; ptr < end; ptr += sizeof<C>(), at += 8) {
    cell = <u32>load<C>(ptr) << 5;
    store<i64>(cell, load<i64>(cell, TABLES) + load<i64>(at), TABLES);
  }
}

function countedInOne<C>(ptr: u32, n: u32): void {
  let at = WEIGHTS;
  let cell: u32;
  const end = ptr + n * sizeof<C>();
  const whole = ptr + (n & ~3) * sizeof<C>();
  for (; ptr < whole; ptr += sizeof<C>() * 4, at += 32) {
    cell = <u32>load<C>(ptr) << 3;
    store<i64>(cell, load<i64>(cell, TABLES) + load<i64>(at), TABLES);
    cell = <u32>load<C>(ptr, sizeof<C>()) << 3;
    store<i64>(cell, load<i64>(cell, TABLES) + load<i64>(at, 8), TABLES);
    cell = <u32>load<C>(ptr, sizeof<C>() * 2) << 3;
    store<i64>(cell, load<i64>(cell, TABLES) + load<i64>(at, 16), TABLES);
    cell = <u32>load<C>(ptr, sizeof<C>() * 3) << 3;
    store<i64>(cell, load<i64>(cell, TABLES) + load<i64>(at, 24), TABLES);
  }
  for (; ptr < end; ptr += sizeof<C>(), at += 8) {
    cell = <u32>load<C>(ptr) << 3;
    store<i64>(cell, load<i64>(cell, TABLES) + load<i64>(at), TABLES);
  }
}

function pairedInFour<C>(ptr: u32, n: u32): void {
  let at = WEIGHTS;
  let cell: u32;
  const end = ptr + n * sizeof<C>();
  const whole = ptr + (n & ~3) * sizeof<C>();
  for (; ptr < whole; ptr += sizeof<C>() * 4, at += 64) {
    cell = <u32>load<C>(ptr) << 6;
    v128.store(cell, i64x2.add(v128.load(cell, TABLES), v128.load(at)), TABLES);
    cell = <u32>load<C>(ptr, sizeof<C>()) << 6;
    v128.store(cell, i64x2.add(v128.load(cell, TABLES + 16), v128.load(at, 16)), TABLES + 16);
    cell = <u32>load<C>(ptr, sizeof<C>() * 2) << 6;
    v128.store(cell, i64x2.add(v128.load(cell, TABLES + 32), v128.load(at, 32)), TABLES + 32);
    cell = <u32>load<C>(ptr, sizeof<C>() * 3) << 6;
    v128.store(cell, i64x2.add(v128.load(cell, TABLES + 48), v128.load(at, 48)), TABLES + 48);
  }
  for (; ptr < end; ptr += sizeof<C>(), at += 16) {
    cell = <u32>load<C>(ptr) << 6;
    v128.store(cell, i64x2.add(v128.load(cell, TABLES), v128.load(at)), TABLES);
  }
}

function pairedInOne<C>(ptr: u32, n: u32): void {
  let at = WEIGHTS;
  let cell: u32;
  const end = ptr + n * sizeof<C>();
  const whole = ptr + (n & ~3) * sizeof<C>();
  for (; ptr < whole; ptr += sizeof<C>() * 4, at += 64) {
    cell = <u32>load<C>(ptr) << 4;
    v128.store(cell, i64x2.add(v128.load(cell, TABLES), v128.load(at)), TABLES);
    cell = <u32>load<C>(ptr, sizeof<C>()) << 4;
    v128.store(cell, i64x2.add(v128.load(cell, TABLES), v128.load(at, 16)), TABLES);
    cell = <u32>load<C>(ptr, sizeof<C>() * 2) << 4;
    v128.store(cell, i64x2.add(v128.load(cell, TABLES), v128.load(at, 32)), TABLES);
    cell = <u32>load<C>(ptr, sizeof<C>() * 3) << 4;
    v128.store(cell, i64x2.add(v128.load(cell, TABLES), v128.load(at, 48)), TABLES);
  }
  for (; ptr < end; ptr += sizeof<C>(), at += 16) {
    cell = <u32>load<C>(ptr) << 4;
    v128.store(cell, i64x2.add(v128.load(cell, TABLES), v128.load(at)), TABLES);
  }
}

function fastInFour<C>(ptr: u32, n: u32): void {
  let at = WEIGHTS;
  let cell: u32;
  const end = ptr + n * sizeof<C>();
  const whole = ptr + (n & ~3) * sizeof<C>();
  for (; ptr < whole; ptr += sizeof<C>() * 4, at += 64) {
    cell = <u32>load<C>(ptr) << 6;
    v128.store(cell, f64x2.add(v128.load(cell, TABLES), v128.load(at)), TABLES);
    cell = <u32>load<C>(ptr, sizeof<C>()) << 6;
    v128.store(cell, f64x2.add(v128.load(cell, TABLES + 16), v128.load(at, 16)), TABLES + 16);
    cell = <u32>load<C>(ptr, sizeof<C>() * 2) << 6;
    v128.store(cell, f64x2.add(v128.load(cell, TABLES + 32), v128.load(at, 32)), TABLES + 32);
    cell = <u32>load<C>(ptr, sizeof<C>() * 3) << 6;
    v128.store(cell, f64x2.add(v128.load(cell, TABLES + 48), v128.load(at, 48)), TABLES + 48);
  }
  for (; ptr < end; ptr += sizeof<C>(), at += 16) {
    cell = <u32>load<C>(ptr) << 6;
    v128.store(cell, f64x2.add(v128.load(cell, TABLES), v128.load(at)), TABLES);
  }
}

function fastInOne<C>(ptr: u32, n: u32): void {
  let at = WEIGHTS;
  let cell: u32;
  const end = ptr + n * sizeof<C>();
  const whole = ptr + (n & ~3) * sizeof<C>();
  for (; ptr < whole; ptr += sizeof<C>() * 4, at += 64) {
    cell = <u32>load<C>(ptr) << 4;
    v128.store(cell, f64x2.add(v128.load(cell, TABLES), v128.load(at)), TABLES);
    cell = <u32>load<C>(ptr, sizeof<C>()) << 4;
    v128.store(cell, f64x2.add(v128.load(cell, TABLES), v128.load(at, 16)), TABLES);
    cell = <u32>load<C>(ptr, sizeof<C>() * 2) << 4;
    v128.store(cell, f64x2.add(v128.load(cell, TABLES), v128.load(at, 32)), TABLES);
    cell = <u32>load<C>(ptr, sizeof<C>() * 3) << 4;
    v128.store(cell, f64x2.add(v128.load(cell, TABLES), v128.load(at, 48)), TABLES);
  }
  for (; ptr < end; ptr += sizeof<C>(), at += 16) {
    cell = <u32>load<C>(ptr) << 4;
    v128.store(cell, f64x2.add(v128.load(cell, TABLES), v128.load(at)), TABLES);
  }
}

/** Adds up four features at once. Their values are VALUES_STEP apart and their tables TABLES_STEP. */
export function add_four_u8(n: u32): void {
  inFour<u8>(n);
}
export function add_four_u16(n: u32): void {
  inFour<u16>(n);
}

function inFour<C>(n: u32): void {
  let ptr = VALUES;
  let at = WEIGHTS;
  let cell: u32;
  let word: i64;
  const end = ptr + n * sizeof<C>();
  const whole = ptr + (n & ~3) * sizeof<C>();
  for (; ptr < whole; ptr += sizeof<C>() * 4, at += 32) {
    word = load<i64>(at);
    cell = <u32>load<C>(ptr) << 5;
    store<i64>(cell, load<i64>(cell, TABLES) + word, TABLES);
    cell = <u32>load<C>(ptr, VALUES_STEP) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + TABLES_STEP) + word, TABLES + TABLES_STEP);
    cell = <u32>load<C>(ptr, VALUES_STEP * 2) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + TABLES_STEP * 2) + word, TABLES + TABLES_STEP * 2);
    cell = <u32>load<C>(ptr, VALUES_STEP * 3) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + TABLES_STEP * 3) + word, TABLES + TABLES_STEP * 3);
    word = load<i64>(at, 8);
    cell = <u32>load<C>(ptr, sizeof<C>()) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + 8) + word, TABLES + 8);
    cell = <u32>load<C>(ptr, VALUES_STEP + sizeof<C>()) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + TABLES_STEP + 8) + word, TABLES + TABLES_STEP + 8);
    cell = <u32>load<C>(ptr, VALUES_STEP * 2 + sizeof<C>()) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + TABLES_STEP * 2 + 8) + word, TABLES + TABLES_STEP * 2 + 8);
    cell = <u32>load<C>(ptr, VALUES_STEP * 3 + sizeof<C>()) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + TABLES_STEP * 3 + 8) + word, TABLES + TABLES_STEP * 3 + 8);
    word = load<i64>(at, 16);
    cell = <u32>load<C>(ptr, sizeof<C>() * 2) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + 16) + word, TABLES + 16);
    cell = <u32>load<C>(ptr, VALUES_STEP + sizeof<C>() * 2) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + TABLES_STEP + 16) + word, TABLES + TABLES_STEP + 16);
    cell = <u32>load<C>(ptr, VALUES_STEP * 2 + sizeof<C>() * 2) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + TABLES_STEP * 2 + 16) + word, TABLES + TABLES_STEP * 2 + 16);
    cell = <u32>load<C>(ptr, VALUES_STEP * 3 + sizeof<C>() * 2) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + TABLES_STEP * 3 + 16) + word, TABLES + TABLES_STEP * 3 + 16);
    word = load<i64>(at, 24);
    cell = <u32>load<C>(ptr, sizeof<C>() * 3) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + 24) + word, TABLES + 24);
    cell = <u32>load<C>(ptr, VALUES_STEP + sizeof<C>() * 3) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + TABLES_STEP + 24) + word, TABLES + TABLES_STEP + 24);
    cell = <u32>load<C>(ptr, VALUES_STEP * 2 + sizeof<C>() * 3) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + TABLES_STEP * 2 + 24) + word, TABLES + TABLES_STEP * 2 + 24);
    cell = <u32>load<C>(ptr, VALUES_STEP * 3 + sizeof<C>() * 3) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + TABLES_STEP * 3 + 24) + word, TABLES + TABLES_STEP * 3 + 24);
  }
  for (; ptr < end; ptr += sizeof<C>(), at += 8) {
    word = load<i64>(at);
    cell = <u32>load<C>(ptr) << 5;
    store<i64>(cell, load<i64>(cell, TABLES) + word, TABLES);
    cell = <u32>load<C>(ptr, VALUES_STEP) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + TABLES_STEP) + word, TABLES + TABLES_STEP);
    cell = <u32>load<C>(ptr, VALUES_STEP * 2) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + TABLES_STEP * 2) + word, TABLES + TABLES_STEP * 2);
    cell = <u32>load<C>(ptr, VALUES_STEP * 3) << 5;
    store<i64>(cell, load<i64>(cell, TABLES + TABLES_STEP * 3) + word, TABLES + TABLES_STEP * 3);
  }
}

// -- Totals ----------------------------------------------------------------------------------------------

@inline function addTo(at: u32, amount: f64): void {
  store<f64>(at, load<f64>(at) + amount);
}

/** Adds a word's count and sum to their totals. A negative sum borrows from the count, which this corrects. */
@inline function addWord(word: i64, counts: u32, sums: u32): void {
  const count = (word + (ONE >> 1)) >> (<i64>WORKER_SUM_BITS);
  addTo(counts, <f64>count);
  addTo(sums, <f64>(word - (count << (<i64>WORKER_SUM_BITS))));
}

/** `feature` is the place among four side by side, or 0. */
export function fold_counted(bins: u32, lanes: u32, feature: u32, out: u32): void {
  const row = bins << 3;
  const table = TABLES + feature * TABLES_STEP;
  let at = table;
  for (let bin: u32 = 0; bin < row; bin += 8) {
    let word = load<i64>(at);
    if (lanes == WORKER_WIDE_LANES) {
      word += load<i64>(at, 8) + load<i64>(at, 16) + load<i64>(at, 24);
      at += 32;
    } else at += 8;
    if (word != 0) addWord(word, out + bin, out + row + bin);
  }
  memory.fill(table, 0, row * lanes);
}

export function fold_paired(bins: u32, lanes: u32, out: u32): void {
  const row = bins << 3;
  let at = TABLES;
  for (let bin: u32 = 0; bin < row; bin += 8) {
    let words = i64x2.splat(0);
    for (let lane: u32 = 0; lane < lanes; lane++, at += 16) words = i64x2.add(words, v128.load(at));
    addWord(i64x2.extract_lane(words, 0), out + bin, out + row + bin);
    addTo(out + row * 2 + bin, <f64>i64x2.extract_lane(words, 1));
  }
  memory.fill(TABLES, 0, row * lanes * 2);
}

export function fold_fast(bins: u32, lanes: u32, out: u32, squares: bool): void {
  const row = bins << 3;
  let at = TABLES;
  for (let bin: u32 = 0; bin < row; bin += 8) {
    let words = f64x2.splat(0);
    for (let lane: u32 = 0; lane < lanes; lane++, at += 16) words = f64x2.add(words, v128.load(at));
    if (squares) addTo(out + row * 2 + bin, f64x2.extract_lane(words, 1));
    else {
      addTo(out + bin, f64x2.extract_lane(words, 0));
      addTo(out + row + bin, f64x2.extract_lane(words, 1));
    }
  }
  memory.fill(TABLES, 0, row * lanes * 2);
}
