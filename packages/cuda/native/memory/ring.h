// Page-locked memory that calls under way share.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "buffer.h"

namespace polybin {

/** Places in page-locked memory, mapped into the devices, one behind the other: those taken first are given back first. */
class Ring {
 public:
  struct Place {
    uint8_t *memory;
    /** For `giveTo`. */
    uint64_t end;
  };

  /**
   * Makes room for places of so many bytes, many at a time; only where none is taken. What was there before stays until
   * `release`: somebody may still look at it. @throws Failure
   */
  void reserve(size_t bytes);
  bool fits(size_t bytes) const { return bytes <= size_ / 2; }
  /** The next place, at a multiple of 256 bytes; null: there is no room now. */
  Place take(size_t bytes);
  /** Gives all places back up to this one. */
  void giveTo(uint64_t end) { given_ = end; }
  /** Gives all of them back. */
  void giveAll() { given_ = taken_; }
  void release();

 private:
  std::vector<void *> memory_;
  uint64_t size_ = 0;
  /** Bytes that were ever taken and given back, those that were skipped at the end included. */
  uint64_t taken_ = 0, given_ = 0;
};

}  // namespace polybin
