// Finds the cells of samples, column by column, for algorithms that count cells, and for columns that no kernel reads
// directly.
//
//   samples -> cells[i] = sum of place_k * stride_k - offset, or joint.cells for a sample that the mask leaves out
//   place:     rank of lowering.cuh, or its code (the bins, underflow, overflow) for integers and bytes
//
// Bound: the samples' bytes, and a word that is written and read per column. The words stay in the second-level cache.
#include <algorithm>

#include "generated/limits.cuh"
#include "joint.cuh"
#include "lowering.cuh"

namespace polybin {
namespace {

constexpr uint32_t threads = limits::BLOCK_THREADS;

/** What a launch does in addition to its column. */
struct Part {
  uint64_t first;
  uint32_t count;
  /** The number of the column. */
  uint32_t k;
};

__device__ __forceinline__ bool isKept(const Joint &joint, uint64_t pixel) {
  return joint.maskBits ? joint.mask[pixel / 8] >> pixel % 8 & 1 : joint.mask[pixel] != 0;
}

template <typename Find>
__global__ void __launch_bounds__(threads)
    writePart(const __grid_constant__ Joint joint, const __grid_constant__ Part part, uint32_t *__restrict__ cells) {
  using Bits = typename Find::Bits;
  const JointColumn &column = joint.column[part.k];
  const Lowering &lowering = column.lowering;
  const Find find(lowering, Lookup{}, nullptr);
  const Bits *const samples = static_cast<const Bits *>(column.data) + column.channel;
  const bool isCode = lowering.kind == Kind::direct || lowering.kind == Kind::table;
  const bool leavesOut = joint.mask != nullptr && part.k + 1 == joint.columns;
  uint32_t masked = 0;
  for (uint32_t i = blockIdx.x * threads + threadIdx.x; i < part.count; i += gridDim.x * threads) {
    const uint64_t pixel = joint.list == nullptr ? part.first + i : __ldg(joint.list + part.first + i);
    uint32_t place = find(__ldg(samples + pixel * column.interleaved));
    if constexpr (!Find::ranked) place >>= lowering.shift;
    else if (isCode) place = place == 0 ? lowering.bins : (place <= lowering.bins ? place - 1 : place);
    uint32_t cell = place * column.stride + (part.k == 0 ? 0 - joint.offset : cells[i]);
    if (leavesOut && !isKept(joint, pixel)) {
      cell = joint.cells;
      masked++;
    }
    cells[i] = cell;
  }
  if (!leavesOut) return;
  for (uint32_t lanes = limits::WARP_THREADS / 2; lanes > 0; lanes /= 2) masked += __shfl_down_sync(~0u, masked, lanes);
  if (threadIdx.x % limits::WARP_THREADS == 0 && masked != 0) atomicAdd(joint.masked, Count{masked});
}

}  // namespace

cudaError_t writeCells(const Joint &joint, uint64_t first, uint32_t count, uint32_t *cells, cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  int device = 0, units = 0, unitThreads = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&unitThreads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  const auto full = static_cast<uint32_t>(units) * (unitThreads / threads);
  const uint32_t blocks = std::min(full, (count + threads - 1) / threads);
  for (uint32_t k = 0; k < joint.columns && error == cudaSuccess; k++) {
    const Part part{first, count, k};
    error = withFunctor(joint.column[k].lowering, [&](auto *find) {
      writePart<std::remove_pointer_t<decltype(find)>><<<blocks, threads, 0, stream>>>(joint, part, cells);
      return cudaGetLastError();
    });
  }
  return error;
}

}  // namespace polybin
