// How a sample finds its row on the device: core's lowering.ts and ranks.ts, with one functor per kind.
//
//   16-byte vector -> sample's bits -> functor -> row
//   rows:  raw        0 … 255, the sample's bits
//          otherwise  0 underflow | 1 … bins the bins | bins + 1 overflow | bins + 2 NaN
//
// No branch depends on a sample: flow takes the same steps as a bin.
#pragma once
#include "generated/limits.cuh"
#include "polybin.cuh"
#include "ranked.cuh"
#include "sample.cuh"

namespace polybin {

/** Finds the rows of several samples, for functors that gain nothing by doing so together. */
template <typename Find, uint32_t many>
__device__ __forceinline__ void findEach(const Find &find, const typename Find::Bits (&bits)[many], uint32_t (&row)[many]) {
#pragma unroll
  for (uint32_t i = 0; i < many; i++) row[i] = find(bits[i]);
}

/** row = bits: the merge on the host sorts the 256 values into bins. */
struct Raw {
  using Bits = uint8_t;
  /** Whether rows are ranks. */
  static constexpr bool ranked = false;
  /** Whether all rows always fit a block. */
  static constexpr bool whole = true;
  /** The factor that rows already include. */
  static constexpr uint32_t rowScale = 1;
  __device__ Raw(const Lowering &, const Lookup &, char *) {}
  __device__ __forceinline__ uint32_t operator()(Bits bits) const { return bits; }

  template <uint32_t many>
  __device__ __forceinline__ void find(const Bits (&bits)[many], uint32_t (&row)[many]) const {
    findEach(*this, bits, row);
  }
};

/** rank = sample - start + 1. For signed samples the sign bits of both sides are flipped. */
template <typename B, bool fits>
struct Direct {
  using Bits = B;
  static constexpr bool ranked = true;
  static constexpr bool whole = fits;
  static constexpr uint32_t rowScale = 1;
  uint32_t flip, base, most, add;

  __device__ Direct(const Lowering &of, const Lookup &, char *)
      : flip(of.type == Type::i16 || of.type == Type::i32 ? signBit<Bits> : 0) {
    const uint32_t start = static_cast<uint32_t>(of.start + flip);
    // One key below the first stands for all lower ones. If there is none, ranks begin at the first bin.
    add = !of.flow || start == 0;
    base = start - (add == 0);
    most = of.flow ? of.bins + 1 - add : of.bins - 1;
  }

  __device__ __forceinline__ uint32_t operator()(Bits bits) const {
    return min(max(static_cast<uint32_t>(bits ^ flip), base) - base, most) + add;
  }

  template <uint32_t many>
  __device__ __forceinline__ void find(const Bits (&bits)[many], uint32_t (&row)[many]) const {
    findEach(*this, bits, row);
  }
};

/**
 * rank = floor((key - first) * scale / 2^32) + 1: evenly spaced edges over 16-bit samples, scale < 2^31. flow: whether
 * samples can fall outside the bins.
 */
template <bool fits, bool flow>
struct Scaled {
  using Bits = uint16_t;
  static constexpr bool ranked = true;
  static constexpr bool whole = fits;
  static constexpr uint32_t rowScale = 1;
  uint32_t flip, first;
  int32_t past, scale, bins;

  __device__ Scaled(const Lowering &of, const Lookup &, char *)
      : flip(of.type == Type::i16 ? signBit<Bits> : 0), first(of.first), past(of.last - of.first + 1), scale(of.scale),
        bins(of.bins) {}

  __device__ __forceinline__ uint32_t operator()(Bits bits) const {
    const auto distance = static_cast<int32_t>((bits ^ flip) - first);
    if constexpr (!flow) return min(__mulhi(distance, scale) + 1, bins);
    // All samples that underflow become the key before the first, for which the product is slightly below zero.
    const int32_t within = min(max(distance, -1), past);
    return min(__mulhi(within, scale) + 1, bins) + (within == past);
  }

  template <uint32_t many>
  __device__ __forceinline__ void find(const Bits (&bits)[many], uint32_t (&row)[many]) const {
    findEach(*this, bits, row);
  }
};

/** The rank of code table[bits]: 8-bit samples, for algorithms that cannot count them raw. */
struct Table {
  using Bits = uint8_t;
  static constexpr bool ranked = true;
  static constexpr bool whole = false;
  static constexpr uint32_t rowScale = 1;
  const uint32_t *table;
  uint32_t bins;

