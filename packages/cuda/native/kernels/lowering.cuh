// How a sample finds its code, on the device: core's lowering.ts, one functor a kind.
//
//   16-byte vector -> sample's bits -> functor -> code:  0 … bins-1 | bins underflow | +1 overflow | +2 NaN
//
// Floats only guess. Integer comparisons of order-preserving keys (core's keys.ts) decide, so NaN, infinities and
// denormals need no care.
#pragma once
#include <type_traits>

#include "../polybin.cuh"

namespace polybin {

enum Flow : uint32_t { underflow, overflow, nan, flows };

/** Samples of a 16-byte vector. */
template <typename Bits>
constexpr uint32_t perVector = sizeof(uint4) / sizeof(Bits);

/** Samples are read once: they pass the first-level cache by. */
__device__ __forceinline__ uint4 streamed(const uint4 *at) {
  uint4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(at));
  return v;
}

/** Bits of sample i of a vector; i is known when this is compiled, so that the vector stays in registers. */
template <typename Bits>
__device__ __forceinline__ Bits sampleOf(const uint4 &v, uint32_t i) {
  const uint32_t bit = i * 8 * sizeof(Bits) % 32;
  const uint32_t at = i * sizeof(Bits) / 4;
  const uint32_t word = at == 0 ? v.x : at == 1 ? v.y : at == 2 ? v.z : v.w;
  if constexpr (sizeof(Bits) == 8) return word | static_cast<uint64_t>(at == 0 ? v.y : v.w) << 32;
  else return static_cast<Bits>(word >> bit);
}

/**
 * Copies of lookup tables in a block's shared memory, staggered as per-lane's counters are, so that lanes which
 * look up different entries do not meet in a bank either.
 *
 *   Key thresholds[(n + 1) * replicas]   entry i of lane l at i * replicas + l mod replicas
 *   u16 starts[cells]                    cells: one copy
 */
struct Lookup {
  /** A power of two; 0: the tables stay in global memory. */
  uint32_t replicas;
  /** Where they begin in dynamic shared memory. */
  uint32_t offset;
  uint32_t bytes;
};

/** code = bits: the merge on the host sorts the 256 values into bins. */
struct Raw {
  using Bits = uint8_t;
  /** No code can lie past the cells. */
  static constexpr bool closed = true;
  __device__ Raw(const Lowering &, const Lookup &, char *) {}
  __device__ __forceinline__ uint32_t operator()(Bits bits) const { return bits; }
};

/** code = sample - start, for signed samples with both sides' sign bits flipped. */
template <typename B>
struct Direct {
  using Bits = B;
  static constexpr bool closed = false;
  uint32_t flip, start, bins;

  __device__ Direct(const Lowering &of, const Lookup &, char *)
      : flip(of.type == Type::i16 || of.type == Type::i32 ? 1u << (8 * sizeof(Bits) - 1) : 0),
        start(static_cast<uint32_t>(of.start + flip)), bins(of.bins) {}

  __device__ __forceinline__ uint32_t operator()(Bits bits) const {
    const uint32_t key = bits ^ flip;
    const uint32_t code = key - start;
    return code < bins ? code : bins + (key < start ? underflow : overflow);
  }
};

/** code = table[bits]; the caches hold what the data uses of the table. */
template <typename B>
struct Table {
  using Bits = B;
  static constexpr bool closed = false;
  const uint32_t *table;

  __device__ Table(const Lowering &of, const Lookup &, char *) : table(of.table) {}

  __device__ __forceinline__ uint32_t operator()(Bits bits) const { return __ldg(table + bits); }
};

template <typename K>
__device__ __forceinline__ K keyOf(const Key &of) {
  if constexpr (sizeof(K) == 8) return static_cast<K>(of.high) << 32 | of.low;
  else return of.low;
}

/**
 * Wide samples by their keys. Sample: uint32_t (u32 and i32), float or double; linear: evenly spaced edges;
 * shared: thresholds and starts lie in shared memory.
 */
