#include "buffer.h"

#include "failure.h"

namespace polybin {

void *Buffer::reserve(size_t bytes) {
  if (bytes <= bytes_) return memory_;
  release();
  void *memory = nullptr;
  check(where_ == Where::host ? cudaHostAlloc(&memory, bytes, cudaHostAllocDefault) : cudaMalloc(&memory, bytes),
        "an allocation");
  memory_ = memory;
  bytes_ = bytes;
  return memory_;
}

void Buffer::release() {
  if (memory_) where_ == Where::host ? cudaFreeHost(memory_) : cudaFree(memory_);
  memory_ = nullptr;
  bytes_ = 0;
}

}  // namespace polybin
