// What is counted, and how: checked and lowered once, counted any number of times.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "kernels.h"
#include "lowering.h"

namespace polybin {

/** A prepared count. Its calls may run at once, each on a stream of its own. */
class Job {
 public:
  /** Keeps nothing of JavaScript's. @throws Failure */
  explicit Job(const CountShape &);
  Job(const Job &) = delete;

  /** The lowering with its arrays on the device, there for any stream; the first time it waits for them. @throws Failure */
  const Lowering &onDevice(cudaStream_t);
  /** Lets go of what is on the device; the next call brings it again. */
  void release();

  /** Counts of all channels: each one's cells, then underflow, overflow, NaN. */
  uint32_t size() const { return shape.wanted.channels.size * channelSize(); }
  uint32_t channelSize() const { return shape.plan.cells + limits::FLOW_ROWS; }
  /** Pixels of one launch at the most: whole vectors, so that the next one's are aligned. */
  uint64_t launchPixels() const;
  uint32_t pixelBytes() const { return pixelBytes_; }
  /** Do 32 bits hold what a call counts, and does the kernel add to such? */
  bool isNarrow(uint64_t pixels) const { return kernel.narrow && pixels <= limits::U32_MAX; }
  /** Raw samples of one channel are codes as they are. */
  bool areCodes() const { return shape.lowering.numbers.kind == Kind::raw && shape.wanted.interleaved == 1; }
  /** Bytes of counts as they come home. */
  size_t countBytes(bool narrow) const { return size_t{size()} * (narrow ? sizeof(uint32_t) : sizeof(Count)); }

 private:
  /** The arrays of `shape`. */
  std::vector<uint32_t> arrays_[4];

 public:
  const CountShape shape;
  const CountKernel &kernel;
  /** It was launched before: the driver has loaded what that takes. */
  std::atomic<bool> wasLaunched{false};

 private:
  const uint32_t pixelBytes_;
  std::mutex mutex_;
  LoweringArrays lowering_;
  Lowering onDevice_{};
  bool isThere_ = false;
};

}  // namespace polybin
