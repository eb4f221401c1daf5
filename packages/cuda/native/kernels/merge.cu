// Merges the blocks' partial tables into the counts. It uses no atomics, and its time does not depend on the counts.
//
//   partials:       word = [table][cell of the pass]
//   block b:        cells 8b … 8b + 7, which are a sector of 32 bytes in each table
//   thread t:       cell t % 8 of the tables t / 8, t / 8 + threads / 8 …; a warp reads four sectors at a time
//   shared memory:  word = [warp][cell of the block]
//
// One thread adds the sum of a cell to its count. No other thread of the launch has that cell. A call's counts belong to
// one stream, whose launches run one after the other. So the addition needs no atomic.
//
// Bound: the latency of two rounds of loads from the second-level cache, where the tables still lie.
// Source: BlockSum (Brown & Snoeyink 2012, section 5.5); the tail kernel of Nugteren et al. 2011 (ibid., section 4.2);
// mergeHistogram64 and mergeHistogram256 (Podlozhnyuk 2009). Podlozhnyuk's threads read with a stride of a table, and
// so each sector eight times.
#include "codes.cuh"

namespace polybin {
namespace {

constexpr uint32_t ALL_LANES = U32_MAX;
/** Tables that a thread reads before it adds the first. An H200 has about 12 tables per thread. */
constexpr uint32_t AHEAD = 16;

__global__ void __launch_bounds__(MERGE_THREADS) mergeTables(Pass pass, uint32_t tables) {
  const uint32_t cell = blockIdx.x * MERGE_CELLS + threadIdx.x % MERGE_CELLS;
  const bool isCell = cell < pass.cells;
  const uint32_t rows = blockDim.x / MERGE_CELLS;
  // A launch has fewer samples than 32 bits count.
  uint32_t sum = 0;
  for (uint32_t table = threadIdx.x / MERGE_CELLS; table < tables; table += AHEAD * rows) {
    uint32_t words[AHEAD];
#pragma unroll
    for (uint32_t i = 0; i < AHEAD; i++) {
      const uint32_t at = table + i * rows;
      words[i] = isCell && at < tables ? __ldcg(pass.partials + size_t{at} * pass.cells + cell) : 0;
    }
#pragma unroll
    for (uint32_t i = 0; i < AHEAD; i++) sum += words[i];
  }
#pragma unroll
  for (uint32_t by = MERGE_CELLS; by < WARP_THREADS; by *= 2) sum += __shfl_xor_sync(ALL_LANES, sum, by);

  uint32_t *const sums = sharedWords();
  const uint32_t lane = threadIdx.x % WARP_THREADS;
  if (lane < MERGE_CELLS) sums[threadIdx.x / WARP_THREADS * MERGE_CELLS + lane] = sum;
  __syncthreads();
  if (threadIdx.x >= MERGE_CELLS || !isCell) return;
  Count total = 0;
  for (uint32_t warp = 0; warp < blockDim.x / WARP_THREADS; warp++) total += sums[warp * MERGE_CELLS + lane];
  if (pass.narrow) static_cast<uint32_t *>(pass.counts)[cell] += static_cast<uint32_t>(total);
  else static_cast<Count *>(pass.counts)[cell] += total;
}

}  // namespace

cudaError_t mergePartials(const Pass &pass, const Plan &plan, cudaStream_t stream) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(plan.mergeBlocks);
  config.blockDim = dim3(plan.mergeThreads);
  // This does not ask for a split of the cache, because every change of the split waits for a multiprocessor to be idle.
  config.dynamicSmemBytes = plan.mergeThreads / WARP_THREADS * MERGE_CELLS * sizeof(uint32_t);
  config.stream = stream;
  return cudaLaunchKernelEx(&config, mergeTables, pass, plan.partials);
}

}  // namespace polybin
