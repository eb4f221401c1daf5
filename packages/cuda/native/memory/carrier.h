// Bringing words of the device home: beside what the device does, through page-locked memory where they are not to go
// into such.
#pragma once
#include <cstdint>

#include <cuda_runtime.h>

#include "buffer.h"
#include "copiers.h"
#include "platform/arrays.h"

namespace polybin {

/** A stream of its own, and one load of words on its way. */
class Carrier {
 public:
  ~Carrier() { release(); }
  /**
   * Copies so many counts, of 32 bits or (wide) of 64, to where they belong in `to`, counted from its first number, as
   * soon as the work on `after` is done that has been queued by now. What is not page-locked the threads copy to, when it
   * is settled. @throws Failure
   */
  void bring(const void *counts, uint64_t many, bool wide, const Written &to, uint64_t at, cudaStream_t after,
             Copiers &);
  /** Waits until they are there. @throws Failure */
  void settle();
  /** Waits, and forgets what was on its way: nobody's memory is written to afterwards. */
  void drop();
  /** Harmless where the device is lost. */
  void release();

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t ready_ = nullptr;
  Buffer staging_{Buffer::Where::host};
  /** What lies in staging_ when the stream is done, and where it goes. */
  uint64_t staged_ = 0;
  bool wide_ = false;
  Written to_;
  Copiers *copiers_ = nullptr;
  bool isUnderWay_ = false;
};

}  // namespace polybin
