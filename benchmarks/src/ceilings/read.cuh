// The ceiling that kernels are compared with: nothing but 16-byte loads. A way to read has a kind of loads, and a number of
// them in flight.
//
//   sink ^= all words of the whole vectors
//
// Bound: the memory's bandwidth.
// Source: polybin.
#pragma once
#include "generated/limits.cuh"
#include "kernels/sample.cuh"

namespace {

enum class Load { ordinary,
                  evictFirst,
                  pastTheCache };

template <Load kind>
__device__ __forceinline__ uint4 load(const uint4 *at) {
  if constexpr (kind == Load::pastTheCache) return polybin::streamed(at);
  else if constexpr (kind == Load::evictFirst) return __ldcs(at);
  else return __ldg(at);
}

__device__ __forceinline__ uint32_t folded(const uint4 &v) { return v.x ^ v.y ^ v.z ^ v.w; }

template <Load kind, uint32_t many>
__global__ void __launch_bounds__(polybin::limits::BLOCK_THREADS)
    readAll(const uint4 *__restrict__ vectors, uint64_t count, uint32_t *sink) {
  const uint64_t step = uint64_t{gridDim.x} * blockDim.x;
  uint64_t at = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  uint32_t sum = 0;
  for (; at + (many - 1) * step < count; at += many * step) {
    uint4 held[many];
#pragma unroll
    for (uint32_t i = 0; i < many; i++) held[i] = load<kind>(vectors + at + i * step);
#pragma unroll
    for (uint32_t i = 0; i < many; i++) sum ^= folded(held[i]);
  }
  for (; at < count; at += step) sum ^= folded(load<kind>(vectors + at));
  for (uint32_t apart = warpSize / 2; apart > 0; apart /= 2) sum ^= __shfl_down_sync(~0u, sum, apart);
  if (threadIdx.x % warpSize == 0) atomicXor(sink, sum);
}

template <Load kind, uint32_t many>
void launchRead(const void *data, uint64_t bytes, uint32_t blocks, uint32_t *sink) {
  readAll<kind, many><<<blocks, polybin::limits::BLOCK_THREADS>>>(static_cast<const uint4 *>(data), bytes / sizeof(uint4), sink);
}

struct WayToRead {
  const char *name;
  void (*launch)(const void *data, uint64_t bytes, uint32_t blocks, uint32_t *sink);
};
constexpr WayToRead waysToRead[] = {
    {"ldg x1", launchRead<Load::ordinary, 1>},
    {"ldg x2", launchRead<Load::ordinary, 2>},
    {"ldg x4", launchRead<Load::ordinary, 4>},
    {"ldg x8", launchRead<Load::ordinary, 8>},
    {"ldcs x1", launchRead<Load::evictFirst, 1>},
    {"ldcs x2", launchRead<Load::evictFirst, 2>},
    {"ldcs x4", launchRead<Load::evictFirst, 4>},
    {"ldcs x8", launchRead<Load::evictFirst, 8>},
    {"no_allocate x1", launchRead<Load::pastTheCache, 1>},
    {"no_allocate x2", launchRead<Load::pastTheCache, 2>},
    {"no_allocate x4", launchRead<Load::pastTheCache, 4>},
    {"no_allocate x8", launchRead<Load::pastTheCache, 8>},
};

}  // namespace
