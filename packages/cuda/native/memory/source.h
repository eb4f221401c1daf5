// The place of samples, and the copy of their bytes to page-locked memory.
#pragma once
#include <cstdint>

#include "generated/messages.h"

namespace polybin {

/** Returns a source of bytes as one row. */
Source rowOf(const uint8_t *data, size_t bytes);

/** Returns whether an address lies in page-locked memory. */
bool isPinned(const void *);

/** Returns whether the pixels are host memory that the device can copy directly. */
bool isPinnedAndDense(const Source &);

/**
 * Copies `bytes` bytes, from byte `first` of the dense pixels on.
 * @throws Failure ERR_INPUT if a file ends too early
 */
void fill(const Source &, uint64_t first, uint64_t bytes, uint8_t *to);

}  // namespace polybin
