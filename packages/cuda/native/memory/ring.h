// Page-locked memory that the calls in flight share.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "buffer.h"

namespace polybin {

/**
 * Places in page-locked memory that is mapped into the devices. They are returned in the order in which they were
 * taken.
 */
class Ring {
 public:
  struct Place {
    uint8_t *memory;
    /** For `giveTo`. */
    uint64_t end;
  };

  Ring() = default;
  ~Ring();
  Ring(const Ring &) = delete;
  Ring &operator=(const Ring &) = delete;

  /**
   * Makes room for many places of this number of bytes. No place may be taken. Earlier memory stays, because somebody
   * may still read it. @throws Failure
   */
  void reserve(size_t bytes);
  bool fits(size_t bytes) const { return bytes <= size_ / 2; }
  /** Takes the next place, at a multiple of 256 bytes. It is null if there is no room now. */
  Place take(size_t bytes);
  /** Returns all places up to this one. */
  void giveTo(uint64_t end) { given_ = end; }
  /** Returns all places. */
  void giveAll() { given_ = taken_; }

 private:
  std::vector<void *> memory_;
  uint64_t size_ = 0;
  /** Bytes that were ever taken and returned, including those that were skipped at the end. */
  uint64_t taken_ = 0, given_ = 0;
};

}  // namespace polybin
