// The ceiling that kernels are compared with: nothing but 16-byte loads. The variant gives the number of loads in
// flight.
//
//   sink ^= all words of the whole vectors
//
// Bound: the memory's bandwidth.
// Source: polybin.
#include "generated/limits.cuh"
#include "polybin.cuh"
#include "sample.cuh"

namespace polybin {
namespace {

constexpr uint32_t threads = limits::BLOCK_THREADS;

enum Hint : uint32_t {
  ordinary,
  evictFirst,
  pastTheCache,
  hints,
};
constexpr uint32_t flights[] = {1, 2, 4, 8};
constexpr uint32_t flightCount = sizeof flights / sizeof *flights;
static_assert(readVariants == hints * flightCount, "a variant for each hint and number of loads");

template <Hint hint>
__device__ __forceinline__ uint4 load(const uint4 *at) {
  if constexpr (hint == pastTheCache) return streamed(at);
  else if constexpr (hint == evictFirst) return __ldcs(at);
  else return __ldg(at);
}

__device__ __forceinline__ uint32_t folded(const uint4 &v) { return v.x ^ v.y ^ v.z ^ v.w; }

template <Hint hint, uint32_t many>
__global__ void __launch_bounds__(threads) readAll(const uint4 *__restrict__ vectors, uint64_t count,
                                                   uint32_t *sink) {
  const uint64_t step = uint64_t{gridDim.x} * threads;
  uint64_t at = uint64_t{blockIdx.x} * threads + threadIdx.x;
  uint32_t sum = 0;
  for (; at + (many - 1) * step < count; at += many * step) {
    uint4 held[many];
#pragma unroll
    for (uint32_t i = 0; i < many; i++) held[i] = load<hint>(vectors + at + i * step);
#pragma unroll
    for (uint32_t i = 0; i < many; i++) sum ^= folded(held[i]);
  }
  for (; at < count; at += step) sum ^= folded(load<hint>(vectors + at));
  for (uint32_t apart = limits::WARP_THREADS / 2; apart > 0; apart /= 2) sum ^= __shfl_down_sync(~0u, sum, apart);
  if (threadIdx.x % limits::WARP_THREADS == 0) atomicXor(sink, sum);
}

template <Hint hint>
cudaError_t launch(const void *data, uint64_t bytes, uint32_t flight, uint32_t blocks, uint32_t *sink,
                   cudaStream_t stream) {
  const auto *vectors = static_cast<const uint4 *>(data);
  const uint64_t count = bytes / sizeof(uint4);
  switch (flight) {
    case 0: readAll<hint, flights[0]><<<blocks, threads, 0, stream>>>(vectors, count, sink); break;
    case 1: readAll<hint, flights[1]><<<blocks, threads, 0, stream>>>(vectors, count, sink); break;
    case 2: readAll<hint, flights[2]><<<blocks, threads, 0, stream>>>(vectors, count, sink); break;
    default: readAll<hint, flights[3]><<<blocks, threads, 0, stream>>>(vectors, count, sink);
  }
  return cudaGetLastError();
}

}  // namespace

const char *readVariantName(uint32_t variant) {
  static const char *const names[readVariants] = {
      "ldg x1", "ldg x2", "ldg x4", "ldg x8", "ldcs x1", "ldcs x2",
      "ldcs x4", "ldcs x8", "no_allocate x1", "no_allocate x2", "no_allocate x4", "no_allocate x8"};
  return variant < readVariants ? names[variant] : "none";
}

cudaError_t read(const void *data, uint64_t bytes, uint32_t variant, uint32_t blocks, uint32_t *sink,
                 cudaStream_t stream) {
  if (variant >= readVariants) return cudaErrorInvalidValue;
  const uint32_t flight = variant % flightCount;
  switch (variant / flightCount) {
    case ordinary: return launch<ordinary>(data, bytes, flight, blocks, sink, stream);
    case evictFirst: return launch<evictFirst>(data, bytes, flight, blocks, sink, stream);
    default: return launch<pastTheCache>(data, bytes, flight, blocks, sink, stream);
  }
}

}  // namespace polybin
