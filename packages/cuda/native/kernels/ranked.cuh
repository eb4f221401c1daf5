// How a sample finds its rank: core's ranks.ts.
//
//   sample -> a place on a line, or its key -> cell -> lowest rank there -> one or more halvings -> rank
//
// Floats only guess; comparisons with the thresholds decide. No branch depends on a sample.
#pragma once
#include <type_traits>

#include "generated/limits.cuh"
#include "polybin.cuh"
#include "sample.cuh"

namespace polybin {

/**
 * Copies of the lookup in a block's shared memory, staggered like per-lane's counters. Lanes that look up different
 * entries do not meet in a bank either.
 *
 *
 *   u32 starts[(cells + 1) * copies]       the same with half as many copies, so two lanes may meet
 */
struct Lookup {
  /** A power of two, or 0 if the tables stay in global memory. */
  uint32_t replicas;
  /** Where they begin in dynamic shared memory. */
  uint32_t offset;
};

/** Copies of the starts for a number of copies of the thresholds. */
__host__ __device__ constexpr uint32_t startCopies(uint32_t replicas) { return replicas > 1 ? replicas / 2 : 1; }

/** The copies with which every lane has its own bank. */
template <typename Sample>
constexpr uint32_t laneCopies = limits::WARP_THREADS * sizeof(uint32_t) / sizeof(Sample);

/** Sample: uint16_t (u16, i16), uint32_t (u32, i32), float, double. */
template <typename Sample>
struct Keyed {
  static constexpr bool isFloat = std::is_floating_point_v<Sample>;
  using Bits = BitsOf<sizeof(Sample)>;
  using Key = BitsOf<sizeof(Sample) == 8 ? 8 : 4>;
  using Real = std::conditional_t<sizeof(Sample) == 8, double, float>;
  /** Shared thresholds of floats are floats. They compare as their keys do, except for NaN. */
  using Threshold = std::conditional_t<isFloat, Sample, Key>;

  const Lowering &of;
  /** For integers: the sign bit to flip, and the first threshold. */
  uint32_t flip, first;
  Real origin, inverse;
  float cells;

  __device__ explicit Keyed(const Lowering &of)
      : of(of), flip(of.type == Type::i16 || of.type == Type::i32 ? signBit<Bits> : 0),
        first(isFloat ? 0 : __ldg(of.low)), origin(static_cast<Real>(of.origin)),
        inverse(static_cast<Real>(of.inverse)), cells(static_cast<float>(of.cells)) {}

  __device__ __forceinline__ Key keyOf(Bits bits) const {
    if constexpr (isFloat) {
      using Signed = std::make_signed_t<Bits>;
      constexpr uint32_t top = 8 * sizeof(Bits) - 1;
      return bits ^ (static_cast<Bits>(static_cast<Signed>(bits) >> top) | Bits{1} << top);
    } else {
      return bits ^ flip;
    }
  }

  __device__ static __forceinline__ Sample valueOf(Bits bits) {
    if constexpr (sizeof(Sample) == 8) return __longlong_as_double(bits);
    else if constexpr (isFloat) return __uint_as_float(bits);
    else return bits;
  }

  /** Returns what is compared with shared thresholds. */
  __device__ __forceinline__ Threshold comparable(Bits bits) const {
    if constexpr (isFloat) return valueOf(bits);
    else return keyOf(bits);
  }

  __device__ __forceinline__ Threshold thresholdOf(Key key) const {
    if constexpr (isFloat) {
      constexpr Key sign = Key{1} << (8 * sizeof(Key) - 1);
      return valueOf(key & sign ? key ^ sign : ~key);
    } else {
      return key;
    }
  }

  /**
   * Returns 2^23 + round(saturate(…) * cells) as a float's bits. The cell is their low half. Saturation turns NaN into
   * 0. A number that is added to 2^23 keeps only its integer bits.
   */
  __device__ __forceinline__ uint32_t cellOnLine(Bits bits) const {
    float along;
    if constexpr (sizeof(Sample) == 8) along = static_cast<float>((valueOf(bits) - origin) * inverse);
    else if constexpr (isFloat) along = (valueOf(bits) - origin) * inverse;
    else along = __uint2float_rn(max(keyOf(bits), first) - first) * inverse;
    return __float_as_uint(fmaf(__saturatef(along), cells, magic));
  }

  __device__ __forceinline__ uint32_t cellOfMagnitude(Bits bits) const {
    const Key key = keyOf(bits);
    const auto leading = static_cast<uint32_t>(sizeof(Key) == 8 ? static_cast<uint64_t>(key) >> 32 : key);
    return min((max(leading, of.base) - of.base) >> of.shift, of.cells);
  }

