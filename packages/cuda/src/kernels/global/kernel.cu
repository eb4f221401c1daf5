// One histogram in global memory. Every thread of the grid adds to it with atomics.
//
//   global memory:  counts[cell], 32 bits if they suffice, otherwise 64
//
// Bound: atomics on few addresses. They take longer the more often neighbouring samples are equal.
// Source: The CUDA Handbook, histogram chapter: One Global Histogram—and Contention.
#include "generated/kernels/global.cuh"
#include "kernels/codes.cuh"
#include "kernels/vectors.cuh"

namespace polybin {
namespace {

/** A word of four bytes. */
using Load = uint32_t;
/** Words that load while others are counted. */
constexpr uint32_t AHEAD = 8;

template <bool bytes>
__global__ void __launch_bounds__(BLOCK_THREADS) countGlobal(Pass pass) {
  eachCell<bytes, Load, AHEAD>(pass, [&](uint32_t cell) { addTotal(pass, cell, 1); });
}

}  // namespace

cudaError_t global(const Codes &codes, const Plan &plan, cudaStream_t stream) {
  return launchPasses(codes.bytes ? countGlobal<true> : countGlobal<false>, codes, plan, stream);
}

}  // namespace polybin
