// The WebAssembly module of one worker: one memory, one job at a time.
//
//   reset()                                    clears COUNTS, FLOW and what an unfinished job left behind
//   n = lower_<how>_<type>(ptr, n, stride, …)  stage 1: samples from ptr on -> n codes at CODES (lower.as.ts)
//   count_<slug>_u8(ptr, n[, k])               stage 2: counts n bytes, as codes or as raw samples
//   count_<slug>_u16(ptr, n[, cells])          stage 2: counts n codes of 16 bits, each below cells
//   finish_<slug>…                             brings everything counted so far into COUNTS
//
// The caller copies up to CHUNK_BYTES of input to CHUNK, calls, and copies the next. Any n and any alignment
// of ptr are right. After the finish, COUNTS holds 256, or `cells`, counters of 32 bits; counting may go on
// and be finished again. Between two resets at most U32_MAX samples may be counted: collect before.
// per-thread counts straight into COUNTS and has no finish. One job keeps to one slug and one code width.
//
//   weigh_…, unpack_…, gather_…, add_…, fold_…  weighted sums (weighted.as.ts), in an instance of their own
//
// The module needs CHUNK + CHUNK_BYTES of memory and 64 bytes more.
export { CHUNK, CODES, COUNTS, FLOW, LOWERING, STARTS } from "./memory.as";

import { HALF_VALUES } from "./limits.as";
import { COUNTS, FLOW } from "./memory.as";
import { reset_per_lane } from "./per-lane.as";
import { reset_trish } from "./trish.as";

export * from "./lower.as";
export {
  count_per_lane_bytes_u8,
  count_per_lane_pairs_u8,
  count_per_lane_u16,
  finish_per_lane_u8,
  finish_per_lane_u16,
} from "./per-lane.as";
export { count_per_thread_u8, count_per_thread_u16 } from "./per-thread.as";
export { count_trish_u8, finish_trish } from "./trish.as";
export * from "./weighted.as";

/** Clears COUNTS and whatever an unfinished job left in the tables. */
export function reset(): void {
  memory.fill(FLOW, 0, 12);
  memory.fill(COUNTS, 0, HALF_VALUES * 4);
  reset_per_lane();
  reset_trish();
}
