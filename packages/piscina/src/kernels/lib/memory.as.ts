// The WebAssembly module of one worker (module.as.ts): one memory, one job at a time.
//
//   reset()                                    clears COUNTS, FLOW and everything that an unfinished job wrote
//   n = lower_<how>_<type>(ptr, n, stride, …)  stage 1: samples from ptr on -> n codes at CODES (lower.as.ts)
//   count_<slug>_u8(ptr, n[, …])               stage 2: counts n bytes, which are codes or raw samples
//   count_<slug>_u16(ptr, n[, cells])          stage 2: counts n codes of 16 bits, each below cells
//   finish_<slug>…                             adds everything counted until now to COUNTS
//   reset_<slug>()                             clears the kernel's own tables, if it keeps some between two calls
//
// The caller copies up to WORKER_CHUNK_BYTES of input to CHUNK, calls a kernel, and copies the next part. Any n and any
// alignment of ptr are allowed. After the finish, COUNTS holds 256 or `cells` counters of 32 bits. Counting may
// continue and be finished again. Between two resets at most U32_MAX samples may be counted, so the caller collects
// before. A kernel that counts directly into COUNTS has no finish. A job uses one slug and one code width.
//
//   weigh_…, unpack_…, gather_…, add_…, fold_…  weighted sums (weighted.as.ts), in an instance of their own
//
// The module needs SUMS + 65,552 * 8 bytes of memory.
//
// The layout of a worker's memory. Every address is a multiple of 64, and every kernel's tables have their own place.
//
//   1 KiB    FLOW        underflow, overflow, NaN: 3 counters of 32 bits   (lower)
//   2 KiB    LANES       256 x 16 counters of 16 bits,  8 KiB              (per-lane, u8)
//   10 KiB   THREADS     64 rows x 64 threads x 4 byte counters, 16 KiB    (trish)
//   64 KiB   COUNTS      65,536 counters of 32 bits and 3 of flow, the result   (all)
//   320 KiB  TABLES      4 x (65,536 counters of 32 bits + 1,088 bytes)    (per-lane)
//            LOWERING    65,536 keys of 8 bytes and a few more, or 65,536 codes of 4
//            STARTS      the start of a search, for each cell of a guess
//            CODES       output of stage 1, input of stage 2
//            CHUNK       input bytes
//            SUMS        65,539 doubles: the counts of a job
import { WORKER_CELLS, WORKER_CHUNK_BYTES, HALF_VALUES, WORKER_STARTS_AFTER, WORKER_WIDE_LANES } from "../generated/limits.as";

export const FLOW: u32 = 1024;
export const LANES: u32 = 2048;
export const THREADS: u32 = 10240;
export const COUNTS: u32 = 65536;
export const TABLES: u32 = COUNTS + HALF_VALUES * 4 + 64;
/**
 * Bytes from one table to the next. This is no power of two, so that equal cells of two tables do not share a cache
 * set.
 */
export const TABLE_STRIDE: u32 = HALF_VALUES * 4 + 1088;
export const LOWERING: u32 = TABLES + TABLE_STRIDE * WORKER_WIDE_LANES;
export const STARTS: u32 = LOWERING + WORKER_STARTS_AFTER;
export const CODES: u32 = STARTS + WORKER_CELLS * 4 + 64;
export const CHUNK: u32 = CODES + WORKER_CHUNK_BYTES + 64;

export const SUMS: u32 = CHUNK + WORKER_CHUNK_BYTES + 64;

/** Copies the first cells of COUNTS to SUMS and clears them. */
export function take_counts(cells: u32): void {
  const zero = i32x4.splat(0);
  for (let at: u32 = 0; at < cells << 2; at += 16) {
    const four = v128.load(at, COUNTS);
    v128.store(at << 1, f64x2.convert_low_i32x4_u(four), SUMS);
    v128.store(at << 1, f64x2.convert_low_i32x4_u(v128.shuffle<u64>(four, four, 1, 1)), SUMS + 16);
    v128.store(at, zero, COUNTS);
  }
}

/** Returns the sum of four 32-bit lanes. */
@inline export function sumOf(lanes: v128): u32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  );
}

/** Clears the results of a job with this number of cells, for every algorithm. */
export function clear(cells: u32): void {
  memory.fill(FLOW, 0, 12);
  memory.fill(COUNTS, 0, cells << 2);
}
