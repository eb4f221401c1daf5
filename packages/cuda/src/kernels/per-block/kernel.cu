// One histogram per block in shared memory. It is filled with atomics and then added to the one in global memory.
//
//   shared memory:  word = [cell], 32 bits; a launch has fewer than 2^32 codes, so none can overflow
//
// Bytes: a thread reads words of four, as in per-warp, so the bytes that a warp counts at a time lie four apart.
//
// Bound: shared atomics. Lanes that meet in a bank, but not in a cell, wait for each other. Per byte without conflicts (as
// compiled for Hopper):
//   address  2     a shift and a LOP3 that masks the byte
//   atomic   1     ATOMS.POPC.INC
//   loop     1.2   loads of 4 bytes, issued eight words before they are counted
// Source: The CUDA Handbook, histogram chapter: Per-Block Histograms; Hardavellas, Algorithm Overview.
#include "generated/kernels/per-block.cuh"
#include "kernels/codes.cuh"
#include "kernels/vectors.cuh"

namespace polybin {
namespace {

/** A word of four bytes. */
using Load = uint32_t;
/** Words that load while others are counted. */
constexpr uint32_t AHEAD = 8;

template <bool bytes>
__global__ void __launch_bounds__(BLOCK_THREADS) countPerBlock(Pass pass) {
  uint32_t *const table = sharedWords();
  clearShared(pass.cells);
  eachCell<bytes, Load, AHEAD>(pass, [&](uint32_t cell) { atomicAdd(&table[cell], 1u); });
  __syncthreads();
  for (uint32_t cell = threadIdx.x; cell < pass.cells; cell += blockDim.x) addCount(pass, cell, table[cell]);
}

}  // namespace

cudaError_t perBlock(const Codes &codes, const Plan &plan, cudaStream_t stream) {
  return launchPasses(codes.bytes ? countPerBlock<true> : countPerBlock<false>, codes, plan, stream);
}

}  // namespace polybin
