// weighted-fixed-point (polybin's own): integer weights, and a separate word in every bin for each bank of shared
// memory. No two lanes of a warp meet, whatever the data.
//
//   dynamic shared memory     R = replicas, a power of two; P = planes, the words of a cell
//     for each feature        u32 word[bins of a pass][P][R]: plane p of bin b, lane l, at (b * P + p) * R + l mod R
//
//     P = 1   sum                                                           R = banks
//     P = 2   count and the sum's upper bits, sum                           R = banks / 2
//             sum, square (without counts)
//     P = 3   count, sum, square                                            R = banks
//     wide    count (if requested), sum, its upper word, square, its upper word
//
//   With two planes a warp's halves alternate: while one adds to the first plane, the other adds to the second.
//
//   grid:   x features, plan.featuresPerBlock per block; y segments of the documents; z passes, which are windows of bins
//   thread: t takes the eight documents of units t, t + threads, …: 32 bytes of weights for all features of the block,
//           and for each feature 4 (u4), 8 (u8) or 16 (u16) bytes of values, so that a warp reads whole lines of both.
//           Several units load while one is added.
//
// A 32-bit sum is added to 64-bit totals before it can overflow, at the latest after plan.flushDocuments. With counts
// this is rare: a document adds 1 to the lower COUNT_BITS of the first word and weight >> COUNT_SHIFT above them. The
// sum of these, times 2^COUNT_SHIFT, is less than 2^32 below the true sum. The second word has the lower 32 bits of the
// true sum, so two words hold 50 bits. They cost two additions. A count and a sum would cost the same, but need a flush
// eight times as often.
//
// Bound: one 32-bit atomic per number, at most two cycles per warp. The same pipe also carries the values, the weights
// (shared by the features of a block) and the flushes.
#include <algorithm>

#include "generated/limits.cuh"
#include "kernels/sums.cuh"
#include "units.cuh"

namespace polybin {

/** What is added up, and how. It is known when the kernel is compiled. */
template <ValueType typeOf, bool countsToo, bool squaresToo, bool isWide, bool isListed, bool isPicky>
struct Summing {
  static constexpr ValueType type = typeOf;
  static constexpr bool counts = countsToo, squares = squaresToo;
  /** Sums have two words. */
  static constexpr bool wide = isWide;
  /** Documents are those of a list. */
  static constexpr bool listed = isListed;
  /** Some values are skipped, or are bins of other passes. */
  static constexpr bool picky = isPicky;
  /** A count and the upper bits of a sum share a word. */
  static constexpr bool packed = counts && !squares && !wide;
  static constexpr uint32_t planes = counts + (wide ? 2 : 1) * (squares ? 2 : 1);
  static constexpr bool takesTurns = planes == 2 && !wide;
  static constexpr uint32_t sumPlane = counts, squarePlane = sumPlane + (wide ? 2 : 1);
  /** Units of a thread in flight. It is one if a unit takes many registers; a thread has 128. */
  static constexpr uint32_t inFlight =
      squares || listed || wide || type == ValueType::u16 ? 1 : limits::WEIGHTED_IN_FLIGHT;
};

namespace {

template <typename Of>
struct Block {
  using Own = Unit<Of::type, Of::squares>;

  const WeightedInput &in;
  const WeightedPlan &plan;
  /** Features of this block, and the first of them in the group. */
  uint32_t features, firstFeature;
  const uint8_t *row[most];
  uint32_t skip[most];
  /**
   * Address of the word that this lane adds to first, in the first bin of each feature; and the bytes from plane to
   * plane and from bin to bin.
   */
  uint32_t lane[most];
  uint32_t planeBytes, binBytes;
  /** Whether this lane begins with the second plane. */
  bool turned;
  /** The window of bins. */
  uint32_t first, bins;
  /** The segment's weights. */
  const int32_t *weights;
  /** Documents of the segment, and its units. */
  uint32_t length, units;

