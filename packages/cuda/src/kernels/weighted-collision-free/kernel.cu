// weighted-collision-free: one histogram per thread, so that no two threads meet (Xu et al., 4.2, Figure 1, Table 5).
//
//   dynamic shared memory     T = threads; the bins of a pass in pairs
//     u32 counts[pairs][T]    16 bits each, the even bin in the lower half; absent without plan.counts
//     sums[2 * pairs][T]      32 bits, integers or floats: a bin's words of neighbouring threads lie in neighbouring banks
//     squares[2 * pairs][T]   only with squares
//
//   thread: takes own.unroll documents at a time (kernels/segment.cuh)
//
// Neither counters nor sums overflow. All are flushed after plan.flushDocuments, before a thread has more documents
// than its weights were scaled for.
//
// Bound: two words read and written in shared memory per document. A thread cannot read a bin before it has written the
// last one, so with many bins, when few threads fit, this latency is the bound.
#include "generated/kernels/weighted-collision-free.cuh"
#include "kernels/segment.cuh"

namespace polybin {
namespace {

template <typename Of>
class Tables {
 public:
  using Weight = typename Of::Weight;

  __device__ __forceinline__ Tables(uint32_t *words, const WeightedPlan &plan)
      : threads_(plan.threads),
        pairs_((plan.binsPerPass + 1) / 2),
        counts_(plan.counts),
        words_(words),
        sums_(words + (plan.counts ? pairs_ * threads_ : 0)) {}

  /** Each thread clears its own table. */
  __device__ __forceinline__ void clear() const {
    const uint32_t rows = (counts_ ? pairs_ : 0) + 2 * pairs_ * (1 + Of::squares);
    for (uint32_t i = 0; i < rows; i++) words_[i * threads_ + threadIdx.x] = 0;
  }

  __device__ __forceinline__ void add(uint32_t bin, uint32_t count, Weight weight, Weight square) const {
    Weight *const sum = reinterpret_cast<Weight *>(sums_) + bin * threads_ + threadIdx.x;
    Weight *const squared = sum + 2 * pairs_ * threads_;
    // All are read before the first is written. The compiler cannot know that they differ, and would wait for each.
    const Weight sumBefore = *sum, squareBefore = Of::squares ? *squared : 0;
    if (counts_) words_[bin / 2 * threads_ + threadIdx.x] += count << bin % 2 * 16;
    *sum = sumBefore + weight;
    if constexpr (Of::squares) *squared = squareBefore + square;
  }

  /**
   * Adds all threads' tables to the totals and clears them. If there are more threads than pairs of bins, neighbouring
   * lanes share a pair. Each lane begins at another bank.
   */
  __device__ __forceinline__ void flush(const Segment<Of> &of) const {
    __syncthreads();
    uint32_t sharers = 1;
    while (sharers < limits::WARP_THREADS && 2 * sharers * pairs_ <= threads_) sharers *= 2;
    const uint32_t turn = threadIdx.x % sharers, steps = threads_ / sharers;
    // All lanes of a warp make the same number of rounds, because they meet in `together`.
    for (uint32_t round = 0; round < pairs_; round += threads_ / sharers) {
      const uint32_t pair = round + threadIdx.x / sharers;
      const bool has = pair < pairs_;
      uint32_t counts[2] = {};
      Total sums[2] = {}, squares[2] = {};
      uint32_t step = pair % steps;
      for (uint32_t i = 0; has && i < steps; i++) {
        const uint32_t thread = turn + sharers * step;
        step = step + 1 < steps ? step + 1 : 0;
        if (counts_) {
          uint32_t *const word = words_ + pair * threads_ + thread;
          counts[0] += *word & limits::U16_MAX;
          counts[1] += *word >> 16;
          *word = 0;
        }
#pragma unroll
        for (uint32_t odd = 0; odd < 2; odd++) {
          Weight *const sum = reinterpret_cast<Weight *>(sums_) + (2 * pair + odd) * threads_ + thread;
          sums[odd] += *sum;
          *sum = 0;
          if constexpr (Of::squares) {
            squares[odd] += sum[2 * pairs_ * threads_];
            sum[2 * pairs_ * threads_] = 0;
          }
        }
      }
#pragma unroll
      for (uint32_t odd = 0; odd < 2; odd++) {
        const uint32_t count = together(counts[odd], sharers);
        const Total sum = together(sums[odd], sharers);
        const Total square = Of::squares ? together(squares[odd], sharers) : 0;
        // The last pair of a window may have only one bin.
        const uint32_t bin = 2 * pair + odd;
        if (has && turn == 0 && bin < of.bins) of.addTotals(bin, count, sum, square);
      }
    }
    __syncthreads();
  }

 private:
  using Total = typename Of::Total;

  /** Returns the sum over the lanes that share a pair, in each of them. */
  template <typename T>
  static __device__ __forceinline__ T together(T own, uint32_t sharers) {
    for (uint32_t by = sharers / 2; by > 0; by /= 2) own += __shfl_xor_sync(~0u, own, by);
    return own;
  }

  uint32_t threads_, pairs_;
  bool counts_;
  uint32_t *words_, *sums_;
};

template <typename Of, uint32_t most>
__global__ void __launch_bounds__(limits::COLLISION_FREE_WARPS *limits::WARP_THREADS)
    sumCollisionFree(const __grid_constant__ WeightedInput in, const __grid_constant__ WeightedPlan plan,
                     const __grid_constant__ WeightedCollisionFree own) {
  const Segment<Of> segment(in, plan);
  // This is the same for all threads.
  if (segment.length == 0) return;
  const Stopwatch watch(in);
  const Tables<Of> tables(sharedWords(), plan);
  tables.clear();
  inRounds(
      segment.length, own.unroll * plan.threads, plan.flushDocuments,
      [&](uint32_t begin, uint32_t left) {
        Batch<Of, most> batch;
        batch.read(segment, begin, left, own.unroll, own.words);
        // Adding 0 costs less than a branch around three additions.
        batch.all(segment, [&](uint32_t bin, uint32_t count, auto weight, auto square) {
          tables.add(bin, count, weight, square);
        });
      },
      [&] { tables.flush(segment); });
  watch.stop();
}

}  // namespace

cudaError_t weightedCollisionFree(const WeightedInput &in, const WeightedPlan &plan, const WeightedCollisionFree &own,
                                  cudaStream_t stream) {
  return forVariant(plan, [&](auto variant) {
    return forUnroll<limits::UNROLL_MAX>(own.unroll, [&](auto most) {
      return launchSums(sumCollisionFree<decltype(variant), decltype(most)::value>, in, plan, stream, own);
    });
  });
}

}  // namespace polybin
