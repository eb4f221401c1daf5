// Memory that a call needs and the next call may use again.
#pragma once
#include <cstddef>

#include "platform/memory.h"

namespace polybin {

/** Device memory or page-locked memory that grows on request. */
class Buffer {
 public:
  enum class Where {
    device,
    host,
  };
  explicit Buffer(Where where = Where::device) : where_(where) {}
  ~Buffer() { release(); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  /**
   * Returns at least `bytes` bytes. Growing loses the content. If there is not enough memory, the buffer has none
   * afterwards.
   * @throws Failure
   */
  void *reserve(size_t bytes) {
    if (bytes <= bytes_) return memory_;
    release();
    memory_ = where_ == Where::host ? takeHost(bytes) : takeDevice(bytes);
    bytes_ = bytes;
    return memory_;
  }
  /** Returns the memory of the last `reserve`. */
  void *memory() const { return memory_; }
  size_t bytes() const { return bytes_; }
  /** Does no harm if the device is lost. */
  void release() {
    where_ == Where::host ? giveHost(memory_) : giveDevice(memory_);
    memory_ = nullptr;
    bytes_ = 0;
  }

 private:
  Where where_;
  void *memory_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace polybin
