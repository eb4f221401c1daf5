// How a block delivers counts, so that the host sees all of them when it sees the flag.
#pragma once
#include <cstdint>

#include "polybin.cuh"

namespace polybin {

/** Moves every `step`-th count from `first` on out of the table. */
__device__ __forceinline__ void handOn(const Delivery &of, uint32_t first, uint32_t step) {
  auto *const words = reinterpret_cast<uint32_t *>(of.counts);
  for (uint32_t i = first; i < of.size; i += step) {
    // Other blocks added to the table, so the first-level cache's copy of it may be stale.
    const Count count = of.narrow ? __ldcg(words + i) : __ldcg(of.counts + i);
    if (of.narrow) words[i] = 0;
    else of.counts[i] = 0;
    // Calls on another stream may also add to it.
    if (of.home == nullptr) atomicAdd(of.total + i, count);
    else if (of.narrow) static_cast<uint32_t *>(of.home)[i] = static_cast<uint32_t>(count);
    else static_cast<Count *>(of.home)[i] = count;
  }
}

/**
 * Returns whether this block is the last of `blocks` blocks to arrive here. Everything that the others wrote before is
 * then visible. All threads must call it.
 */
__device__ __forceinline__ bool isLastBlock(const Delivery &of, uint32_t blocks) {
  __threadfence();
  __syncthreads();
  const bool isLast = threadIdx.x == 0 && atomicAdd(of.through, 1u) == blocks - 1;
  if (!__syncthreads_or(isLast)) return false;
  __threadfence();
  return true;
}

/** Raises the flag after everything that the block wrote. */
__device__ __forceinline__ void tell(const Delivery &of) {
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x != 0) return;
  *of.through = 0;
  __threadfence_system();
  *static_cast<volatile uint32_t *>(of.flag) = of.number;
}

}  // namespace polybin
