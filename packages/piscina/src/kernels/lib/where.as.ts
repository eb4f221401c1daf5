// The WebAssembly module of samples that are counted where they lie, in memory that a program filled itself: one memory
// for all threads, fused kernels alone. What memory.as.ts has lies `lanes_at` further on, for each of them elsewhere.
//
//   0          samples
//   …          regions of WORKER_REGION_BYTES, each as memory.as.ts has it from COUNTS on
//
// It has no data of its own: an instance writes nothing before it counts.
import { HALF_VALUES, WORKER_REGION_BYTES } from "../generated/limits.as";
import { COUNTS, SUMS } from "./memory.as";

if (SUMS + (HALF_VALUES + 16) * 8 - COUNTS > WORKER_REGION_BYTES) {
  ERROR("the tables of a job need more than WORKER_REGION_BYTES");
}

export { CODES, COUNTS, LOWERING, STARTS, SUMS } from "./memory.as";
