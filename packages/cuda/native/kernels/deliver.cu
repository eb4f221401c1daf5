// Delivers a table's counts after the launches that filled it. It serves kernels whose blocks do not do so, and long
// tables.
//
//   table -> the host's mapped memory, or counts that stay; the last block raises the flag
//
// Bound: the bytes of the table over the bus.
#include <algorithm>

#include "delivery.cuh"
#include "generated/limits.cuh"

namespace polybin {
namespace {

constexpr uint32_t threads = limits::BLOCK_THREADS;
/** More blocks would not fill the bus any better. */
constexpr uint32_t blocksMost = 32;

__global__ void __launch_bounds__(threads) deliverTable(const __grid_constant__ Delivery of) {
  handOn(of, blockIdx.x * threads + threadIdx.x, gridDim.x * threads);
  // The writes of other blocks to host memory must arrive before the flag.
  __threadfence_system();
  if (isLastBlock(of, gridDim.x)) tell(of);
}

}  // namespace

cudaError_t deliver(const Delivery &of, cudaStream_t stream) {
  const uint32_t blocks = std::min(blocksMost, (of.size + threads - 1) / threads);
  deliverTable<<<blocks, threads, 0, stream>>>(of);
  return cudaGetLastError();
}

}  // namespace polybin