  __device__ __forceinline__ Key fromGlobal(uint32_t i) const {
    if (i >= of.thresholds) return ~Key{0};
    if constexpr (sizeof(Key) == 8) return static_cast<Key>(__ldg(of.high + i)) << 32 | __ldg(of.low + i);
    else return __ldg(of.low + i);
  }

  /**
   * Copies the lookup with all threads of the block. A barrier must follow. The padding is the largest value, or NaN.
   */
  __device__ void copy(char *memory, uint32_t replicas, bool withStarts, uint32_t rowScale) const {
    Threshold *const to = reinterpret_cast<Threshold *>(memory);
    const uint32_t entries = (of.thresholds + limits::RANK_PADDING) * replicas;
    for (uint32_t i = threadIdx.x; i < entries; i += blockDim.x) to[i] = thresholdOf(fromGlobal(i / replicas));
    if (!withStarts) return;
    uint32_t *const starts = reinterpret_cast<uint32_t *>(to + entries);
    const uint32_t copies = startCopies(replicas);
    for (uint32_t i = threadIdx.x; i < (of.cells + 1) * copies; i += blockDim.x) starts[i] = __ldg(of.starts + i / copies) * rowScale;
  }

  static constexpr float magic = 1u << 23;
  static constexpr uint32_t magicBits = 0x4b000000;
};

/**
 * For counters and a lookup with a copy for each lane. Rows are addresses: that of the lane's threshold with this
 * number. The distance between rows is laneRow bytes, for thresholds and for counters. The caller adds the distance
 * between the two tables. search: number of halvings. 0: evenly spaced edges, whose rank is the cell or one more.
 */
constexpr uint32_t laneRow = limits::WARP_THREADS * sizeof(uint32_t);

template <typename Sample, uint32_t search>
struct LaneRanked : Keyed<Sample> {
  using Base = Keyed<Sample>;
  using typename Base::Bits;
  using typename Base::Threshold;
  static constexpr bool ranked = true;
  static constexpr bool whole = true;
  static constexpr uint32_t rowScale = laneRow;
  static constexpr uint32_t startRow = startCopies(laneCopies<Sample>) * sizeof(uint32_t);

  /**
   * Shared addresses of this lane's row 0 and of its first start. If a cell is a float's bits, the latter is that of
   * cell -2^23.
   */
  uint32_t origin, starts;

  __device__ LaneRanked(const Lowering &of, const Lookup &lookup, char *memory) : Base(of) {
    char *const table = memory + lookup.offset;
    this->copy(table, lookup.replicas, search > 0, laneRow);
    const uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(table));
    origin = at + (threadIdx.x & (laneCopies<Sample> - 1)) * sizeof(Threshold);
    starts = at + (of.thresholds + limits::RANK_PADDING) * laneRow + threadIdx.x % startCopies(laneCopies<Sample>) * sizeof(uint32_t);
    if (of.line) starts -= Base::magicBits * startRow;
  }

  /** Returns the difference between a row's address and its number times laneRow. */
  __device__ __forceinline__ uint32_t bias() const { return origin; }

  __device__ __forceinline__ uint32_t operator()(Bits bits) const {
    uint32_t row[1];
    find<1>({bits}, row);
    return row[0];
  }

  template <uint32_t many>
  __device__ __forceinline__ void find(const Bits (&bits)[many], uint32_t (&row)[many]) const {
    if constexpr (search == 0) {
#pragma unroll
      for (uint32_t i = 0; i < many; i++) row[i] = this->cellOnLine(bits[i]) * laneRow + (origin - Base::magicBits * laneRow);
    } else {
      uint32_t cell[many];
      if (this->of.line) {
#pragma unroll
        for (uint32_t i = 0; i < many; i++) cell[i] = this->cellOnLine(bits[i]);
      } else {
#pragma unroll
        for (uint32_t i = 0; i < many; i++) cell[i] = this->cellOfMagnitude(bits[i]);
      }
#pragma unroll
      for (uint32_t i = 0; i < many; i++) {
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(row[i]) : "r"(starts + cell[i] * startRow));
      }
#pragma unroll
      for (uint32_t i = 0; i < many; i++) row[i] += origin;
    }
    if constexpr (search > 2) advance<4>(bits, row);
    if constexpr (search > 1) advance<2>(bits, row);
    advance<1>(bits, row);
#pragma unroll
    for (uint32_t i = 0; i < many; i++) {
      if constexpr (Base::isFloat) {
        if (isnan(this->valueOf(bits[i]))) row[i] = (this->of.bins + 2) * laneRow + origin;
      } else {
        // The padding is a key that a sample may have.
        row[i] = min(row[i], this->of.thresholds * laneRow + origin);
      }
    }
  }

 private:
  template <uint32_t step, uint32_t many>
  __device__ __forceinline__ void advance(const Bits (&bits)[many], uint32_t (&row)[many]) const {
    Threshold threshold[many];
#pragma unroll
    for (uint32_t i = 0; i < many; i++) threshold[i] = load<(step - 1) * laneRow>(row[i]);
#pragma unroll
    for (uint32_t i = 0; i < many; i++) {
      if (this->comparable(bits[i]) >= threshold[i]) row[i] += step * laneRow;
    }
  }

  template <uint32_t further>
  __device__ static __forceinline__ Threshold load(uint32_t address) {
    Threshold value;
    if constexpr (std::is_same_v<Threshold, double>) asm volatile("ld.shared.f64 %0, [%1 + %2];" : "=d"(value) : "r"(address), "n"(further));
    else if constexpr (Base::isFloat) asm volatile("ld.shared.f32 %0, [%1 + %2];" : "=f"(value) : "r"(address), "n"(further));
    else asm volatile("ld.shared.u32 %0, [%1 + %2];" : "=r"(value) : "r"(address), "n"(further));
    return value;
  }
};

