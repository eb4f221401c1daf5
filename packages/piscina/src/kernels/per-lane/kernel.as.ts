// per-lane: several counters per cell, used in turn, so that equal neighbours do not wait for each other. Wider samples
// find and count their rows in one step (rows.as.ts and the files that import it). Bytes have two layouts:
//
//   bytes    LANES   [256 cells][16 lanes]  16 bits    byte j of the input uses lane j mod 16
//   pairs    TABLES  [2 lanes][65,536 cells] 32 bits   two bytes at once: cell = first + 256 * second
//
// A table of pairs halves the counting: one load, one increment and one store for two samples. It costs 512 KiB of
// second-level cache and a fold of 131,072 counters, so the plan of a small job uses bytes. At the fold, cell c
// receives row c and column c of the pairs.
//
// Bound: bytes: about one store per cycle, whatever the data. Pairs: the second-level cache for random data, otherwise
// one increment in 1.2 cycles.
// Source: polybin. It transfers the tables of a GPU's banks (`h[bin * R + lane]`) to a processor's store queue.
import { WORKER_LANES, BYTE_VALUES, WORKER_PAIR_LANES, U16_MAX } from "../generated/limits.as";
import { COUNTS, LANES, sumOf, TABLE_STRIDE, TABLES } from "../lib/memory.as";
import { clearCodes } from "./codes.as";
import { lanes_clear } from "./rows.as";

export { count_per_lane_u16, finish_per_lane_u16 } from "./codes.as";
export * from "./fused.as";

// The loops below are unrolled for these numbers. Core plans with the same ones.
if (WORKER_LANES != 16 || WORKER_PAIR_LANES != 2) {
  ERROR("per-lane's bytes are written for 16 and 2 lanes: rewrite their loops for core's WORKER_*LANES");
}

const LANE_BYTES: u32 = BYTE_VALUES * WORKER_LANES * 2;
/** Up to so many bytes, adding the lanes up would take longer than waiting for equal neighbours. */
const FEW: u32 = 2048;
const T0: u32 = TABLES;
const T1: u32 = TABLES + TABLE_STRIDE;

/** The most increments that one lane of LANES has received since the last fold. */
let laneLoad: u32 = 0;
let tablesUsed: bool = false;

/** Forgets all counts. After a finish there is nothing to clear. */
export function reset_per_lane(): void {
  if (laneLoad) memory.fill(LANES, 0, LANE_BYTES);
  if (tablesUsed) memory.fill(TABLES, 0, TABLE_STRIDE * WORKER_PAIR_LANES);
  laneLoad = 0;
  tablesUsed = false;
  clearCodes();
  lanes_clear();
}

// -- u8 ---------------------------------------------------------------------------------------------

/** Uses 8 KiB: for small jobs, for small caches, and at the same speed on any data. */
export function count_per_lane_bytes_u8(ptr: u32, n: u32): void {
  if (n <= FEW && !laneLoad) {
    for (const end = ptr + n; ptr < end; ptr++) addCount(<u32>load<u8>(ptr) << 2, 1);
    return;
  }
  while (n) {
    if (laneLoad == U16_MAX) foldLanes();
    const room = (U16_MAX - laneLoad) * WORKER_LANES;
    const part = n < room ? n : room;
    laneLoad += (part + WORKER_LANES - 1) / WORKER_LANES;
    countBytes(ptr, part);
    ptr += part;
    n -= part;
  }
}

function countBytes(ptr: u32, n: u32): void {
  let at: u32;
  const end = ptr + n;
  const whole = ptr + (n & ~15);
  for (; ptr < whole; ptr += 16) {
    at = <u32>load<u8>(ptr, 0) << 5; store<u16>(at, load<u16>(at, LANES) + 1, LANES);
    at = <u32>load<u8>(ptr, 1) << 5; store<u16>(at, load<u16>(at, LANES + 2) + 1, LANES + 2);
    at = <u32>load<u8>(ptr, 2) << 5; store<u16>(at, load<u16>(at, LANES + 4) + 1, LANES + 4);
    at = <u32>load<u8>(ptr, 3) << 5; store<u16>(at, load<u16>(at, LANES + 6) + 1, LANES + 6);
    at = <u32>load<u8>(ptr, 4) << 5; store<u16>(at, load<u16>(at, LANES + 8) + 1, LANES + 8);
    at = <u32>load<u8>(ptr, 5) << 5; store<u16>(at, load<u16>(at, LANES + 10) + 1, LANES + 10);
    at = <u32>load<u8>(ptr, 6) << 5; store<u16>(at, load<u16>(at, LANES + 12) + 1, LANES + 12);
    at = <u32>load<u8>(ptr, 7) << 5; store<u16>(at, load<u16>(at, LANES + 14) + 1, LANES + 14);
    at = <u32>load<u8>(ptr, 8) << 5; store<u16>(at, load<u16>(at, LANES + 16) + 1, LANES + 16);
    at = <u32>load<u8>(ptr, 9) << 5; store<u16>(at, load<u16>(at, LANES + 18) + 1, LANES + 18);
    at = <u32>load<u8>(ptr, 10) << 5; store<u16>(at, load<u16>(at, LANES + 20) + 1, LANES + 20);
    at = <u32>load<u8>(ptr, 11) << 5; store<u16>(at, load<u16>(at, LANES + 22) + 1, LANES + 22);
    at = <u32>load<u8>(ptr, 12) << 5; store<u16>(at, load<u16>(at, LANES + 24) + 1, LANES + 24);
    at = <u32>load<u8>(ptr, 13) << 5; store<u16>(at, load<u16>(at, LANES + 26) + 1, LANES + 26);
    at = <u32>load<u8>(ptr, 14) << 5; store<u16>(at, load<u16>(at, LANES + 28) + 1, LANES + 28);
    at = <u32>load<u8>(ptr, 15) << 5; store<u16>(at, load<u16>(at, LANES + 30) + 1, LANES + 30);
  }
  // The tail has at most 15 bytes. Each uses the lane of its place, so no lane receives more than one.
  for (let lane: u32 = 0; ptr < end; ptr++, lane += 2) {
    at = (<u32>load<u8>(ptr) << 5) + lane; store<u16>(at, load<u16>(at, LANES) + 1, LANES);
  }
}

