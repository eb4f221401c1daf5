// The work of a block in Xu et al.'s methods: a segment of one feature's documents, in a window of its bins.
// Neighbouring threads fetch neighbouring 32-bit words, which hold 8, 4 or 2 values (4.1), or neighbouring values if the
// plan says so. A thread fetches several documents before it adds the first of them. This hides the latency that few
// threads cannot hide (4.2.3).
//
//   grid:   x features; y segments of the documents; z passes, which are windows of bins
//   word:   thread t takes documents per * t to per * t + per - 1, then per * T documents ahead; T threads
//   value:  thread t takes document t, then T documents ahead; also the documents of a list, which lie anywhere
#pragma once
#include <cstdint>
#include <type_traits>

#include "generated/limits.cuh"
#include "ptx.cuh"
#include "sums.cuh"

namespace polybin {

/** There is a kernel for each combination: integers or floats, with or without squares. */
template <bool fast_, bool squares_>
struct Variant {
  static constexpr bool fast = fast_, squares = squares_;
  /** The types of weights and their sums in a block, and of the totals. */
  using Weight = std::conditional_t<fast, float, int32_t>;
  using Total = std::conditional_t<fast, double, long long>;
};

/** A value that no document has and that is in no window of bins. */
constexpr uint32_t noValue = noSkip;

template <ValueType type>
constexpr uint32_t bitsOf = type == ValueType::u16 ? 16 : (type == ValueType::u8 ? 8 : 4);

template <ValueType type>
__device__ __forceinline__ uint32_t valueAt(const uint8_t *row, uint32_t document) {
  if constexpr (type == ValueType::u16) {
    return __ldg(reinterpret_cast<const uint16_t *>(row) + document);
  } else if constexpr (type == ValueType::u8) {
    return __ldg(row + document);
  } else {
    return __ldg(row + document / 2) >> document % 2 * 4 & limits::NIBBLE_VALUES - 1;
  }
}

template <typename Of>
struct Segment {
  using Weight = typename Of::Weight;

  ValueType type;
  const uint8_t *row;
  const uint32_t *list;
  const Weight *weights, *squares;
  /** Number of documents. */
  uint32_t length;
  uint32_t skip;
  /** The window of bins. */
  uint32_t first, bins;
  bool counts;
  Count *totals;
  uint32_t allBins;

  __device__ __forceinline__ Segment(const WeightedInput &in, const WeightedPlan &plan) {
    const uint64_t from = blockIdx.y * plan.segmentDocuments;
    length = from < in.documents ? static_cast<uint32_t>(min(plan.segmentDocuments, in.documents - from)) : 0;
    const WeightedFeature of = in.features[blockIdx.x];
    type = plan.type;
    skip = of.skip;
    row = in.values + of.row * in.pitch;
    list = in.list == nullptr ? nullptr : in.list + from;
    // A segment begins at a whole byte.
    if (list == nullptr) row += type == ValueType::u16 ? from * 2 : (type == ValueType::u8 ? from : from / 2);
    weights = reinterpret_cast<const Weight *>(in.weights) + from;
    squares = reinterpret_cast<const Weight *>(in.squares) + (Of::squares ? from : 0);
    first = blockIdx.z * plan.binsPerPass;
    bins = min(plan.binsPerPass, plan.bins - first);
    counts = plan.counts;
    allBins = plan.bins;
    totals = in.totals + blockIdx.x * uint64_t{1u + plan.counts + Of::squares} * plan.bins + first;
  }

  /** Adds to the totals of a bin of the window. */
  __device__ __forceinline__ void addTotals(uint32_t bin, uint32_t count, typename Of::Total sum,
                                            typename Of::Total square) const {
    Count *to = totals + bin;
    if (counts) {
      addTotal(to, static_cast<typename Of::Total>(count));
      to += allBins;
    }
    addTotal(to, sum);
    if constexpr (Of::squares) addTotal(to + allBins, square);
  }
};

/** Documents that a thread has read but not added yet, at most `most`. */
template <typename Of, uint32_t most>
struct Batch {
  using Weight = typename Of::Weight;

  uint32_t value[most];
  Weight weight[most];
  Weight square[Of::squares ? most : 1];

  /**
   * Reads this thread's share of the documents from `begin` on, `number` per thread, which are whole fetches. The
   * segment has `left` documents from there.
   */
  __device__ __forceinline__ void read(const Segment<Of> &from, uint32_t begin, uint32_t left, uint32_t number,
                                       bool words) {
    switch (from.type) {
      case ValueType::u4: return readAs<ValueType::u4>(from, begin, left, number, words);
      case ValueType::u8: return readAs<ValueType::u8>(from, begin, left, number, words);
      case ValueType::u16: return readAs<ValueType::u16>(from, begin, left, number, words);
    }
  }

  /** Calls add(bin, weight, square) for the documents that are in the window and not skipped. */
  template <typename Add>
  __device__ __forceinline__ void each(const Segment<Of> &of, Add add) const {
#pragma unroll
    for (uint32_t i = 0; i < most; i++) {
      const uint32_t bin = value[i] - of.first;
      if (isIn(of, i)) add(bin, weight[i], square[Of::squares ? i : 0]);
    }
  }

  /** Calls add(bin, count, weight, square) for all documents without a branch. The others have a bin and numbers of 0. */
  template <typename Add>
  __device__ __forceinline__ void all(const Segment<Of> &of, Add add) const {
#pragma unroll
    for (uint32_t i = 0; i < most; i++) {
      const bool is = isIn(of, i);
      add(is ? value[i] - of.first : 0, uint32_t{is}, is ? weight[i] : 0, is && Of::squares ? square[Of::squares ? i : 0] : 0);
    }
  }

