// Writes the codes of one channel, for the algorithms that count codes: as bytes if all codes fit, otherwise as 32-bit
// words. It uses the functors of per-lane, so that every algorithm sees the same bins.
//
//   pixels -> codes[count]: bins as they are, flow as ~0, which no kernel counts; flow to counts[cells + 0 … 2]
//
// Bound: the samples' bytes, and one or four bytes written per sample.
#include <algorithm>

#include "generated/limits.cuh"
#include "lowering.cuh"

namespace polybin {
namespace {

constexpr uint32_t threads = limits::BLOCK_THREADS;
/** Samples that a thread has in flight. */
constexpr uint32_t many = limits::WORD_BYTES;

template <typename Find, typename Code>
__global__ void __launch_bounds__(threads) writeCodes(const __grid_constant__ Pixels pixels,
                                                      const __grid_constant__ Lowering lowering, uint32_t cells,
                                                      Code *__restrict__ codes) {
  using Bits = typename Find::Bits;
  const Find find(lowering, Lookup{}, nullptr);
  const Bits *const samples = static_cast<const Bits *>(pixels.data) + pixels.channel[0];
  const uint64_t step = uint64_t{gridDim.x} * threads;
  uint32_t flow[limits::FLOW_ROWS] = {};
  for (uint64_t base = uint64_t{blockIdx.x} * threads + threadIdx.x; base < pixels.count; base += step * many) {
    Bits bits[many];
#pragma unroll
    for (uint32_t i = 0; i < many; i++) {
      const uint64_t at = base + i * step;
      if (at < pixels.count) bits[i] = __ldg(samples + at * pixels.interleaved);
    }
#pragma unroll
    for (uint32_t i = 0; i < many; i++) {
      const uint64_t at = base + i * step;
      if (at >= pixels.count) break;
      const uint32_t row = find(bits[i]);
      if constexpr (Find::ranked) {
        flow[0] += row == 0;
        flow[1] += row == cells + 1;
        flow[2] += row == cells + 2;
        codes[at] = static_cast<Code>(row - 1 < cells ? row - 1 : ~0u);
      } else {
        codes[at] = static_cast<Code>(row);
      }
    }
  }
  if constexpr (Find::ranked) {
#pragma unroll
    for (uint32_t kind = 0; kind < limits::FLOW_ROWS; kind++) {
      uint32_t sum = flow[kind];
      for (uint32_t lanes = limits::WARP_THREADS / 2; lanes > 0; lanes /= 2) sum += __shfl_down_sync(~0u, sum, lanes);
      const bool first = threadIdx.x % limits::WARP_THREADS == 0;
      if (!first || sum == 0) continue;
      if (pixels.narrow) atomicAdd(reinterpret_cast<uint32_t *>(pixels.counts) + cells + kind, sum);
      else atomicAdd(pixels.counts + cells + kind, static_cast<Count>(sum));
    }
  }
}

}  // namespace

cudaError_t lower(const Pixels &pixels, const Lowering &lowering, const Plan &plan, void *codes, bool bytes,
                  cudaStream_t stream) {
  if (pixels.count == 0) return cudaSuccess;
  int device = 0, units = 0, unitThreads = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&unitThreads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  if (error != cudaSuccess) return error;
  const uint64_t full = uint64_t{static_cast<uint32_t>(units)} * (unitThreads / threads);
  const auto blocks = static_cast<uint32_t>(std::min<uint64_t>(full, (pixels.count + threads - 1) / threads));
  return withFunctor(lowering, [&](auto *find) {
    using Find = std::remove_pointer_t<decltype(find)>;
    const auto write = [&](auto *to) {
      writeCodes<Find><<<blocks, threads, 0, stream>>>(pixels, lowering, plan.cells, to);
      return cudaGetLastError();
    };
    return bytes ? write(static_cast<uint8_t *>(codes)) : write(static_cast<uint32_t *>(codes));
  });
}

}  // namespace polybin
