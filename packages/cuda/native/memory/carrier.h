// Copies words of the device to the host while the device works. It copies through page-locked memory if the
// destination is not page-locked.
#pragma once
#include <cstdint>

#include <cuda_runtime.h>

#include "buffer.h"
#include "copiers.h"
#include "platform/arrays.h"

namespace polybin {

/** A stream of its own, and one copy of words in flight. */
class Carrier {
 public:
  ~Carrier() { release(); }
  /**
   * Copies counts of 32 bits, or (wide) of 64, to their place in `to`, which counts in numbers. The copy starts when
   * the work already queued on `after` is done. If the destination is not page-locked, the threads copy to it when the
   * copy is settled.
   * @throws Failure
   */
  void bring(const void *counts, uint64_t many, bool wide, const Written &to, uint64_t at, cudaStream_t after,
             Copiers &);
  /** Waits until the counts have arrived. @throws Failure */
  void settle();
  /** Waits and drops the copy in flight: nothing is written to the caller's memory afterwards. */
  void drop();
  /** Does no harm if the device is lost. */
  void release();

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t ready_ = nullptr;
  Buffer staging_{Buffer::Where::host};
  /** What lies in staging_ when the stream is done, and its destination. */
  uint64_t staged_ = 0;
  bool wide_ = false;
  Written to_;
  Copiers *copiers_ = nullptr;
  bool isUnderWay_ = false;
};

}  // namespace polybin