  __device__ Table(const Lowering &of, const Lookup &, char *) : table(of.table), bins(of.bins) {}

  __device__ __forceinline__ uint32_t operator()(Bits bits) const {
    const uint32_t code = __ldg(table + bits);
    return code < bins ? code + 1 : (code == bins ? 0 : bins + 1);
  }

  template <uint32_t many>
  __device__ __forceinline__ void find(const Bits (&bits)[many], uint32_t (&row)[many]) const {
    findEach(*this, bits, row);
  }
};

/** Calls `use` with a null pointer to the functor type of a lowering whose lookup stays in global memory. */
template <typename Use>
cudaError_t withFunctor(const Lowering &of, Use use) {
  const bool half = of.type == Type::u16 || of.type == Type::i16;
  switch (of.kind) {
    case Kind::raw: return use(static_cast<Raw *>(nullptr));
    case Kind::table: return use(static_cast<Table *>(nullptr));
    case Kind::scaled: return use(static_cast<Scaled<false, true> *>(nullptr));
    case Kind::direct:
      return half ? use(static_cast<Direct<uint16_t, false> *>(nullptr)) : use(static_cast<Direct<uint32_t, false> *>(nullptr));
    case Kind::ranks: break;
  }
  if (half) return use(static_cast<Ranked<uint16_t, false, false> *>(nullptr));
  if (of.type == Type::f32) return use(static_cast<Ranked<float, false, false> *>(nullptr));
  if (of.type == Type::f64) return use(static_cast<Ranked<double, false, false> *>(nullptr));
  return use(static_cast<Ranked<uint32_t, false, false> *>(nullptr));
}

/** What a block of per-lane has room for. */
struct InBlock {
  /** Copies of the lookup (0 for none), and of the counters. */
  uint32_t lookup, counters;
  /** Whether all rows fit. */
  bool fits;
  /** Whether samples have one channel. This is the common case, so it has more functors. */
  bool single;
};

template <typename Sample, typename Use>
cudaError_t withRanked(const Lowering &of, const InBlock &block, Use use) {
  const bool even = of.starts == nullptr;
  if constexpr (sizeof(Sample) >= sizeof(uint32_t)) {
    if (block.single && block.counters == limits::WARP_THREADS && block.lookup == laneCopies<Sample>) {
      if (even) return use(static_cast<LaneRanked<Sample, 0> *>(nullptr));
      if (of.steps == 1) return use(static_cast<LaneRanked<Sample, 1> *>(nullptr));
      if (of.steps == 2) return use(static_cast<LaneRanked<Sample, 2> *>(nullptr));
      if (of.steps == 3) return use(static_cast<LaneRanked<Sample, 3> *>(nullptr));
    }
  }
  if (block.lookup == 0) return use(static_cast<Ranked<Sample, false, false> *>(nullptr));
  return even ? use(static_cast<Ranked<Sample, true, true> *>(nullptr))
              : use(static_cast<Ranked<Sample, false, true> *>(nullptr));
}

/** Does the same for a block with shared memory. */
template <typename Use>
cudaError_t withFunctor(const Lowering &of, const InBlock &block, Use use) {
  const bool half = of.type == Type::u16 || of.type == Type::i16;
  const auto direct = [&](auto bits) {
    using Bits = decltype(bits);
    return block.fits ? use(static_cast<Direct<Bits, true> *>(nullptr)) : use(static_cast<Direct<Bits, false> *>(nullptr));
  };
  switch (of.kind) {
    case Kind::raw: return use(static_cast<Raw *>(nullptr));
    case Kind::scaled:
      if (!block.fits) return use(static_cast<Scaled<false, true> *>(nullptr));
      return of.flow ? use(static_cast<Scaled<true, true> *>(nullptr)) : use(static_cast<Scaled<true, false> *>(nullptr));
    case Kind::direct: return half ? direct(uint16_t{}) : direct(uint32_t{});
    // 8-bit samples are counted raw.
    case Kind::table: return cudaErrorInvalidValue;
    case Kind::ranks: break;
  }
  if (half) return withRanked<uint16_t>(of, block, use);
  if (of.type == Type::f32) return withRanked<float>(of, block, use);
  if (of.type == Type::f64) return withRanked<double>(of, block, use);
  return withRanked<uint32_t>(of, block, use);
}

}  // namespace polybin
