// weighted-fixed-point (ours): integer weights, and a replica of the tables for each bank of shared memory, so that no
// two lanes of a warp meet, whatever the data.
//
//   dynamic shared memory     R = replicas, a power of two; P = planes, the words of a cell
//     for each feature        u32 word[bins of a pass][P][R]: plane p of bin b, lane l, at (b * P + p) * R + l mod R
//     planes                  count, sum, square                                     sums of 32 bits
//                             count, sum, its upper word, square, its upper word     sums of 64 bits
//
//   grid:   x features, plan.featuresPerBlock a block; y segments of the documents; z passes, windows of bins
//   thread: t takes the four documents of units t, t + threads, …: 16 bytes of weights for all features of the block,
//           and for each feature 2 (u4), 4 (u8) or 8 (u16) bytes of values, so that a warp reads whole lines of both.
//           Several units are on their way while one is added.
//
// Sums of 32 bits go into 64-bit totals in registers before they can overflow, after plan.flushDocuments at the most:
// by then no table got more than its weights were scaled for. Counts do not overflow: a block has fewer than 2^32
// documents. Sums of 64 bits have two words; the addition to the lower one tells whether it wrapped.
//
// Bound: two 32-bit atomics a value (three with squares), at two cycles a warp; beside them the same pipe carries the
// values, the weights (shared by the features of a block), and the flushes.
#include <algorithm>

#include "../limits.cuh"
#include "../weighted.cuh"
#include "launch.cuh"

namespace polybin {
namespace {

/** Features that a block adds up side by side, at most. */
constexpr uint32_t most = limits::FEATURES_PER_BLOCK;
constexpr uint32_t wordBytes = sizeof(uint32_t);
constexpr uint32_t allLanes = ~0u;

/** The values of four neighbouring documents, as they lie in a row. */
template <ValueType type>
struct Four;

template <>
struct Four<ValueType::u4> {
  uint16_t bits = 0;
  /** Bytes of so many documents. */
  template <typename Number>
  static __device__ __forceinline__ Number bytesOf(Number documents) { return documents / 2; }
  __device__ __forceinline__ void load(const uint8_t *from) {
    asm volatile("ld.global.nc.L1::no_allocate.u16 %0, [%1];" : "=h"(bits) : "l"(from));
  }
  __device__ __forceinline__ void gather(const uint8_t *row, uint32_t document, uint32_t i) {
    bits |= (__ldg(row + document / 2) >> document % 2 * 4 & limits::NIBBLE_VALUES - 1) << i * 4;
  }
  __device__ __forceinline__ uint32_t value(uint32_t i) const { return bits >> i * 4 & limits::NIBBLE_VALUES - 1; }
};

template <>
struct Four<ValueType::u8> {
  uint32_t bits = 0;
  template <typename Number>
  static __device__ __forceinline__ Number bytesOf(Number documents) { return documents; }
  __device__ __forceinline__ void load(const uint8_t *from) {
    asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(bits) : "l"(from));
  }
  __device__ __forceinline__ void gather(const uint8_t *row, uint32_t document, uint32_t i) {
    bits |= uint32_t{__ldg(row + document)} << i * 8;
  }
  __device__ __forceinline__ uint32_t value(uint32_t i) const { return bits >> i * 8 & limits::U8_MAX; }
};

template <>
struct Four<ValueType::u16> {
  uint32_t low = 0, high = 0;
  template <typename Number>
  static __device__ __forceinline__ uint64_t bytesOf(Number documents) { return documents * uint64_t{sizeof(uint16_t)}; }
  __device__ __forceinline__ void load(const uint8_t *from) {
    asm volatile("ld.global.nc.L1::no_allocate.v2.u32 {%0, %1}, [%2];"
                 : "=r"(low), "=r"(high)
                 : "l"(from));
  }
  __device__ __forceinline__ void gather(const uint8_t *row, uint32_t document, uint32_t i) {
    const uint32_t value = __ldg(reinterpret_cast<const uint16_t *>(row) + document);
    (i < 2 ? low : high) |= value << i % 2 * 16;
  }
  __device__ __forceinline__ uint32_t value(uint32_t i) const {
    return (i < 2 ? low : high) >> i % 2 * 16 & limits::U16_MAX;
  }
};

__device__ __forceinline__ int4 loadFour(const void *numbers, uint32_t first) {
  int4 four;
  asm volatile("ld.global.nc.L1::no_allocate.v4.s32 {%0, %1, %2, %3}, [%4];"
               : "=r"(four.x), "=r"(four.y), "=r"(four.z), "=r"(four.w)
               : "l"(static_cast<const int32_t *>(numbers) + first));
  return four;
}

__device__ __forceinline__ int32_t part(const int4 &of, uint32_t i) {
  return i == 0 ? of.x : i == 1 ? of.y : i == 2 ? of.z : of.w;
}

/** As atomicAdd; but a compiler that sees one plans no load past it. */
__device__ __forceinline__ void addTo(uint32_t word, uint32_t amount) {
  asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(word), "r"(amount));
}

