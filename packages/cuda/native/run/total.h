// Counts that stay on the device until they are asked for.
#pragma once
#include <mutex>

#include "kernels/polybin.cuh"
#include "memory/buffer.h"

namespace polybin {

/** Sums of a job's counts, in 64 bits; zeroes at first, and again whenever they were taken. */
class Total {
 public:
  explicit Total(uint32_t size) : size(size) {}
  /** Has `onDevice` been called? */
  bool isThere() const { return memory_.bytes() > 0; }
  /** Where they lie, for any stream; the first time it makes room on the current device and waits for it. @throws Failure */
  Count *onDevice(cudaStream_t);

  /** Counts of all channels. */
  const uint32_t size;

 private:
  std::mutex mutex_;
  Buffer memory_;
};

}  // namespace polybin
