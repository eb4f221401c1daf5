// The kernel of `fused`, for any columns and any table: a warp reads rows of units, and a block adds them to its table.
#pragma once
#include "kernels/launch.cuh"
#include "packed.cuh"

namespace polybin {

/** The samples that the mask leaves out. */
template <bool isMasked, uint32_t many>
struct Mask {
  struct Held {};
  __device__ Mask(const Joint &) {}
  __device__ __forceinline__ void load(Held &, uint64_t) const {}
  __device__ __forceinline__ void unpack(Held &) const {}
  __device__ __forceinline__ void leaveOut(const Held &, uint32_t, uint32_t (&)[QUARTER], uint32_t) const {}
  __device__ __forceinline__ bool keeps(uint64_t) const { return true; }
};

template <uint32_t many>
struct Mask<true, many> {
  struct Held {
    uint32_t words[many / 4];
  };
  const uint8_t *data;
  bool bits;

  __device__ Mask(const Joint &of) : data(of.mask), bits(of.maskBits) {}
  __device__ __forceinline__ void load(Held &to, uint64_t unit) const {
    if (!bits) return loadUnit<1>(to.words, data, unit);
    if constexpr (many == 16) to.words[0] = __ldg(reinterpret_cast<const uint16_t *>(data) + unit);
    else to.words[0] = __ldg(data + unit);
  }
  /** Makes bytes of bits. The product has copies of a quarter's four bits, of which each byte keeps its own. */
  __device__ __forceinline__ void unpack(Held &held) const {
    if (!bits) return;
    const uint32_t all = held.words[0];
#pragma unroll
    for (uint32_t q = 0; q < many / QUARTER; q++) held.words[q] = (all >> QUARTER * q & 0xf) * 0x204081u & 0x01010101u;
  }
  __device__ __forceinline__ void leaveOut(const Held &held, uint32_t quarter, uint32_t (&at)[QUARTER], uint32_t masked) const {
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) {
      if ((held.words[quarter] & 0xffu << 8 * i) == 0) at[i] = masked;
    }
  }
  __device__ __forceinline__ bool keeps(uint64_t sample) const {
    return bits ? data[sample / 8] >> sample % 8 & 1 : data[sample] != 0;
  }
};

template <class Columns, uint32_t many, class Table, bool isMasked>
__global__ void __launch_bounds__(limits::FUSED_THREADS, 1)
    countFused(const __grid_constant__ Joint joint, const __grid_constant__ FusedShape shape) {
  char *const memory = reinterpret_cast<char *>(sharedWords());
  const Columns columns(joint, shape, memory);
  const Mask<isMasked, many> mask(joint);
  const Table table(shape);
  const Counts counts{joint, shape};

  constexpr uint32_t warp = limits::WARP_THREADS;
  struct Held {
    typename Columns::Held columns;
    typename Mask<isMasked, many>::Held mask;
  };
  // A unit of few bytes needs a second one in flight to hide the memory's latency.
  constexpr uint32_t ahead = Table::readsAhead && sizeof(typename Columns::Held) <= 2 * sizeof(uint4) ? 2 : 1;
  Held next[ahead];
  // There are at most U32_MAX samples, so rows and units have 32 bits.
  const uint32_t rows = joint.count / (many * warp);
  const uint32_t warps = blockDim.x / warp, step = gridDim.x * warps;
  const auto load = [&](Held &to, uint32_t row) {
    const uint32_t unit = row * warp + threadIdx.x % warp;
    columns.load(to.columns, unit);
    mask.load(to.mask, unit);
  };
  uint32_t row = blockIdx.x * warps + threadIdx.x / warp;
#pragma unroll
  for (uint32_t i = 0; i < ahead; i++) {
    if (row + i * step < rows) load(next[i], row + i * step);
  }
  // The first loads are on their way.
  constexpr uint32_t words = sizeof(uint4) / sizeof(uint32_t);
  for (uint32_t i = threadIdx.x; i * words < Table::words(shape); i += blockDim.x) reinterpret_cast<uint4 *>(memory)[i] = {};
  __syncthreads();
  if constexpr (Table::isPrepared) {
    if (threadIdx.x == 0) Table::prepare(joint, shape);
    __syncthreads();
  }
  uint32_t left = 0;
  while (row < rows) {
#pragma unroll
    for (uint32_t i = 0; i < ahead; i++, row += step) {
      if (row < rows) {
        Held now = next[i];
        if (row + ahead * step < rows) load(next[i], row + ahead * step);
        mask.unpack(now.mask);
        table.template addUnit<many / QUARTER, isMasked>(
            counts,
            [&](uint32_t quarter, uint32_t (&at)[QUARTER]) {
#pragma unroll
              for (uint32_t j = 0; j < QUARTER; j++) at[j] = table.origin;
              columns.add(now.columns, quarter, at);
              mask.leaveOut(now.mask, quarter, at, table.masked);
            },
            left);
      }
    }
  }
  const uint64_t rest = uint64_t{rows} * many * warp + blockIdx.x * blockDim.x + threadIdx.x;
  for (uint64_t i = rest; i < joint.count; i += gridDim.x * blockDim.x) {
    if (mask.keeps(i)) table.addOne(counts, table.origin + columns.partOf(i));
    else left++;
  }
  if constexpr (isMasked) {
    left = sumOfWarp(left);
    if (threadIdx.x % warp == 0) counts.add(joint.cells, left);
  }
  // Inline assembly changed the counters, which the compiler does not know.
  asm volatile("" ::: "memory");
  __syncthreads();
  table.flush(counts);
}

}  // namespace polybin
