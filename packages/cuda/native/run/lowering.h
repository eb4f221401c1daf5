// A lowering's arrays on their way to the device.
#pragma once
#include <vector>

#include "generated/messages.h"
#include "kernels/polybin.cuh"
#include "memory/buffer.h"

namespace polybin {

/** The arrays of the last lowering, which the next call mostly asks for again: what is there is not copied again. */
class LoweringArrays {
 public:
  /** The lowering with its arrays in device memory. @throws Failure */
  Lowering toDevice(const HostLowering &, cudaStream_t);
  void release();

 private:
  /** Copies of the arrays, one behind the other as they lie on the device. */
  std::vector<uint32_t> held_;
  Buffer memory_;
};

}  // namespace polybin
