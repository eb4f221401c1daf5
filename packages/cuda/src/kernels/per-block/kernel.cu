// One histogram per block in shared memory. It is filled with atomics and then added to the one in global memory.
//
//   shared memory:  word = [cell], 32 bits; a launch has fewer than 2^32 codes, so none can overflow
//
// Bound: shared atomics. Lanes that meet in a cell or in a bank wait for each other.
// Source: The CUDA Handbook, histogram chapter: Per-Block Histograms; Hardavellas, Algorithm Overview.
#include "generated/kernels/per-block.cuh"
#include "kernels/codes.cuh"

namespace polybin {
namespace {

template <bool bytes>
__global__ void __launch_bounds__(BLOCK_THREADS) countPerBlock(Pass pass) {
  uint32_t *const table = sharedWords();
  clearShared(pass.cells);
  eachCode<bytes>(pass, [&](uint32_t cell) { atomicAdd(&table[cell], 1u); });
  __syncthreads();
  for (uint32_t cell = threadIdx.x; cell < pass.cells; cell += blockDim.x) addCount(pass, cell, table[cell]);
}

}  // namespace

cudaError_t perBlock(const Codes &codes, const Plan &plan, cudaStream_t stream) {
  return launchPasses(codes.bytes ? countPerBlock<true> : countPerBlock<false>, codes, plan, stream);
}

}  // namespace polybin