  __device__ __forceinline__ Block(const WeightedInput &in, const WeightedPlan &plan, uint32_t *tables)
      : in(in), plan(plan) {
    firstFeature = blockIdx.x * plan.featuresPerBlock;
    features = min(plan.featuresPerBlock, in.count - firstFeature);
    first = blockIdx.z * plan.binsPerPass;
    bins = min(plan.binsPerPass, plan.bins - first);
    planeBytes = plan.replicas * wordBytes;
    binBytes = Of::planes * planeBytes;
    const uint64_t from = this->from();
    weights = in.weights + from;
    length = from < in.documents ? static_cast<uint32_t>(min(plan.segmentDocuments, in.documents - from)) : 0;
    units = length / unitSize + (length % unitSize != 0);
    const auto base = sharedAddress(tables);
    const uint32_t thread = threadIdx.x % limits::WARP_THREADS;
    turned = Of::takesTurns && (thread & plan.replicas) != 0;
    const uint32_t own = (thread & (plan.replicas - 1)) * wordBytes + (turned ? planeBytes : 0);
#pragma unroll
    for (uint32_t f = 0; f < most; f++) {
      const WeightedFeature of = in.features[firstFeature + (f < features ? f : 0)];
      row[f] = in.values + of.row * in.pitch + (Of::listed ? 0 : Values<Of::type>::bytesOf(from));
      skip[f] = of.skip;
      lane[f] = base + f * plan.binsPerPass * binBytes + own;
    }
  }

  /** Returns the first document of the segment. */
  __device__ __forceinline__ uint64_t from() const { return blockIdx.y * plan.segmentDocuments; }

  /** Loads a unit, unless it lies after the segment. */
  __device__ __forceinline__ void load(Own &unit, uint32_t number) const {
    if (number >= units) return;
    const uint32_t at = number * unitSize;
    unit.weights.load(weights + at);
    if constexpr (Of::squares) unit.squared.load(in.squares + from() + at);
    Numbers documents;
    if constexpr (Of::listed) documents.load(reinterpret_cast<const int32_t *>(in.list) + from() + at);
#pragma unroll
    for (uint32_t f = 0; f < most; f++) {
      if (f >= features) continue;
      if constexpr (Of::listed) {
        unit.values[f] = {};
#pragma unroll
        for (uint32_t i = 0; i < unitSize; i++) {
          if (i < length - at) unit.values[f].gather(row[f], static_cast<uint32_t>(documents[i]), i);
        }
      } else {
        unit.values[f].load(row[f] + Values<Of::type>::bytesOf(at));
      }
    }
  }

  /** Adds a unit up. `left` is the number of documents from its first to the end of the segment. */
  __device__ __forceinline__ void add(const Own &unit, uint32_t left) const {
    // The last unit may have values without a document.
    if (Of::picky || left < unitSize) addEach<true>(unit, left);
    else addEach<false>(unit, left);
  }

  template <bool picky>
  __device__ __forceinline__ void addEach(const Own &unit, uint32_t left) const {
    // The additions of a document to the planes, in the order of this lane. They are the same for all features.
    uint32_t now[unitSize], then[unitSize];
    if constexpr (Of::takesTurns) {
#pragma unroll
      for (uint32_t i = 0; i < unitSize; i++) {
        const int32_t weight = unit.weights[i];
        const auto upper = static_cast<uint32_t>(weight >> limits::COUNT_SHIFT) << limits::COUNT_BITS;
        const uint32_t one = Of::packed ? upper + 1 : static_cast<uint32_t>(weight);
        const auto other = static_cast<uint32_t>(Of::packed ? weight : unit.squared[i]);
        now[i] = turned ? other : one;
        then[i] = turned ? one : other;
      }
    }
    // The distance from the plane that this lane adds to first to the other one.
    const uint32_t across = turned ? 0u - planeBytes : planeBytes;
#pragma unroll
    for (uint32_t f = 0; f < most; f++) {
      if (f >= features) continue;
#pragma unroll
      for (uint32_t i = 0; i < unitSize; i++) {
        const uint32_t value = unit.values[f].value(i);
        const uint32_t bin = picky ? value - first : value;
        const bool isIn = !picky || (bin < bins && value != skip[f] && i < left);
        const uint32_t cell = lane[f] + bin * binBytes;
        if constexpr (Of::wide) {
          if (!isIn) continue;
          if constexpr (Of::counts) addTo(cell, 1);
          addWide(cell + Of::sumPlane * planeBytes, planeBytes, unit.weights[i]);
          if constexpr (Of::squares) addWide(cell + Of::squarePlane * planeBytes, planeBytes, unit.squared[i]);
        } else {
          const auto addWhere = [&](uint32_t word, uint32_t amount) {
            if constexpr (picky) addIf(isIn, word, amount);
            else addTo(word, amount);
          };
          if constexpr (Of::takesTurns) {
            addWhere(cell, now[i]);
            addWhere(cell + across, then[i]);
          } else {
            if constexpr (Of::counts) addWhere(cell, 1);
            addWhere(cell + Of::sumPlane * planeBytes, static_cast<uint32_t>(unit.weights[i]));
            if constexpr (Of::squares) {
              addWhere(cell + Of::squarePlane * planeBytes, static_cast<uint32_t>(unit.squared[i]));
            }
          }
        }
      }
    }
  }

