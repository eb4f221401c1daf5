// One table per block, to which all of its threads add with atomics.
//
//   planes of plan.binsPerPass words each:   count, sum, square                                     floats
//                                            count, sum, its upper word, square, its upper word     integers
//
// Without plan.counts there is no first plane. A sum of integers has two words, so nothing overflows: the addition to
// the lower word returns the previous value, which shows whether it wrapped. Floats are flushed in time.
#pragma once
#include "segment.cuh"

namespace polybin {

/** Additions that no other thread can come between. */
struct Atomics {
  template <typename T>
  static __device__ __forceinline__ T add(T *to, T amount) {
    return atomicAdd(to, amount);
  }
};

/** `Adds` is Atomics, except in a benchmark that measures their cost. */
template <typename Of, typename Adds = Atomics>
class SharedTable {
 public:
  using Weight = typename Of::Weight;

  __device__ __forceinline__ SharedTable(uint32_t *words, const WeightedPlan &plan)
      : words_(words), bins_(plan.binsPerPass), counts_(plan.counts) {}

  /** Clears the table with all threads. They may add after the next barrier. */
  __device__ __forceinline__ void clear() const {
    for (uint32_t i = threadIdx.x; i < planes() * bins_; i += blockDim.x) words_[i] = 0;
  }

  __device__ __forceinline__ void add(uint32_t bin, uint32_t count, Weight weight, Weight square) const {
    if (counts_) Adds::add(words_ + bin, count);
    addTo(sumOf(bin), weight);
    if constexpr (Of::squares) addTo(squareOf(bin), square);
  }

  /** Copies the table to device memory with all threads, after a barrier. */
  __device__ __forceinline__ void copy(uint32_t *to) const {
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < planes() * bins_; i += blockDim.x) to[i] = words_[i];
  }

  /** Adds the table to the totals and clears it, with all threads, between two barriers. */
  __device__ __forceinline__ void flush(const Segment<Of> &of) const {
    __syncthreads();
    for (uint32_t bin = threadIdx.x; bin < of.bins; bin += blockDim.x) {
      const uint32_t count = counts_ ? words_[bin] : 0;
      if (counts_) words_[bin] = 0;
      const Total sum = take(sumOf(bin));
      of.addTotals(bin, count, sum, Of::squares ? take(squareOf(bin)) : 0);
    }
    __syncthreads();
  }

 private:
  using Total = typename Of::Total;
  static constexpr uint32_t planesOfSum = Of::fast ? 1 : 2;

  __device__ __forceinline__ uint32_t planes() const { return counts_ + planesOfSum * (1 + Of::squares); }
  __device__ __forceinline__ uint32_t *sumOf(uint32_t bin) const { return words_ + (counts_ ? bins_ : 0) + bin; }
  __device__ __forceinline__ uint32_t *squareOf(uint32_t bin) const { return sumOf(bin) + planesOfSum * bins_; }

  /** This is a loop of compare-and-swap, because shared memory has no float addition. */
  __device__ __forceinline__ void addTo(uint32_t *word, float amount) const {
    Adds::add(reinterpret_cast<float *>(word), amount);
  }

  __device__ __forceinline__ void addTo(uint32_t *word, int32_t amount) const {
    const auto bits = static_cast<uint32_t>(amount);
    const uint32_t before = Adds::add(word, bits);
    // The word wrapped, or borrowed. This is rare if all weights have one sign.
    if (amount >= 0 ? before + bits < before : before < 0u - bits) Adds::add(word + bins_, amount >= 0 ? 1u : ~0u);
  }

  /** Returns a sum and sets it to 0. */
  __device__ __forceinline__ Total take(uint32_t *word) const {
    Total sum;
    if constexpr (Of::fast) {
      sum = *reinterpret_cast<float *>(word);
    } else {
      sum = static_cast<long long>(Count{word[bins_]} << 32) + word[0];
      word[bins_] = 0;
    }
    *word = 0;
    return sum;
  }

  uint32_t *words_;
  uint32_t bins_;
  bool counts_;
};

}  // namespace polybin
