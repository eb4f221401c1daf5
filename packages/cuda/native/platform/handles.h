// Streams and events of a device, destroyed by their owner. That is not checked: a lost device answers with its error.
#pragma once
#include <memory>
#include <type_traits>

#include <cuda_runtime.h>

#include "cuda-errors.h"

namespace polybin {

struct Destroy {
  void operator()(cudaStream_t of) const { cudaStreamDestroy(of); }
  void operator()(cudaEvent_t of) const { cudaEventDestroy(of); }
};
using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Destroy>;
using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy>;

/** @throws Failure */
inline Stream newStream() {
  cudaStream_t of = nullptr;
  check(cudaStreamCreateWithFlags(&of, cudaStreamNonBlocking), "cudaStreamCreate");
  return Stream(of);
}

/** An event that measures times, or (cudaEventDisableTiming) only marks a place in a stream. @throws Failure */
inline Event newEvent(unsigned flags = cudaEventDefault) {
  cudaEvent_t of = nullptr;
  check(cudaEventCreateWithFlags(&of, flags), "cudaEventCreate");
  return Event(of);
}

}  // namespace polybin
