// One histogram in global memory that every thread of the grid adds to with atomics.
//
//   global memory:  counts[cell], 64 bits
//
// Bound: atomics on few addresses, the worse the more often neighbours are equal.
// Source: The CUDA Handbook, histogram chapter: One Global Histogram—and Contention.
#include "generated/kernels/global.cuh"
#include "kernels/codes.cuh"

namespace polybin {
namespace {

template <bool bytes>
__global__ void __launch_bounds__(BLOCK_THREADS) countGlobal(Pass pass) {
  eachCode<bytes>(pass, [&](uint32_t cell) { atomicAdd(&pass.counts[cell], Count{1}); });
}

}  // namespace

cudaError_t global(const Codes &codes, const Plan &plan, cudaStream_t stream) {
  return launchPasses(codes.bytes ? countGlobal<true> : countGlobal<false>, codes, plan, stream);
}

}  // namespace polybin
