// Counts that stay on the device until they are requested.
#pragma once
#include <mutex>

#include "kernels/polybin.cuh"
#include "memory/buffer.h"
#include "platform/cuda-errors.h"

namespace polybin {

/** Sums of a job's counts in 64 bits. They are zero at first and after each time they are taken. */
class Total {
 public:
  explicit Total(uint32_t size) : size(size) {}
  /** Whether `onDevice` has been called. */
  bool isThere() const { return memory_.bytes() > 0; }
  /**
   * The address of the counts, valid on any stream. The first call allocates them on the current device and waits for
   * it. @throws Failure
   */
  Count *onDevice(cudaStream_t stream) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (isThere()) return static_cast<Count *>(memory_.memory());
    try {
      void *const counts = memory_.reserve(size * sizeof(Count));
      check(cudaMemsetAsync(counts, 0, size * sizeof(Count), stream), "cudaMemset");
      check(cudaStreamSynchronize(stream), "cudaMemset");
      return static_cast<Count *>(counts);
    } catch (...) {
      memory_.release();
      throw;
    }
  }

  /** The number of counts of all channels. */
  const uint32_t size;

 private:
  std::mutex mutex_;
  Buffer memory_;
};

}  // namespace polybin
