// The samples of a part. Aligned ones are loaded as vectors of 16 bytes. The samples before and behind them, or all of
// them, are read one at a time.
//
//   a run       |..xx|xxxx|xxxx|x...|     head, vectors, tail
//   a tile      |xxxx xxxx|               rows of whole vectors
//               |xxxx xxxx|
#pragma once
#include "kernels/sample.cuh"
#include "parts.cuh"

namespace polybin {
namespace {

template <typename Bits>
class PartSamples {
 public:
  /** The number of samples of a vector. */
  static constexpr uint32_t many = perVector<Bits>;

  __device__ __forceinline__ PartSamples(const Pixels &pixels, const Segments &of, uint32_t channel, Part part, uint32_t threads)
      : samples_(static_cast<const Bits *>(pixels.data)), interleaved_(pixels.interleaved), channel_(channel),
        there_(pixels.count), part_(part) {
    part_.clip(of, there_);
    const uint64_t left = part_.end - part_.first;
    // If there is less than one vector per thread, reading samples one at a time is faster.
    if (interleaved_ != 1 || left < uint64_t{many} * threads) return;
    if (part_.width == 0) {
      head_ = static_cast<uint32_t>(0 - (part_.start + part_.first)) % many;
      vectors_ = (left - head_) / many;
    } else if (of.whole && (part_.width | part_.pitch | part_.start | part_.first) % many == 0 && part_.end <= limits::U32_MAX) {
      vectors_ = left / many;
    }
  }

  /** The number of vectors. The remaining samples are read one at a time. */
  __device__ __forceinline__ uint64_t vectors() const { return vectors_; }
  __device__ __forceinline__ uint4 vector(uint64_t i) const {
    return streamed(reinterpret_cast<const uint4 *>(samples_ + part_.pixel(part_.first + head_ + i * many)));
  }

  /**
   * The number of single samples: all of the part, or those before and behind the vectors, which are fewer than two
   * vectors.
   */
  __device__ __forceinline__ uint64_t singles() const {
    return part_.end - part_.first - vectors_ * many;
  }
  /** Reads one of them. False: it is not available. */
  __device__ __forceinline__ bool single(uint64_t i, Bits &bits) const {
    const uint64_t at = part_.pixel(part_.first + (i < head_ ? i : i + vectors_ * many));
    if (at >= there_) return false;
    bits = __ldg(samples_ + at * interleaved_ + channel_);
    return true;
  }

 private:
  const Bits *samples_;
  uint32_t interleaved_, channel_, head_ = 0;
  uint64_t there_, vectors_ = 0;
  Part part_;
};

/** The number of loads that a thread has in flight. */
constexpr uint32_t inFlight = limits::WORD_BYTES;

/** Calls `use` for this thread's vectors from `from` to `end` of a part. */
template <typename Of, typename Use>
__device__ __forceinline__ void eachVector(const Of &of, uint64_t from, uint64_t end, uint32_t thread, uint32_t threads, Use use) {
  for (uint64_t at = from + thread; at < end; at += uint64_t{inFlight} * threads) {
    uint4 vector[inFlight];
#pragma unroll
    for (uint32_t i = 0; i < inFlight; i++) {
      if (at + i * threads < end) vector[i] = of.vector(at + i * threads);
    }
#pragma unroll
    for (uint32_t i = 0; i < inFlight; i++) {
      if (at + i * threads < end) use(vector[i]);
    }
  }
}

/** The same for single samples. */
template <typename Bits, typename Use>
__device__ __forceinline__ void eachSingle(const PartSamples<Bits> &of, uint64_t from, uint64_t end, uint32_t thread, uint32_t threads, Use use) {
  for (uint64_t at = from + thread; at < end; at += uint64_t{inFlight} * threads) {
    Bits bits[inFlight];
    bool there[inFlight];
#pragma unroll
    for (uint32_t i = 0; i < inFlight; i++) there[i] = at + i * threads < end && of.single(at + i * threads, bits[i]);
#pragma unroll
    for (uint32_t i = 0; i < inFlight; i++) {
      if (there[i]) use(bits[i]);
    }
  }
}

}  // namespace
}  // namespace polybin