/** For fewer copies, or for none, as `shared` says. even: the rank is the guess's cell or one more. */
template <typename Sample, bool even, bool shared>
struct Ranked : Keyed<Sample> {
  using Base = Keyed<Sample>;
  using typename Base::Bits;
  using typename Base::Key;
  using typename Base::Threshold;
  static constexpr bool ranked = true;
  static constexpr bool whole = shared;
  static constexpr uint32_t rowScale = 1;

  const Threshold *thresholds;
  const uint32_t *starts;
  uint32_t replicas;

  __device__ Ranked(const Lowering &of, const Lookup &lookup, char *memory) : Base(of), replicas(lookup.replicas) {
    if constexpr (shared) {
      char *const table = memory + lookup.offset;
      this->copy(table, replicas, !even, rowScale);
      const uint32_t lane = threadIdx.x & (replicas - 1);
      thresholds = reinterpret_cast<Threshold *>(table) + lane;
      starts = reinterpret_cast<uint32_t *>(table + (of.thresholds + limits::RANK_PADDING) * replicas * sizeof(Threshold)) +
               (threadIdx.x & (startCopies(replicas) - 1));
    }
  }

  __device__ __forceinline__ uint32_t operator()(Bits bits) const {
    uint32_t rank[1];
    find<1>({bits}, rank);
    return rank[0];
  }

  /** Finds several at a time. Common work is done once, and no lookup waits for another. */
  template <uint32_t many>
  __device__ __forceinline__ void find(const Bits (&bits)[many], uint32_t (&rank)[many]) const {
    if constexpr (even) {
#pragma unroll
      for (uint32_t i = 0; i < many; i++) rank[i] = this->cellOnLine(bits[i]) - Base::magicBits;
    } else {
#pragma unroll
      for (uint32_t i = 0; i < many; i++) {
        rank[i] = startOf(this->of.line ? this->cellOnLine(bits[i]) - Base::magicBits : this->cellOfMagnitude(bits[i]));
      }
      uint32_t step = 1u << this->of.steps >> 1;
      for (; step > limits::RANK_PADDING / 2 + 1; step >>= 1) {
#pragma unroll
        for (uint32_t i = 0; i < many; i++) {
          if (rank[i] + step <= this->of.thresholds) advance(rank[i], step, bits[i]);
        }
      }
      for (; step > 1; step >>= 1) {
#pragma unroll
        for (uint32_t i = 0; i < many; i++) advance(rank[i], step, bits[i]);
      }
    }
#pragma unroll
    for (uint32_t i = 0; i < many; i++) {
      advance(rank[i], 1, bits[i]);
      if constexpr (Base::isFloat) {
        if (isnan(this->valueOf(bits[i]))) rank[i] = this->of.bins + 2;
      } else {
        rank[i] = min(rank[i], this->of.thresholds);
      }
    }
  }

 private:
  __device__ __forceinline__ uint32_t startOf(uint32_t cell) const {
    if constexpr (shared) return starts[cell * startCopies(replicas)];
    else return this->of.starts == nullptr ? cell : __ldg(this->of.starts + cell);
  }

  __device__ __forceinline__ void advance(uint32_t &rank, uint32_t step, Bits bits) const {
    bool reaches;
    if constexpr (shared) reaches = this->comparable(bits) >= thresholds[(rank + step - 1) * replicas];
    else reaches = this->keyOf(bits) >= this->fromGlobal(rank + step - 1);
    if (reaches) rank += step;
  }
};

}  // namespace polybin