/** Adds the lanes of each cell to COUNTS and clears them. */
function foldLanes(): void {
  for (let cell: u32 = 0; cell < BYTE_VALUES; cell++) {
    const at = cell << 5;
    const pairs = i32x4.add(
      i32x4.extadd_pairwise_i16x8_u(v128.load(at, LANES)),
      i32x4.extadd_pairwise_i16x8_u(v128.load(at, LANES + 16)),
    );
    addCount(cell << 2, sumOf(pairs));
  }
  memory.fill(LANES, 0, LANE_BYTES);
  laneLoad = 0;
}

/** Counts two bytes at a time, with 512 KiB of tables. */
export function count_per_lane_pairs_u8(ptr: u32, n: u32): void {
  tablesUsed = true;
  countWide2(ptr, n >> 1);
  if (n & 1) addCount(<u32>load<u8>(ptr + n - 1) << 2, 1);
}

/** Adds bytes and pairs to COUNTS, 256 cells. Counting may continue afterwards. */
export function finish_per_lane_u8(): void {
  if (laneLoad) foldLanes();
  if (tablesUsed) foldPairs();
}

/** Adds row sums to the cells of second bytes, and column sums to those of first bytes. */
function foldPairs(): void {
  const zero = i32x4.splat(0);
  for (let second: u32 = 0; second < BYTE_VALUES; second++) {
    let row = zero;
    const start = second << 10;
    for (let column: u32 = 0; column < BYTE_VALUES * 4; column += 16) {
      const at = start + column;
      const sum = i32x4.add(v128.load(at, T0), v128.load(at, T1));
      v128.store(at, zero, T0);
      v128.store(at, zero, T1);
      row = i32x4.add(row, sum);
      v128.store(column, i32x4.add(v128.load(column, COUNTS), sum), COUNTS);
    }
    addCount(second << 2, sumOf(row));
  }
  tablesUsed = false;
}

function countWide2(ptr: u32, n: u32): void {
  let at: u32;
  const end = ptr + n * 2;
  const whole = ptr + (n & ~7) * 2;
  for (; ptr < whole; ptr += 16) {
    at = <u32>load<u16>(ptr, 0) << 2; store<u32>(at, load<u32>(at, T0) + 1, T0);
    at = <u32>load<u16>(ptr, 2) << 2; store<u32>(at, load<u32>(at, T1) + 1, T1);
    at = <u32>load<u16>(ptr, 4) << 2; store<u32>(at, load<u32>(at, T0) + 1, T0);
    at = <u32>load<u16>(ptr, 6) << 2; store<u32>(at, load<u32>(at, T1) + 1, T1);
    at = <u32>load<u16>(ptr, 8) << 2; store<u32>(at, load<u32>(at, T0) + 1, T0);
    at = <u32>load<u16>(ptr, 10) << 2; store<u32>(at, load<u32>(at, T1) + 1, T1);
    at = <u32>load<u16>(ptr, 12) << 2; store<u32>(at, load<u32>(at, T0) + 1, T0);
    at = <u32>load<u16>(ptr, 14) << 2; store<u32>(at, load<u32>(at, T1) + 1, T1);
  }
  for (; ptr < end; ptr += 2) {
    at = <u32>load<u16>(ptr) << 2; store<u32>(at, load<u32>(at, T0) + 1, T0);
  }
}

@inline function addCount(at: u32, more: u32): void {
  store<u32>(at, load<u32>(at, COUNTS) + more, COUNTS);
}