template <typename Sample, bool linear, bool shared>
struct Keys {
  using Real = std::conditional_t<sizeof(Sample) == 8, double, float>;
  static constexpr bool isFloat = std::is_floating_point_v<Sample>;
  using Bits = std::conditional_t<sizeof(Sample) == 8, uint64_t, uint32_t>;
  static constexpr bool closed = false;
  static constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);

  const Lowering &of;
  const Bits *thresholds;
  const uint16_t *starts;
  uint32_t count, stride;
  Bits first, last, flip;
  Real origin, scale;

  /** All threads of the block construct it, and meet at a barrier before they use it. */
  __device__ Keys(const Lowering &lowering, const Lookup &lookup, char *memory)
      : of(lowering), count(lowering.thresholds), stride(lookup.replicas), last(keyOf<Bits>(lowering.last)),
        flip(lowering.type == Type::u32 ? 0 : sign) {
    first = fromGlobal(0);
    scale = static_cast<Real>(lowering.scale);
    if constexpr (isFloat) {
      origin = static_cast<Real>(lowering.lo);
    } else if constexpr (linear) {
      // The distance from the first key is exact; what the first key is away from lo is added in bins.
      const double value = flip ? static_cast<double>(static_cast<int32_t>(first ^ flip)) : static_cast<double>(first);
      origin = static_cast<Real>((value - lowering.lo) * lowering.scale);
    }
    if constexpr (shared) copy(memory + lookup.offset);
  }

  __device__ __forceinline__ uint32_t operator()(Bits bits) const {
    const Bits key = keyOfBits(bits);
    if constexpr (linear) {
      const uint32_t bin = min(guess(bits, key), count - 1);
      const Bits begin = threshold(bin);
      // One comparison for both sides; no flow sample passes it.
      if (key - begin < threshold(bin + 1) - begin) return bin;
      if (const uint32_t flow = flowOf(key); flow < flows) return of.bins + flow;
      return search(key);
    } else {
      if (const uint32_t flow = flowOf(key); flow < flows) return of.bins + flow;
      const uint32_t cell = (leading(key) - of.base) >> of.shift;
      uint32_t bin = shared ? starts[cell] : __ldg(of.starts + cell);
      for (uint32_t step = 1u << of.steps >> 1; step > 0; step >>= 1) {
        const uint32_t middle = min(bin + step, count);
        if (threshold(middle) <= key) bin = middle;
      }
      return min(bin, count - 1);
    }
  }

 private:
  __device__ __forceinline__ Bits keyOfBits(Bits bits) const {
    if constexpr (isFloat) {
      using Signed = std::make_signed_t<Bits>;
      return bits ^ (static_cast<Bits>(static_cast<Signed>(bits) >> (8 * sizeof(Bits) - 1)) | sign);
    } else {
      return bits ^ flip;
    }
  }

  __device__ static __forceinline__ uint32_t leading(Bits key) {
    return static_cast<uint32_t>(sizeof(Bits) == 8 ? static_cast<uint64_t>(key) >> 32 : key);
  }

  /** Conversion saturates, and makes 0 of NaN: any sample's guess is an unsigned integer. */
  __device__ __forceinline__ uint32_t guess(Bits bits, Bits key) const {
    if constexpr (sizeof(Sample) == 8) return __double2uint_rz((__longlong_as_double(bits) - origin) * scale);
    else if constexpr (isFloat) return __float2uint_rz((__uint_as_float(bits) - origin) * scale);
    else return __float2uint_rz(fmaf(__uint2float_rn(key - first), scale, origin));
  }

  __device__ __forceinline__ uint32_t flowOf(Bits key) const {
    if (key >= first && key <= last) return flows;
    if (key < keyOf<Bits>(of.nanBelow) || key > keyOf<Bits>(of.nanAbove)) return nan;
    return key < first ? underflow : overflow;
  }

  /** Last bin whose first key is not past the key, among all: the guess was wrong. */
  __device__ uint32_t search(Bits key) const {
    uint32_t bin = 0, end = count - 1;
    while (bin < end) {
      const uint32_t middle = (bin + end + 1) >> 1;
      if (threshold(middle) <= key) bin = middle;
      else end = middle - 1;
    }
    return bin;
  }

  /**
   * First key of a bin; past the last bin, the first key that overflows. Where there is no such key, the largest
   * one stands for it, and samples of that key take the longer way.
   */
  __device__ __forceinline__ Bits threshold(uint32_t bin) const {
    if constexpr (shared) return thresholds[bin * stride];
    else return bin < count ? fromGlobal(bin) : end();
  }

  __device__ __forceinline__ Bits end() const { return last + (last != ~Bits{0}); }

  __device__ __forceinline__ Bits fromGlobal(uint32_t bin) const {
    if constexpr (sizeof(Bits) == 8) return static_cast<Bits>(__ldg(of.high + bin)) << 32 | __ldg(of.low + bin);
    else return __ldg(of.low + bin);
  }

  __device__ void copy(char *memory) {
    Bits *const keys = reinterpret_cast<Bits *>(memory);
    const uint32_t entries = (count + 1) * stride;
    for (uint32_t i = threadIdx.x; i < entries; i += blockDim.x) {
      const uint32_t bin = i / stride;
      keys[i] = bin < count ? fromGlobal(bin) : end();
    }
    thresholds = keys + (threadIdx.x & (stride - 1));
    if constexpr (!linear) {
      uint16_t *const to = reinterpret_cast<uint16_t *>(keys + entries);
      for (uint32_t i = threadIdx.x; i < of.cells; i += blockDim.x) to[i] = static_cast<uint16_t>(of.starts[i]);
      starts = to;
    }
  }
};

/** Bytes of a lookup of so many replicas. */
inline uint32_t lookupBytes(const Lowering &of, uint32_t replicas) {
  const uint32_t key = of.type == Type::f64 ? sizeof(uint64_t) : sizeof(uint32_t);
  return (of.thresholds + 1) * replicas * key + (of.linear ? 0 : of.cells * sizeof(uint16_t));
}

/** Calls `use` with a null pointer to the functor type of a lowering. */
template <bool shared, typename Use>
cudaError_t withFunctor(const Lowering &of, Use use) {
  const auto keys = [&](auto sample) {
    using Sample = decltype(sample);
    return of.linear ? use(static_cast<Keys<Sample, true, shared> *>(nullptr))
                     : use(static_cast<Keys<Sample, false, shared> *>(nullptr));
  };
  const bool byte = of.type == Type::u8 || of.type == Type::i8;
  const bool half = of.type == Type::u16 || of.type == Type::i16;
  if (of.kind == Kind::keys) {
    return of.type == Type::f64 ? keys(double{}) : of.type == Type::f32 ? keys(float{}) : keys(uint32_t{});
  }
  if constexpr (!shared) {
    switch (of.kind) {
      case Kind::raw: return use(static_cast<Raw *>(nullptr));
      case Kind::direct:
        return half ? use(static_cast<Direct<uint16_t> *>(nullptr)) : use(static_cast<Direct<uint32_t> *>(nullptr));
      default:
        return byte ? use(static_cast<Table<uint8_t> *>(nullptr)) : use(static_cast<Table<uint16_t> *>(nullptr));
    }
  }
  return cudaErrorInvalidValue;
}

}  // namespace polybin
