#include "total.h"

#include "platform/failure.h"

namespace polybin {

Count *Total::onDevice(cudaStream_t stream) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!isThere()) {
    const size_t bytes = size * sizeof(Count);
    try {
      memory_.reserve(bytes);
      check(cudaMemsetAsync(memory_.memory(), 0, bytes, stream), "cudaMemset");
      check(cudaStreamSynchronize(stream), "cudaMemset");
    } catch (...) {
      memory_.release();
      throw;
    }
  }
  return static_cast<Count *>(memory_.memory());
}

}  // namespace polybin