 private:
  /** Whether a document is in the window and not skipped. */
  __device__ __forceinline__ bool isIn(const Segment<Of> &of, uint32_t i) const {
    return value[i] - of.first < of.bins && value[i] != of.skip;
  }

  template <ValueType type>
  __device__ __forceinline__ void readAs(const Segment<Of> &from, uint32_t begin, uint32_t left, uint32_t number,
                                         bool words) {
    if (words && from.list == nullptr) readWords<type>(from, begin, left, number);
    else readValues<type>(from, begin, left, number);
  }

  template <ValueType type>
  __device__ __forceinline__ void readWords(const Segment<Of> &from, uint32_t begin, uint32_t left, uint32_t number) {
    constexpr uint32_t bits = bitsOf<type>, per = 32 / bits;
    // A plan whose words hold more documents than this batch uses a larger batch.
    if constexpr (per <= most) {
      constexpr uint32_t fetches = most / per;
      uint32_t word[fetches];
#pragma unroll
      for (uint32_t f = 0; f < fetches; f++) {
        const uint32_t ahead = (f * blockDim.x + threadIdx.x) * per;
        word[f] = 0;
        if (f * per >= number || ahead >= left) continue;
        const uint32_t at = begin + ahead;
        word[f] = __ldg(reinterpret_cast<const uint32_t *>(from.row) + at / per);
        // Weights past the last document are padding.
        loadVector<per>(weight + f * per, from.weights + at);
        if constexpr (Of::squares) loadVector<per>(square + f * per, from.squares + at);
      }
#pragma unroll
      for (uint32_t i = 0; i < most; i++) {
        const uint32_t ahead = (i / per * blockDim.x + threadIdx.x) * per + i % per;
        const bool isThere = i < number && ahead < left;
        value[i] = isThere ? word[i / per] >> i % per * bits & (1u << bits) - 1 : noValue;
      }
    }
  }

  template <ValueType type>
  __device__ __forceinline__ void readValues(const Segment<Of> &from, uint32_t begin, uint32_t left, uint32_t number) {
#pragma unroll
    for (uint32_t i = 0; i < most; i++) {
      const uint32_t ahead = i * blockDim.x + threadIdx.x;
      value[i] = noValue;
      if (i >= number || ahead >= left) continue;
      const uint32_t at = begin + ahead;
      value[i] = valueAt<type>(from.row, from.list == nullptr ? at : __ldg(from.list + at));
      weight[i] = __ldg(from.weights + at);
      if constexpr (Of::squares) square[i] = __ldg(from.squares + at);
    }
  }

  /** Loads the numbers of neighbouring documents, in vectors of 8 or 16 bytes. */
  template <uint32_t size>
  static __device__ __forceinline__ void loadVector(Weight *to, const Weight *from) {
    using Vector = std::conditional_t<size == 2, int2, int4>;
    constexpr uint32_t numbers = sizeof(Vector) / sizeof(Weight);
    static_assert(size % numbers == 0);
#pragma unroll
    for (uint32_t i = 0; i < size; i += numbers) {
      const Vector vector = __ldg(reinterpret_cast<const Vector *>(from + i));
      memcpy(to + i, &vector, sizeof vector);
    }
  }
};

/**
 * Leads the block through a segment in rounds of `documents` documents. It calls round(begin, left) for each round,
 * with the same values for all threads. It calls flush() before any round that could overflow, and at the end.
 */
template <typename Round, typename Flush>
__device__ __forceinline__ void inRounds(uint32_t length, uint32_t documents, uint64_t flushDocuments, Round round,
                                         Flush flush) {
  // 0 means never: there are not that many rounds.
  const uint32_t most = flushDocuments == 0 ? ~0u : static_cast<uint32_t>(flushDocuments / documents);
  uint32_t rounds = 0;
  for (uint32_t left = length; left > 0; left -= min(left, documents)) {
    if (rounds == most) {
      flush();
      rounds = 0;
    }
    rounds++;
    round(length - left, left);
  }
  flush();
}

/** Adds the cycles that a block takes to those of its feature if a call asks for them. */
class Stopwatch {
 public:
  __device__ __forceinline__ explicit Stopwatch(const WeightedInput &in)
      : cycles_(in.cycles), begin_(cycles_ == nullptr ? 0 : cyclesNow()) {}
  /** Follows a barrier. */
  __device__ __forceinline__ void stop() const {
    if (cycles_ == nullptr || threadIdx.x != 0) return;
    atomicAdd(cycles_ + blockIdx.x, static_cast<Count>(cyclesNow() - begin_));
  }

 private:
  Count *cycles_;
  long long begin_;
};

/** Calls launch(Variant{}) for a plan. */
template <typename Launch>
cudaError_t forVariant(const WeightedPlan &plan, Launch launch) {
  if (plan.fast) return plan.squares ? launch(Variant<true, true>{}) : launch(Variant<true, false>{});
  return plan.squares ? launch(Variant<false, true>{}) : launch(Variant<false, false>{});
}

/**
 * Calls launch(most) with the documents that a thread has registers for: `unroll` or more, a power of two. A thread reads
 * at most `unroll` documents before it adds, and `unroll` is at most `largest`.
 */
template <uint32_t largest, uint32_t most = 1, typename Launch>
cudaError_t forUnroll(uint32_t unroll, Launch launch) {
  if constexpr (most < largest) {
    if (unroll > most) return forUnroll<largest, 2 * most>(unroll, launch);
  }
  return launch(std::integral_constant<uint32_t, most>{});
}

}  // namespace polybin
