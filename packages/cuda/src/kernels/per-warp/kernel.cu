// One histogram per warp. Atomics or software tags separate lanes that meet in a cell.
//
//   shared memory:  word = [warp][cell]
//   tag:            word = [ lane : 5 | count : 27 ], the count of all rounds, and the lane that wrote last
//
// Bound: collisions within a warp, from none to 32 rounds per code, so the time depends on the data. A tagged counter
// is emptied after wordsPerThread words, before 27 bits could overflow.
// Source: Podlozhnyuk 2009, Implementation of oclHistogram256, Listing 3.
#include "generated/kernels/per-warp.cuh"
#include "kernels/codes.cuh"

namespace polybin {
namespace {

constexpr uint32_t ALL_LANES = U32_MAX;

/** Adds the sum of the warps' tables after all warps are done, and clears the tables. */
__device__ void addTables(const Pass &pass, uint32_t mask, bool isFirst) {
  __syncthreads();
  const uint32_t size = blockDim.x / WARP_THREADS * pass.cells;
  for (uint32_t cell = threadIdx.x; cell < pass.cells; cell += blockDim.x) {
    uint32_t sum = 0;
    for (uint32_t at = cell; at < size; at += pass.cells) {
      sum += sharedWords()[at] & mask;
      sharedWords()[at] = 0;
    }
    addSum(pass, cell, sum, isFirst);
  }
  __syncthreads();
}

template <bool bytes>
__global__ void __launch_bounds__(PER_WARP_THREADS) countAtomic(Pass pass) {
  clearShared(blockDim.x / WARP_THREADS * pass.cells);
  uint32_t *const table = sharedWords() + threadIdx.x / WARP_THREADS * pass.cells;
  eachCode<bytes>(pass, [&](uint32_t cell) { atomicAdd(&table[cell], 1u); });
  addTables(pass, U32_MAX, true);
}

/**
 * Listing 3: lanes read, add and sign, then write. Of the lanes that meet, one write remains, and that lane is done.
 * The listing relies on a warp in lock-step, which warps no longer are. All lanes must have read before one writes, and
 * all must have written before one checks. (A check always precedes the next round's write, because the next round's
 * barrier lies in between.) The table is volatile, because the algorithm depends on which of several writes remains.
 */
__device__ void addTagged(volatile uint32_t *table, uint32_t cell, bool pending, uint32_t tag) {
  while (__any_sync(ALL_LANES, pending)) {
    uint32_t mine = 0;
    if (pending) mine = tag | ((table[cell] & TAGGED_MAX) + 1);
    __syncwarp();
    if (pending) table[cell] = mine;
    __syncwarp();
    if (pending) pending = table[cell] != mine;
  }
}

template <bool bytes>
__global__ void __launch_bounds__(PER_WARP_THREADS) countTagged(Pass pass, uint32_t wordsPerThread) {
  clearShared(blockDim.x / WARP_THREADS * pass.cells);
  uint32_t *const table = sharedWords() + threadIdx.x / WARP_THREADS * pass.cells;
  const uint32_t lane = threadIdx.x % WARP_THREADS;
  const uint32_t tag = lane << (32 - TAG_BITS);
  uint32_t binned = 0;
  bool isFirst = true;
  eachWord<bytes>(pass, [&](const Word &word) {
    if (binned == wordsPerThread) {
      // All warps of a block take the same number of steps, so all of them get here.
      addTables(pass, TAGGED_MAX, isFirst);
      isFirst = false;
      binned = 0;
    }
    binned++;
    for (uint32_t code : word.code) addTagged(table, code, code < pass.cells, tag);
  });
  addTables(pass, TAGGED_MAX, isFirst);
}

}  // namespace

cudaError_t perWarp(const Codes &codes, const Plan &plan, const PerWarp &own, cudaStream_t stream) {
  if (own.tag) {
    return launchPasses(codes.bytes ? countTagged<true> : countTagged<false>, codes, plan, stream,
                        plan.wordsPerThread);
  }
  return launchPasses(codes.bytes ? countAtomic<true> : countAtomic<false>, codes, plan, stream);
}

}  // namespace polybin
