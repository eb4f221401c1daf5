// The work of a block in Xu et al.'s methods: a segment of one feature's documents, in a window of its bins.
// Neighbouring threads take neighbouring documents. A thread reads several documents before it adds the first of them.
// This hides the latency that few threads cannot hide (4.2.3).
//
//   grid:  x features; y segments of the documents; z passes, which are windows of bins
#pragma once
#include <cstdint>
#include <type_traits>

#include "generated/limits.cuh"
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
   * Reads this thread's share of the documents from `begin` on, `number` per thread. The segment has `left` documents
   * from there.
   */
  __device__ __forceinline__ void read(const Segment<Of> &from, uint32_t begin, uint32_t left, uint32_t number) {
    switch (from.type) {
      case ValueType::u4: return readAs<ValueType::u4>(from, begin, left, number);
      case ValueType::u8: return readAs<ValueType::u8>(from, begin, left, number);
      case ValueType::u16: return readAs<ValueType::u16>(from, begin, left, number);
    }
  }

  /** Calls add(bin, weight, square) for the documents that are in the window and not skipped. */
  template <typename Add>
  __device__ __forceinline__ void each(const Segment<Of> &of, Add add) const {
#pragma unroll
    for (uint32_t i = 0; i < most; i++) {
      const uint32_t bin = value[i] - of.first;
      if (bin < of.bins && value[i] != of.skip) add(bin, weight[i], square[Of::squares ? i : 0]);
    }
  }

 private:
  template <ValueType type>
  __device__ __forceinline__ void readAs(const Segment<Of> &from, uint32_t begin, uint32_t left, uint32_t number) {
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

/** Calls launch(Variant{}) for a plan. */
template <typename Launch>
cudaError_t forVariant(const WeightedPlan &plan, Launch launch) {
  if (plan.fast) return plan.squares ? launch(Variant<true, true>{}) : launch(Variant<true, false>{});
  return plan.squares ? launch(Variant<false, true>{}) : launch(Variant<false, false>{});
}

/**
 * Calls launch(most) with the documents that a thread has registers for. A thread reads at most `unroll` documents
 * before it adds.
 */
template <typename Launch>
cudaError_t forUnroll(uint32_t unroll, Launch launch) {
  if (unroll == 1) return launch(std::integral_constant<uint32_t, 1>{});
  if (unroll <= unitDocuments) return launch(std::integral_constant<uint32_t, unitDocuments>{});
  if (unroll <= limits::UNROLL) return launch(std::integral_constant<uint32_t, limits::UNROLL>{});
  return launch(std::integral_constant<uint32_t, limits::UNROLL_MAX>{});
}

}  // namespace polybin
