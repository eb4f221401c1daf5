// Finds the finite minimum and maximum of the wanted channels, as order-preserving keys (core's keys.ts).
//
//   samples -> key of the type's own width -> a thread's min and max -> warp -> block -> atomicMin, atomicMax
//
// Infinities and NaN have all bits of their exponent set, and are skipped. Bound: the samples' bytes.
#include <algorithm>
#include <type_traits>

#include "generated/limits.cuh"
#include "polybin.cuh"

namespace polybin {
namespace {

constexpr uint32_t threads = limits::BLOCK_THREADS;
/** Samples that a thread has in flight. */
constexpr uint32_t many = limits::WORD_BYTES;

struct Range {
  Count min, max;

  __device__ void add(Count key) {
    min = key < min ? key : min;
    max = key > max ? key : max;
  }
};

/** The range of no samples. */
__device__ constexpr Range nothing = {~0ull, 0};

template <typename Bits, bool isFloat>
__device__ __forceinline__ void addKey(Range &range, Bits bits, Bits flip) {
  if constexpr (isFloat) {
    // The exponent's bits, which are those of infinity.
    constexpr Bits infinity = sizeof(Bits) == 8 ? static_cast<Bits>(0x7ffull << 52) : static_cast<Bits>(0xffu << 23);
    if ((bits & infinity) == infinity) return;
    range.add(bits & flip ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | flip));
  } else {
    range.add(static_cast<Bits>(bits ^ flip));
  }
}

/** `flip` is the sign bit of signed types, otherwise 0. `wanted` has a bit for each position in the pixel. */
template <typename Bits, bool isFloat>
__global__ void __launch_bounds__(threads) findExtent(const Bits *__restrict__ samples, uint64_t count,
                                                      uint32_t interleaved, uint32_t wanted, Bits flip,
                                                      Count *__restrict__ minmax) {
  __shared__ Range ranges[threads / limits::WARP_THREADS];
  const uint64_t step = uint64_t{gridDim.x} * threads;
  Range range = nothing;
  for (uint64_t base = uint64_t{blockIdx.x} * threads + threadIdx.x; base < count; base += step * many) {
    Bits bits[many];
#pragma unroll
    for (uint32_t i = 0; i < many; i++) {
      const uint64_t at = base + i * step;
      if (at < count) bits[i] = __ldg(samples + at);
    }
#pragma unroll
    for (uint32_t i = 0; i < many; i++) {
      const uint64_t at = base + i * step;
      if (at >= count) break;
      const uint64_t position = interleaved == 3 ? at % 3 : at & (interleaved - 1);
      if (wanted >> position & 1) addKey<Bits, isFloat>(range, bits[i], flip);
    }
  }
  const auto join = [&](uint32_t lanes) {
    for (uint32_t apart = lanes / 2; apart > 0; apart /= 2) {
      const Count min = __shfl_down_sync(~0u, range.min, apart), max = __shfl_down_sync(~0u, range.max, apart);
      range.min = min < range.min ? min : range.min;
      range.max = max > range.max ? max : range.max;
    }
  };
  join(limits::WARP_THREADS);
  const uint32_t warp = threadIdx.x / limits::WARP_THREADS, lane = threadIdx.x % limits::WARP_THREADS;
  if (lane == 0) ranges[warp] = range;
  __syncthreads();
  if (warp != 0) return;
  range = lane < threads / limits::WARP_THREADS ? ranges[lane] : nothing;
  join(limits::WARP_THREADS);
  if (lane == 0 && range.min <= range.max) {
    atomicMin(minmax, range.min);
    atomicMax(minmax + 1, range.max);
  }
}

}  // namespace

cudaError_t extent(const Pixels &pixels, Type type, unsigned long long *minmax, cudaStream_t stream) {
  const uint64_t count = pixels.count * pixels.interleaved;
  if (count == 0) return cudaSuccess;
  int device = 0, units = 0, unitThreads = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&unitThreads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  if (error != cudaSuccess) return error;
  const uint64_t full = uint64_t{static_cast<uint32_t>(units)} * (unitThreads / threads);
  const auto blocks = static_cast<uint32_t>(std::min<uint64_t>(full, (count + threads - 1) / threads));
  uint32_t wanted = 0;
  for (uint32_t i = 0; i < pixels.channels; i++) wanted |= 1u << pixels.channel[i];

  const auto find = [&](auto bits, auto isFloat, bool hasSign) {
    using Bits = decltype(bits);
    const Bits flip = hasSign ? static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1)) : Bits{0};
    findExtent<Bits, decltype(isFloat)::value><<<blocks, threads, 0, stream>>>(
        static_cast<const Bits *>(pixels.data), count, pixels.interleaved, wanted, flip, minmax);
    return cudaGetLastError();
  };
  using Whole = std::false_type;
  using Real = std::true_type;
  switch (type) {
    case Type::u8:
    case Type::i8: return find(uint8_t{}, Whole{}, type == Type::i8);
    case Type::u16:
    case Type::i16: return find(uint16_t{}, Whole{}, type == Type::i16);
    case Type::u32:
    case Type::i32: return find(uint32_t{}, Whole{}, type == Type::i32);
    case Type::f32: return find(uint32_t{}, Real{}, true);
    case Type::f64: return find(uint64_t{}, Real{}, true);
  }
  return cudaErrorInvalidValue;
}

}  // namespace polybin
