// One histogram that every thread of the grid adds its runs of equal codes to with atomics.
//
//   registers:      the cell of the thread's run, and its samples
//   global memory:  counts[cell], 64 bits
//
// Bound: atomics on few addresses, one for each run.
// Source: the example of docs/adding-an-algorithm.md.
#include "generated/kernels/run-length.cuh"
#include "kernels/codes.cuh"

namespace polybin {
namespace {

template <bool bytes>
__global__ void __launch_bounds__(BLOCK_THREADS) countRuns(Pass pass, uint32_t longest) {
  uint32_t last = 0, run = 0;
  eachCode<bytes>(pass, [&](uint32_t cell) {
    if (cell != last || run == longest) {
      addCount(pass, last, run);
      last = cell;
      run = 0;
    }
    run++;
  });
  addCount(pass, last, run);
}

}  // namespace

cudaError_t runLength(const Codes &codes, const Plan &plan, const RunLength &own, cudaStream_t stream) {
  return launchPasses(codes.bytes ? countRuns<true> : countRuns<false>, codes, plan, stream, own.longest);
}

}  // namespace polybin