/** Adds to a sum of two words, `upper` bytes apart. */
__device__ __forceinline__ void addWide(uint32_t word, uint32_t upper, int32_t amount) {
  uint32_t before;
  asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(before) : "r"(word), "r"(static_cast<uint32_t>(amount)));
  const auto bits = static_cast<uint32_t>(amount);
  // Wrapped, or borrowed: rare where weights have one sign.
  if (amount >= 0 ? before + bits < before : before < 0u - bits) addTo(word + upper, amount >= 0 ? 1u : ~0u);
}

/** A unit on its way: four documents. */
template <ValueType type, bool squares>
struct Unit {
  Four<type> values[most];
  int4 weights;
  int4 squared;
};

template <ValueType type, bool squares, bool wide, bool listed>
struct Block {
  static constexpr uint32_t planes = 1 + (wide ? 2 : 1) * (squares ? 2 : 1);
  enum Plane : uint32_t { sumPlane = 1, squarePlane = wide ? 3 : 2 };
  /** Units of a thread on their way: fewer where one takes more registers, of which a thread has 64. */
  static constexpr bool isU16 = type == ValueType::u16;
  static constexpr uint32_t inFlight =
      limits::WEIGHTED_IN_FLIGHT / (squares && isU16 ? 4 : squares || listed || isU16 ? 2 : 1);
  using Own = Unit<type, squares>;

  const WeightedInput &in;
  const WeightedPlan &plan;
  /** Features of this block, and the first of them in the group. */
  uint32_t features, firstFeature;
  const uint8_t *row[most];
  uint32_t skip[most];
  /** Address of this lane's count in the first bin of each feature. */
  uint32_t lane[most];
  /** The window of bins. */
  uint32_t first, bins;
  uint32_t planeBytes;
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
    const uint64_t from = this->from();
    weights = in.weights + from;
    length = from < in.documents ? static_cast<uint32_t>(min(plan.segmentDocuments, in.documents - from)) : 0;
    units = length / unitDocuments + (length % unitDocuments != 0);
    const auto base = static_cast<uint32_t>(__cvta_generic_to_shared(tables));
#pragma unroll
    for (uint32_t f = 0; f < most; f++) {
      const WeightedFeature of = in.features[firstFeature + (f < features ? f : 0)];
      row[f] = in.values + of.row * in.pitch + (listed ? 0 : Four<type>::bytesOf(from));
      skip[f] = of.skip;
      lane[f] = base + (f * plan.binsPerPass * planes * plan.replicas + (threadIdx.x & (plan.replicas - 1))) * wordBytes;
    }
  }

  /** The first document of the segment. */
  __device__ __forceinline__ uint64_t from() const { return blockIdx.y * plan.segmentDocuments; }

  /** Loads a unit, unless it lies behind the segment. */
  __device__ __forceinline__ void load(Own &unit, uint32_t number) const {
    if (number >= units) return;
    const uint32_t at = number * unitDocuments;
    unit.weights = loadFour(weights, at);
    if constexpr (squares) unit.squared = loadFour(in.squares + from(), at);
    if constexpr (listed) {
      const int4 documents = loadFour(in.list + from(), at);
#pragma unroll
      for (uint32_t f = 0; f < most; f++) {
        unit.values[f] = {};
        if (f >= features) continue;
#pragma unroll
        for (uint32_t i = 0; i < unitDocuments; i++) {
          if (i < length - at) unit.values[f].gather(row[f], static_cast<uint32_t>(part(documents, i)), i);
        }
      }
    } else {
#pragma unroll
      for (uint32_t f = 0; f < most; f++) {
        if (f < features) unit.values[f].load(row[f] + Four<type>::bytesOf(at));
      }
    }
  }

  /** Adds a unit up; `left`: documents from its first to the end of the segment. */
  __device__ __forceinline__ void add(const Own &unit, uint32_t left) const {
#pragma unroll
    for (uint32_t f = 0; f < most; f++) {
      if (f >= features) continue;
#pragma unroll
      for (uint32_t i = 0; i < unitDocuments; i++) {
        const uint32_t value = unit.values[f].value(i);
        const uint32_t bin = value - first;
        if (bin >= bins || value == skip[f] || i >= left) continue;
        const uint32_t cell = lane[f] + bin * planes * planeBytes;
        addTo(cell, 1);
        if constexpr (wide) addWide(cell + sumPlane * planeBytes, planeBytes, part(unit.weights, i));
        else addTo(cell + sumPlane * planeBytes, static_cast<uint32_t>(part(unit.weights, i)));
        if constexpr (squares && wide) {
          addWide(cell + squarePlane * planeBytes, planeBytes, part(unit.squared, i));
        } else if constexpr (squares) {
          addTo(cell + squarePlane * planeBytes, static_cast<uint32_t>(part(unit.squared, i)));
        }
      }
    }
  }

  /** Where the total of a row's plane lies: rows are the bins of the window, feature after feature. */
  __device__ __forceinline__ Count *total(uint32_t row, uint32_t plane) const {
    const uint32_t feature = row / plan.binsPerPass, bin = row % plan.binsPerPass;
    const uint64_t kinds = squares ? 3 : 2;
    return in.totals + ((firstFeature + feature) * kinds + plane) * plan.bins + first + bin;
  }

  /** Is there such a bin? The last window, or the last block, may have fewer. */
  __device__ __forceinline__ bool has(uint32_t row) const {
    return row / plan.binsPerPass < features && row % plan.binsPerPass < bins;
  }
};

