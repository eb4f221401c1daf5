// The second kernel of Algorithm 2 (Xu et al., 4.4): merges the sub-histograms of a feature into its totals.
//
//   sub-histogram of a block   the words of its table (kernels/shared-table.cuh), at [feature][segment][pass]
//   block:  x a feature; y 32 bins; a lane has a bin, and a warp every eighth segment
//   dynamic shared memory      totals[3][8 warps][32 lanes], which the first warp adds up
//
// There are no atomics: one thread adds to a total, and kernels of one stream run in sequence. The time does not depend
// on the data. Bound: one read of all sub-histograms.
#pragma once
#include "kernels/segment.cuh"

namespace polybin {
namespace {

constexpr uint32_t mergeWarps = 8;

/** Returns the place of this block's sub-histogram. */
__device__ __forceinline__ uint32_t *subHistogramOf(const WeightedInput &in, const WeightedPlan &plan) {
  const uint64_t block = (uint64_t{blockIdx.x} * plan.segments + blockIdx.y) * plan.passes + blockIdx.z;
  return in.subHistograms + block * (plan.subHistogramBytes / sizeof(uint32_t));
}

template <typename Of>
__global__ void __launch_bounds__(mergeWarps *limits::WARP_THREADS)
    mergeSubHistograms(const __grid_constant__ WeightedInput in, const __grid_constant__ WeightedPlan plan) {
  using Total = typename Of::Total;
  auto *const totals = reinterpret_cast<Total(*)[mergeWarps][limits::WARP_THREADS]>(sharedWords());
  const uint32_t lane = threadIdx.x % limits::WARP_THREADS, warp = threadIdx.x / limits::WARP_THREADS;
  const uint32_t bin = blockIdx.y * limits::WARP_THREADS + lane;
  const uint32_t pass = bin / plan.binsPerPass, bins = plan.binsPerPass, words = plan.subHistogramBytes / sizeof(uint32_t);

  Total own[3] = {};
  // Every segment with documents has a sub-histogram.
  const auto segments = static_cast<uint32_t>((in.documents + plan.segmentDocuments - 1) / plan.segmentDocuments);
  for (uint32_t segment = warp; bin < plan.bins && segment < segments; segment += mergeWarps) {
    const uint64_t block = (uint64_t{blockIdx.x} * plan.segments + segment) * plan.passes + pass;
    const uint32_t *word = in.subHistograms + block * words + bin % bins;
    const auto next = [&] {
      const uint32_t now = *word;
      word += bins;
      return now;
    };
    const auto sum = [&]() -> Total {
      const uint32_t lower = next();
      if constexpr (Of::fast) return __uint_as_float(lower);
      else return static_cast<long long>((Count{next()} << 32) + lower);
    };
    if (plan.counts) own[0] += static_cast<Total>(next());
    own[1] += sum();
    if constexpr (Of::squares) own[2] += sum();
  }
#pragma unroll
  for (uint32_t kind = 0; kind < 3; kind++) totals[kind][warp][lane] = own[kind];
  __syncthreads();
  if (warp > 0 || bin >= plan.bins) return;

  auto *to = reinterpret_cast<Total *>(in.totals) + blockIdx.x * uint64_t{1u + plan.counts + Of::squares} * plan.bins + bin;
#pragma unroll
  for (uint32_t kind = 0; kind < 2 + Of::squares; kind++) {
    if (kind == 0 && !plan.counts) continue;
    Total all = 0;
    for (uint32_t i = 0; i < mergeWarps; i++) all += totals[kind][i][lane];
    *to += all;
    to += plan.bins;
  }
}

template <typename Of>
cudaError_t merge(const WeightedInput &in, const WeightedPlan &plan, cudaStream_t stream) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(in.count, (plan.bins + limits::WARP_THREADS - 1) / limits::WARP_THREADS);
  config.blockDim = dim3(mergeWarps * limits::WARP_THREADS);
  config.dynamicSmemBytes = 3 * mergeWarps * limits::WARP_THREADS * sizeof(typename Of::Total);
  config.stream = stream;
  return cudaLaunchKernelEx(&config, mergeSubHistograms<Of>, in, plan);
}

}  // namespace
}  // namespace polybin
