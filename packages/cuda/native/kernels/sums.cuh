// The common parts of the kernels of weighted sums: their launch, the place of their tables, and additions to totals.
#pragma once
#include <cstdint>

#include "launch.cuh"
#include "weighted.cuh"

namespace polybin {

/** Returns a block's dynamic shared memory, at a multiple of 16 bytes. */
__device__ __forceinline__ uint32_t *sharedWords() {
  extern __shared__ uint4 memory[];
  return reinterpret_cast<uint32_t *>(memory);
}

/** Adds an amount to a total, unless it is 0. */
__device__ __forceinline__ void addTotal(Count *to, long long amount) {
  if (amount != 0) atomicAdd(to, static_cast<Count>(amount));
}
__device__ __forceinline__ void addTotal(Count *to, double amount) {
  if (amount != 0) atomicAdd(reinterpret_cast<double *>(to), amount);
}

/**
 * Launches a kernel, which may have parameters of its own, on a grid: x features, plan.featuresPerBlock per block; y
 * segments of the documents; z passes.
 */
template <class... Own>
cudaError_t launchSums(void (*kernel)(WeightedInput, WeightedPlan, Own...), const WeightedInput &in,
                       const WeightedPlan &plan, cudaStream_t stream, const Own &...own) {
  const cudaError_t refused = allowShared(reinterpret_cast<const void *>(kernel), plan.threads, plan.sharedBytes);
  if (refused != cudaSuccess) return refused;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3((in.count + plan.featuresPerBlock - 1) / plan.featuresPerBlock, plan.segments, plan.passes);
  config.blockDim = dim3(plan.threads);
  config.dynamicSmemBytes = plan.sharedBytes;
  config.stream = stream;
  return cudaLaunchKernelEx(&config, kernel, in, plan, own...);
}

}  // namespace polybin