/**
 * Which replicas of which row a thread adds up, where there are at least as many threads as rows: `sharers`
 * neighbouring lanes share a row. Each begins at another bank.
 */
struct Share {
  uint32_t sharers, row, turn, steps;

  __device__ __forceinline__ Share(uint32_t rows, uint32_t replicas) {
    // Worked out anew for each flush: between them its registers are needed.
    uint32_t thread = threadIdx.x;
    asm volatile("" : "+r"(thread));
    sharers = 1;
    while (sharers * 2 <= replicas && sharers * 2 * rows <= blockDim.x) sharers *= 2;
    row = thread / sharers;
    turn = thread & (sharers - 1);
    steps = replicas / sharers;
  }

  /** The replica of step i. */
  __device__ __forceinline__ uint32_t replica(uint32_t i) const { return turn + sharers * ((i + row) & (steps - 1)); }

  /** The sum over the sharers of a row, in each of them; all threads of a warp take part. */
  template <typename T>
  __device__ __forceinline__ T together(T own) const {
    for (uint32_t by = sharers / 2; by > 0; by /= 2) own += __shfl_xor_sync(allLanes, own, by);
    return own;
  }
};

/** Adds to a total what is not 0. */
__device__ __forceinline__ void addTotal(Count *to, Count amount) {
  if (amount != 0) atomicAdd(to, amount);
}

