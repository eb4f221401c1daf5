#include "buffer.h"

#include "platform/memory.h"

namespace polybin {

void *Buffer::reserve(size_t bytes) {
  if (bytes <= bytes_) return memory_;
  release();
  memory_ = where_ == Where::host ? takeHost(bytes) : takeDevice(bytes);
  bytes_ = bytes;
  return memory_;
}

void Buffer::release() {
  where_ == Where::host ? giveHost(memory_) : giveDevice(memory_);
  memory_ = nullptr;
  bytes_ = 0;
}

}  // namespace polybin