  /** Returns the rows of this block's tables: the bins of the window, for one feature after another. */
  __device__ __forceinline__ uint32_t rows() const { return features * plan.binsPerPass; }

  /** Adds the counters of a row's replicas to its totals, and clears them. */
  __device__ __forceinline__ void take(uint32_t *tables, uint32_t row, Totals &to) const {
    const uint32_t replicas = plan.replicas;
    uint32_t *const cell = tables + row * Of::planes * replicas;
    // Lanes begin at different banks.
    const uint32_t half = Of::takesTurns ? row & replicas : 0;
#pragma unroll 4
    for (uint32_t i = 0; i < replicas; i++) {
      const uint32_t at = (i + row) & (replicas - 1);
      const auto taken = [&](uint32_t word) {
        const uint32_t was = cell[word];
        cell[word] = 0;
        return was;
      };
      if constexpr (Of::takesTurns) {
        const uint32_t word = at + half;
        const uint32_t now = taken(word), then = taken(word ^ replicas);
        const uint32_t one = half ? then : now, other = half ? now : then;
        if constexpr (Of::packed) {
          const long long upper = static_cast<long long>(static_cast<int32_t>(one) >> limits::COUNT_BITS)
                                  << limits::COUNT_SHIFT;
          to.count += one & ((1u << limits::COUNT_BITS) - 1);
          to.sum += upper + (other - static_cast<uint32_t>(upper));
        } else {
          to.sum += static_cast<int32_t>(one);
          to.square += static_cast<int32_t>(other);
        }
      } else {
        const auto sumAt = [&](uint32_t plane) -> long long {
          const uint32_t lower = taken(plane * replicas + at);
          if constexpr (!Of::wide) return static_cast<int32_t>(lower);
          return static_cast<long long>(Count{taken((plane + 1) * replicas + at)} << 32) + lower;
        };
        if constexpr (Of::counts) to.count += taken(at);
        to.sum += sumAt(Of::sumPlane);
        if constexpr (Of::squares) to.square += sumAt(Of::squarePlane);
      }
    }
  }

