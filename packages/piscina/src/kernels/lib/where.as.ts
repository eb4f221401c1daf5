// The WebAssembly module for samples that are counted in place, in memory that a program filled. All threads share the
// memory, and it has only fused kernels. The tables of memory.as.ts begin `lanes_at` bytes further on, elsewhere for
// each thread.
//
//   0          samples
//   …          regions of WORKER_REGION_BYTES, each with the layout of memory.as.ts from COUNTS on
//
// The module has no data of its own, so an instance writes nothing before it counts.
import { HALF_VALUES, WORKER_REGION_BYTES } from "../generated/limits.as";
import { COUNTS, SUMS } from "./memory.as";

if (SUMS + (HALF_VALUES + 16) * 8 - COUNTS > WORKER_REGION_BYTES) {
  ERROR("the tables of a job need more than WORKER_REGION_BYTES");
}

export { CODES, COUNTS, LOWERING, STARTS, SUMS } from "./memory.as";
