// The tables that are counted into, ready before they are needed.
#pragma once
#include <utility>

#include "buffer.h"
#include "kernels/polybin.cuh"

namespace polybin {

/**
 * Two tables that take turns: while a call counts into one, its launch zeroes the other for the call after it. So
 * nothing but the kernel has to be launched. What no launch zeroed is zeroed between two calls, or at the latest
 * when it is needed.
 */
class Tables {
 public:
  /** A table of `size` zeroes; it is this call's until `end`. @throws Failure */
  Count *begin(size_t size, cudaStream_t stream);
  /** The other table, for a launch to zero `size` counts of. */
  Count *next() const { return static_cast<Count *>(tables_[1 - now_].buffer.memory()); }
  /** The call's counts were brought back. `zeroed`: its launches zeroed the other table. @throws Failure */
  void end(bool zeroed, cudaStream_t stream);
  void release();

 private:
  struct Table {
    Buffer buffer;
    /** Counts at its beginning that may not be zero; those behind them are. */
    size_t used = 0;

    void reserve(size_t size, cudaStream_t stream);
    void zero(cudaStream_t stream);
  };

  Table tables_[2];
  int now_ = 0;
  /** Counts of the call that runs. */
  size_t size_ = 0;
};

}  // namespace polybin
