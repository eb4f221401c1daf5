// Uploads a lowering's arrays to the device.
#pragma once
#include "generated/messages.h"
#include "kernels/polybin.cuh"
#include "memory/buffer.h"

namespace polybin {

/** The device memory of a lowering's arrays. */
class LoweringArrays {
 public:
  /** Uploads the arrays next to each other. They are valid when the stream has finished the copies. @throws Failure */
  Lowering toDevice(const HostLowering &, cudaStream_t);
  void release() { memory_.release(); }

 private:
  Buffer memory_;
};

}  // namespace polybin
