// weighted-collision-reduced: like weighted-collision, but each thread first gathers own.buffer documents in a buffer
// of its own, where equal values become one. Their place depends on the value and the thread. Then the threads add one
// unit of their buffers after another, all at the same time. Equal values of different threads lie in different units,
// so the threads seldom meet (Xu et al., 4.4, Algorithm 2, Figure 3).
//
//   dynamic shared memory   B = own.buffer, T = plan.threads
//     u32 units[B][T]       bin in the upper 16 bits, count in the lower; 0: free
//     sums[B][T]            sum of the unit's weights, integers or floats
//     squares[B][T]         only with squares
//     then                  the table of shared-table.cuh
//
//   thread: takes B documents, several at a time (kernels/segment.cuh); then it adds its buffer
//
// With sub-histograms (merge.cuh), a block has one filling of its buffers. It stores its table and touches no totals.
//
// A unit adds at most B integers, far fewer than 32 bits can hold.
//
// Bound: the steps of a document through the buffer, about ten instructions and three words read and written. The
// atomics are those of weighted-collision, for fewer documents.
#include "generated/kernels/weighted-collision-reduced.cuh"
#include "kernels/shared-table.cuh"
#include "merge.cuh"

namespace polybin {
namespace {

/** The remainder of a number below 2^16 by a number up to 64. It uses a multiplication instead of a division. */
class Remainder {
 public:
  __device__ __forceinline__ explicit Remainder(uint32_t by) : by_(by), inverse_(((1u << shift) + by - 1) / by) {}
  __device__ __forceinline__ uint32_t of(uint32_t value) const {
    return value - by_ * static_cast<uint32_t>(uint64_t{value} * inverse_ >> shift);
  }

 private:
  // The inverse is too large by less than 1: value * 1 / 2^shift stays below 1 / by, which is the smallest error that
  // matters.
  static constexpr uint32_t shift = 31;
  uint32_t by_, inverse_;
};

/** The buffer of one thread. */
template <typename Of>
class Buffer {
 public:
  using Weight = typename Of::Weight;

  __device__ __forceinline__ Buffer(uint32_t *words, const WeightedPlan &plan, uint32_t size)
      : units_(words + threadIdx.x),
        threads_(plan.threads),
        plane_(size * plan.threads),
        size_(size),
        remainder_(size),
        turn_(remainder_.of(threadIdx.x)) {}

  __device__ __forceinline__ void clear() const {
    for (uint32_t i = 0; i < size_; i++) units_[i * threads_] = 0;
  }

  /** There is always a free unit for a new value, because no more documents arrive than there are units. */
  __device__ __forceinline__ void gather(uint32_t bin, Weight weight, Weight square) const {
    uint32_t place = remainder_.of(bin) + turn_;
    if (place >= size_) place -= size_;
    uint32_t *unit = units_ + place * threads_;
    while (countOf(*unit) > 0 && binOf(*unit) != bin) {
      place = place + 1 < size_ ? place + 1 : 0;
      unit = units_ + place * threads_;
    }
    auto *const sum = reinterpret_cast<Weight *>(unit + plane_);
    if (countOf(*unit) == 0) {
      *unit = bin << limits::BUFFER_VALUE_SHIFT | 1;
      *sum = weight;
      if constexpr (Of::squares) sum[plane_] = square;
    } else {
      *unit += 1;
      *sum += weight;
      if constexpr (Of::squares) sum[plane_] += square;
    }
  }

  /** Adds one unit after another, with all lanes of a warp at the same time. */
  __device__ __forceinline__ void addTo(const SharedTable<Of> &table) const {
    for (uint32_t i = 0; i < size_; i++) {
      __syncwarp();
      const uint32_t *const unit = units_ + i * threads_;
      if (countOf(*unit) == 0) continue;
      const auto *const sum = reinterpret_cast<const Weight *>(unit + plane_);
      table.add(binOf(*unit), countOf(*unit), *sum, Of::squares ? sum[plane_] : 0);
    }
  }

 private:
  static __device__ __forceinline__ uint32_t countOf(uint32_t unit) { return unit & limits::U16_MAX; }
  static __device__ __forceinline__ uint32_t binOf(uint32_t unit) { return unit >> limits::BUFFER_VALUE_SHIFT; }

  uint32_t *units_;
  uint32_t threads_, plane_, size_;
  Remainder remainder_;
  uint32_t turn_;
};

template <typename Of, uint32_t most>
__global__ void __launch_bounds__(limits::BLOCK_THREADS_MAX)
    sumCollisionReduced(const __grid_constant__ WeightedInput in, const __grid_constant__ WeightedPlan plan,
                        const __grid_constant__ WeightedCollisionReduced own) {
  uint32_t *const shared = sharedWords();
  const Segment<Of> segment(in, plan);
  // This is the same for all threads.
  if (segment.length == 0) return;
  const Stopwatch watch(in);
  const Buffer<Of> buffer(shared, plan, own.buffer);
  const SharedTable<Of> table(shared + (Of::squares ? 3 : 2) * own.buffer * plan.threads, plan);
  table.clear();
  __syncthreads();
  inRounds(
      segment.length, own.buffer * plan.threads, plan.flushDocuments,
      [&](uint32_t begin, uint32_t left) {
        buffer.clear();
        // The thread takes several documents at a time, whose loads run together.
        for (uint32_t i = 0; i < own.buffer && i * plan.threads < left; i += own.unroll) {
          const uint32_t ahead = i * plan.threads;
          Batch<Of, most> batch;
          batch.read(segment, begin + ahead, left - ahead, min(own.unroll, own.buffer - i), own.words);
          batch.each(segment, [&](uint32_t bin, auto weight, auto square) { buffer.gather(bin, weight, square); });
        }
        buffer.addTo(table);
      },
      [&] {
        if (in.subHistograms == nullptr) table.flush(segment);
        else table.copy(subHistogramOf(in, plan));
      });
  watch.stop();
}

}  // namespace

cudaError_t weightedCollisionReduced(const WeightedInput &in, const WeightedPlan &plan, const WeightedCollisionReduced &own,
                                     cudaStream_t stream) {
  return forVariant(plan, [&](auto variant) {
    using Of = decltype(variant);
    const cudaError_t failed = forUnroll<limits::WEIGHTED_UNIT>(own.unroll, [&](auto most) {
      return launchSums(sumCollisionReduced<Of, decltype(most)::value>, in, plan, stream, own);
    });
    return failed == cudaSuccess && in.subHistograms != nullptr ? merge<Of>(in, plan, stream) : failed;
  });
}

}  // namespace polybin
