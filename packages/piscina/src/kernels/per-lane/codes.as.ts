// Codes of 16 bits, which other kernels count in the same way:
//
//   TABLES   [cells][8 lanes] 32 bits    up to WORKER_NARROW_CELLS cells
//            [4 lanes][cells] 32 bits    more cells
//
// Bound: one store per cycle. With many cells and random data, the second-level cache.
// Source: polybin, as kernel.as.ts.
import { WORKER_NARROW_CELLS, WORKER_NARROW_LANES, WORKER_WIDE_LANES } from "../generated/limits.as";
import { COUNTS, sumOf, TABLE_STRIDE, TABLES } from "../lib/memory.as";

// The loops below are unrolled for these numbers. Core plans with the same ones.
if (WORKER_NARROW_LANES != 8 || WORKER_WIDE_LANES != 4) {
  ERROR("per-lane's codes are written for 8 and 4 lanes: rewrite their loops for core's WORKER_*LANES");
}

const T0: u32 = TABLES;
const T1: u32 = TABLES + TABLE_STRIDE;
const T2: u32 = TABLES + TABLE_STRIDE * 2;
const T3: u32 = TABLES + TABLE_STRIDE * 3;

let tablesUsed: bool = false;

/** Forgets codes that were counted but not yet added to COUNTS. */
export function clearCodes(): void {
  if (tablesUsed) memory.fill(TABLES, 0, TABLE_STRIDE * WORKER_WIDE_LANES);
  tablesUsed = false;
}

/** Counts n codes below `cells`. `cells` must stay the same until the finish. */
export function count_per_lane_u16(ptr: u32, n: u32, cells: u32): void {
  tablesUsed = true;
  if (cells <= WORKER_NARROW_CELLS) countNarrow(ptr, n);
  else countWide4(ptr, n);
}

function countNarrow(ptr: u32, n: u32): void {
  let at: u32;
  const end = ptr + n * 2;
  const whole = ptr + (n & ~7) * 2;
  for (; ptr < whole; ptr += 16) {
    at = <u32>load<u16>(ptr, 0) << 5; store<u32>(at, load<u32>(at, TABLES) + 1, TABLES);
    at = <u32>load<u16>(ptr, 2) << 5; store<u32>(at, load<u32>(at, TABLES + 4) + 1, TABLES + 4);
    at = <u32>load<u16>(ptr, 4) << 5; store<u32>(at, load<u32>(at, TABLES + 8) + 1, TABLES + 8);
    at = <u32>load<u16>(ptr, 6) << 5; store<u32>(at, load<u32>(at, TABLES + 12) + 1, TABLES + 12);
    at = <u32>load<u16>(ptr, 8) << 5; store<u32>(at, load<u32>(at, TABLES + 16) + 1, TABLES + 16);
    at = <u32>load<u16>(ptr, 10) << 5; store<u32>(at, load<u32>(at, TABLES + 20) + 1, TABLES + 20);
    at = <u32>load<u16>(ptr, 12) << 5; store<u32>(at, load<u32>(at, TABLES + 24) + 1, TABLES + 24);
    at = <u32>load<u16>(ptr, 14) << 5; store<u32>(at, load<u32>(at, TABLES + 28) + 1, TABLES + 28);
  }
  for (; ptr < end; ptr += 2) {
    at = <u32>load<u16>(ptr) << 5; store<u32>(at, load<u32>(at, TABLES) + 1, TABLES);
  }
}

function countWide4(ptr: u32, n: u32): void {
  let at: u32;
  const end = ptr + n * 2;
  const whole = ptr + (n & ~7) * 2;
  for (; ptr < whole; ptr += 16) {
    at = <u32>load<u16>(ptr, 0) << 2; store<u32>(at, load<u32>(at, T0) + 1, T0);
    at = <u32>load<u16>(ptr, 2) << 2; store<u32>(at, load<u32>(at, T1) + 1, T1);
    at = <u32>load<u16>(ptr, 4) << 2; store<u32>(at, load<u32>(at, T2) + 1, T2);
    at = <u32>load<u16>(ptr, 6) << 2; store<u32>(at, load<u32>(at, T3) + 1, T3);
    at = <u32>load<u16>(ptr, 8) << 2; store<u32>(at, load<u32>(at, T0) + 1, T0);
    at = <u32>load<u16>(ptr, 10) << 2; store<u32>(at, load<u32>(at, T1) + 1, T1);
    at = <u32>load<u16>(ptr, 12) << 2; store<u32>(at, load<u32>(at, T2) + 1, T2);
    at = <u32>load<u16>(ptr, 14) << 2; store<u32>(at, load<u32>(at, T3) + 1, T3);
  }
  for (; ptr < end; ptr += 2) {
    at = <u32>load<u16>(ptr) << 2; store<u32>(at, load<u32>(at, T0) + 1, T0);
  }
}

/** Adds the lanes of 16-bit codes to COUNTS and clears them. Counting may continue afterwards. */
export function finish_per_lane_u16(cells: u32): void {
  if (!tablesUsed) return;
  const zero = i32x4.splat(0);
  if (cells <= WORKER_NARROW_CELLS) {
    for (let cell: u32 = 0; cell < cells; cell++) {
      const at = cell * WORKER_NARROW_LANES * 4;
      addCount(cell << 2, sumOf(i32x4.add(v128.load(at, TABLES), v128.load(at, TABLES + 16))));
      v128.store(at, zero, TABLES);
      v128.store(at, zero, TABLES + 16);
    }
  } else {
    for (let at: u32 = 0; at < cells * 4; at += 16) {
      const low = i32x4.add(v128.load(at, T0), v128.load(at, T1));
      const high = i32x4.add(v128.load(at, T2), v128.load(at, T3));
      v128.store(at, i32x4.add(v128.load(at, COUNTS), i32x4.add(low, high)), COUNTS);
      v128.store(at, zero, T0);
      v128.store(at, zero, T1);
      v128.store(at, zero, T2);
      v128.store(at, zero, T3);
    }
  }
  tablesUsed = false;
}

@inline function addCount(at: u32, more: u32): void {
  store<u32>(at, load<u32>(at, COUNTS) + more, COUNTS);
}
