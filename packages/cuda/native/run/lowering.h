// A lowering's arrays on their way to the device.
#pragma once
#include "generated/messages.h"
#include "kernels/polybin.cuh"
#include "memory/buffer.h"

namespace polybin {

/** Where the arrays of a lowering lie on the device. */
class LoweringArrays {
 public:
  /** Brings them, one behind the other; they are there once the stream is through. @throws Failure */
  Lowering toDevice(const HostLowering &, cudaStream_t);
  void release() { memory_.release(); }

 private:
  Buffer memory_;
};

}  // namespace polybin
