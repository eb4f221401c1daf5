// Memory that a call needs and the next call may use again.
#pragma once
#include <cstddef>

namespace polybin {

/** Device or page-locked memory that grows when more is asked for. */
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
   * At least `bytes`; what was in it is lost where it grows. Where there is not so much memory it holds none
   * afterwards. @throws Failure
   */
  void *reserve(size_t bytes);
  /** The memory of the last `reserve`. */
  void *memory() const { return memory_; }
  size_t bytes() const { return bytes_; }
  /** Harmless where the device is lost. */
  void release();

 private:
  Where where_;
  void *memory_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace polybin
