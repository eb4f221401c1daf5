// A prepared count: checked and lowered once, counted any number of times.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "kernels.h"
#include "lowering.h"

namespace polybin {

/** A prepared count. Its calls may run at once, each on its own stream. */
class Job {
 public:
  /** @throws Failure */
  explicit Job(const CountShape &);
  Job(const Job &) = delete;

  /**
   * The lowering with its arrays on the device, valid on any stream. The first call waits for the copy. @throws Failure
   */
  const Lowering &onDevice(cudaStream_t);
  /** Frees the device memory. The next call uploads the arrays again. */
  void release();

  /** The number of counts of all channels. Each has its cells, then underflow, overflow, NaN. */
  uint32_t size() const { return shape.wanted.channels.size * channelSize(); }
  uint32_t channelSize() const { return shape.plan.cells + limits::FLOW_ROWS; }
  /**
   * The maximum number of pixels per launch. It is a multiple of a vector, so that the next launch's pixels are
   * aligned.
   */
  uint64_t launchPixels() const;
  uint32_t pixelBytes() const { return pixelBytes_; }
  /** Whether 32 bits hold a call's counts and the kernel can add to 32-bit counts. */
  bool isNarrow(uint64_t pixels) const { return kernel.narrow && pixels <= limits::U32_MAX; }
  /** Whether the samples are codes as they are: raw samples of one channel. */
  bool areCodes() const { return isRaw() && shape.wanted.interleaved == 1; }
  /** Whether the kernel reads the only column: 16-bit integers, each with a bin of its own. */
  bool readsColumn() const;
  /** How far a code is shifted to the right to find its cell. */
  uint32_t codeShift() const { return isRaw() ? shape.lowering.numbers.shift : 0; }
  /** The size in bytes of the counts that are copied to the host. */
  size_t countBytes(bool narrow) const { return size_t{size()} * (narrow ? sizeof(uint32_t) : sizeof(Count)); }

  const CountShape shape;
  const CountKernel &kernel;
  /** Whether the job was launched before, so that the driver has loaded its kernels. */
  std::atomic<bool> wasLaunched{false};

 private:
  bool isRaw() const { return shape.lowering.numbers.kind == Kind::raw; }

  const uint32_t pixelBytes_;
  std::mutex mutex_;
  LoweringArrays lowering_;
  Lowering onDevice_{};
  bool isThere_ = false;
};

}  // namespace polybin
