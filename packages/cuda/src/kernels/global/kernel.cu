// One histogram in global memory. Every thread of the grid adds to it with atomics.
//
//   global memory:  counts[cell], 64 bits
//
// Bound: atomics on few addresses. They take longer the more often neighbouring samples are equal.
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