  /** Adds a row's totals to those of all segments. The last window, or the last block, may have fewer bins. */
  __device__ __forceinline__ void give(uint32_t row, const Totals &of) const {
    const uint32_t feature = row / plan.binsPerPass, bin = row % plan.binsPerPass;
    if (bin >= bins) return;
    constexpr uint64_t kinds = 1 + Of::counts + Of::squares;
    Count *const to = in.totals + (firstFeature + feature) * kinds * plan.bins + first + bin;
    const auto add = [&](uint32_t kind, long long amount) { addTotal(to + uint64_t{kind} * plan.bins, amount); };
    if constexpr (Of::counts) add(0, of.count);
    add(Of::counts, of.sum);
    if constexpr (Of::squares) add(Of::counts + 1, of.square);
  }
};

template <typename Of>
__global__ void __launch_bounds__(limits::WEIGHTED_THREADS, 1)
    sumFixedPoint(const __grid_constant__ WeightedInput in, const __grid_constant__ WeightedPlan plan) {
  uint32_t *const tables = sharedWords();
  const Block<Of> block(in, plan, tables);
  // This is the same for all threads.
  if (block.length == 0) return;

  typename Block<Of>::Own unit[Of::inFlight];
  // The first units load while the tables are cleared.
#pragma unroll
  for (uint32_t i = 0; i < Of::inFlight; i++) block.load(unit[i], threadIdx.x + i * plan.threads);
  for (uint32_t i = threadIdx.x; i < plan.sharedBytes / wordBytes; i += plan.threads) tables[i] = 0;
  __syncthreads();

  // Totals of this thread's rows, for sums that are flushed. They lie in local memory, which only flushes touch.
  Totals own[limits::WEIGHTED_ROWS];
  const auto flush = [&] {
    // Inline assembly changed the tables, which the compiler does not know.
    asm volatile("" ::: "memory");
    __syncthreads();
#pragma unroll 1
    for (uint32_t i = 0, row = threadIdx.x; row < block.rows(); i++, row += plan.threads) block.take(tables, row, own[i]);
    __syncthreads();
    asm volatile("" ::: "memory");
  };

  // All threads make the same number of rounds, so that they meet at the flushes.
  const uint32_t roundUnits = Of::inFlight * plan.threads;
  const uint32_t flushRounds = Of::wide ? 0 : static_cast<uint32_t>(plan.flushDocuments / (unitSize * roundUnits));
  uint32_t left = flushRounds;
  for (uint32_t begin = 0; begin < block.units; begin += roundUnits) {
    if constexpr (!Of::wide) {
      if (left == 0) {
        flush();
        left = flushRounds;
      }
      left--;
    }
    const uint32_t number = begin + threadIdx.x;
#pragma unroll
    for (uint32_t i = 0; i < Of::inFlight; i++) {
      const uint32_t at = number + i * plan.threads;
      const typename Block<Of>::Own now = unit[i];
      block.load(unit[i], at + roundUnits);
      if (at < block.units) block.add(now, block.length - at * unitSize);
    }
  }

  if constexpr (!Of::wide) {
    flush();
#pragma unroll 1
    for (uint32_t i = 0, row = threadIdx.x; row < block.rows(); i++, row += plan.threads) block.give(row, own[i]);
  } else {
    asm volatile("" ::: "memory");
    __syncthreads();
    for (uint32_t row = threadIdx.x; row < block.rows(); row += plan.threads) {
      Totals of;
      block.take(tables, row, of);
      block.give(row, of);
    }
  }
}

template <ValueType type, bool counts, bool squares, bool wide, bool listed, bool picky>
cudaError_t launch(const WeightedInput &in, const WeightedPlan &plan, cudaStream_t stream) {
  return launchSums(sumFixedPoint<Summing<type, counts, squares, wide, listed, picky>>, in, plan, stream);
}

template <ValueType type, bool wide, bool counts, bool squares>
cudaError_t launchSumming(const WeightedInput &in, const WeightedPlan &plan, cudaStream_t stream) {
  if (in.list != nullptr) return launch<type, counts, squares, wide, true, true>(in, plan, stream);
  // The remaining cases share one kernel each.
  if constexpr (!wide && !squares) {
    if (plan.passes == 1 && !in.skips) return launch<type, counts, squares, wide, false, false>(in, plan, stream);
  }
  return launch<type, counts, squares, wide, false, true>(in, plan, stream);
}

template <ValueType type, bool wide>
cudaError_t launchFor(const WeightedInput &in, const WeightedPlan &plan, cudaStream_t stream) {
  if (plan.squares) {
    return plan.counts ? launchSumming<type, wide, true, true>(in, plan, stream)
                       : launchSumming<type, wide, false, true>(in, plan, stream);
  }
  return plan.counts ? launchSumming<type, wide, true, false>(in, plan, stream)
                     : launchSumming<type, wide, false, false>(in, plan, stream);
}

}  // namespace

cudaError_t weightedFixedPoint(const WeightedInput &in, const WeightedPlan &plan, cudaStream_t stream) {
  switch (plan.type) {
    case ValueType::u4: return launchFor<ValueType::u4, false>(in, plan, stream);
    case ValueType::u8: return launchFor<ValueType::u8, false>(in, plan, stream);
    default:
      // Only u16 has more bins than sums of 32 bits are kept for.
      return plan.wide ? launchFor<ValueType::u16, true>(in, plan, stream)
                       : launchFor<ValueType::u16, false>(in, plan, stream);
  }
}

}  // namespace polybin