template <ValueType type, bool squares, bool wide, bool listed>
__global__ void __launch_bounds__(limits::PER_LANE_THREADS, 1)
    sumFixedPoint(const __grid_constant__ WeightedInput in, const __grid_constant__ WeightedPlan plan) {
  extern __shared__ uint4 memory[];
  uint32_t *const tables = reinterpret_cast<uint32_t *>(memory);
  using Of = Block<type, squares, wide, listed>;
  const Of block(in, plan, tables);
  // The same for all threads.
  if (block.length == 0) return;

  typename Of::Own unit[Of::inFlight];
  // On their way while the tables are cleared.
#pragma unroll
  for (uint32_t i = 0; i < Of::inFlight; i++) block.load(unit[i], threadIdx.x + i * plan.threads);
  for (uint32_t i = threadIdx.x; i < plan.sharedBytes / wordBytes; i += plan.threads) tables[i] = 0;
  __syncthreads();

  const uint32_t rows = block.features * plan.binsPerPass;
  const uint32_t replicas = plan.replicas;
  // Of sums of 32 bits: this thread's part of its row's totals.
  long long sum = 0, square = 0;
  const auto flush = [&] {
    // The tables were changed behind the compiler's back.
    asm volatile("" ::: "memory");
    __syncthreads();
    const Share share(rows, replicas);
    if (share.row < rows) {
      uint32_t *const cell = tables + share.row * Of::planes * replicas;
#pragma unroll 4
      for (uint32_t i = 0; i < share.steps; i++) {
        const uint32_t at = share.replica(i);
        uint32_t *const of = cell + Of::sumPlane * replicas + at;
        sum += static_cast<int32_t>(*of);
        *of = 0;
        if constexpr (squares) {
          uint32_t *const squared = cell + Of::squarePlane * replicas + at;
          square += static_cast<int32_t>(*squared);
          *squared = 0;
        }
      }
    }
    __syncthreads();
    asm volatile("" ::: "memory");
  };

  // All threads make as many rounds, so that they meet at the flushes.
  const uint32_t roundUnits = Of::inFlight * plan.threads;
  const uint32_t flushRounds = wide ? 0 : static_cast<uint32_t>(plan.flushDocuments / (unitDocuments * roundUnits));
  uint32_t left = flushRounds;
  for (uint32_t begin = 0; begin < block.units; begin += roundUnits) {
    if constexpr (!wide) {
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
      const typename Of::Own now = unit[i];
      block.load(unit[i], at + roundUnits);
      if (at < block.units) block.add(now, block.length - at * unitDocuments);
    }
  }

  if constexpr (!wide) {
    flush();
    const Share share(rows, replicas);
    uint32_t count = 0;
    if (share.row < rows) {
      const uint32_t *const cell = tables + share.row * Of::planes * replicas;
      for (uint32_t i = 0; i < share.steps; i++) count += cell[share.replica(i)];
    }
    count = share.together(count);
    sum = share.together(sum);
    if constexpr (squares) square = share.together(square);
    if (share.turn == 0 && share.row < rows && block.has(share.row)) {
      addTotal(block.total(share.row, 0), count);
      addTotal(block.total(share.row, 1), static_cast<Count>(sum));
      if constexpr (squares) addTotal(block.total(share.row, 2), static_cast<Count>(square));
    }
  } else {
    asm volatile("" ::: "memory");
    __syncthreads();
    for (uint32_t row = threadIdx.x; row < rows; row += plan.threads) {
      if (!block.has(row)) continue;
      const uint32_t *const cell = tables + row * Of::planes * replicas;
      uint32_t count = 0;
      for (uint32_t i = 0; i < replicas; i++) {
        const uint32_t *const of = cell + ((i + row) & (replicas - 1));
        const auto wideAt = [&](uint32_t plane) {
          return static_cast<long long>(Count{of[(plane + 1) * replicas]} << 32) + of[plane * replicas];
        };
        count += of[0];
        sum += wideAt(Of::sumPlane);
        if constexpr (squares) square += wideAt(Of::squarePlane);
      }
      addTotal(block.total(row, 0), count);
      addTotal(block.total(row, 1), static_cast<Count>(sum));
      if constexpr (squares) addTotal(block.total(row, 2), static_cast<Count>(square));
      sum = square = 0;
    }
  }
}

template <ValueType type, bool squares, bool wide, bool listed>
cudaError_t launch(const WeightedInput &in, const WeightedPlan &plan, cudaStream_t stream) {
  const auto kernel = sumFixedPoint<type, squares, wide, listed>;
  const cudaError_t refused = allowShared(reinterpret_cast<const void *>(kernel), plan.threads, plan.sharedBytes);
  if (refused != cudaSuccess) return refused;
  const dim3 grid((in.count + plan.featuresPerBlock - 1) / plan.featuresPerBlock, plan.segments, plan.passes);
  kernel<<<grid, plan.threads, plan.sharedBytes, stream>>>(in, plan);
  return cudaGetLastError();
}

template <ValueType type, bool wide>
cudaError_t launchFor(const WeightedInput &in, const WeightedPlan &plan, cudaStream_t stream) {
  if (plan.squares) {
    return in.list != nullptr ? launch<type, true, wide, true>(in, plan, stream)
                              : launch<type, true, wide, false>(in, plan, stream);
  }
  return in.list != nullptr ? launch<type, false, wide, true>(in, plan, stream)
                            : launch<type, false, wide, false>(in, plan, stream);
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
