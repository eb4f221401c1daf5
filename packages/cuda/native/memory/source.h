// Where samples are, and how their bytes come into page-locked memory.
#pragma once
#include <cstdint>

#include "generated/messages.h"

namespace polybin {

/** Bytes as one row. */
Source rowOf(const uint8_t *data, size_t bytes);

/** Does something lie in page-locked memory? */
bool isPinned(const void *);

/** Are the pixels host memory that the device can copy from as it is? */
bool isPinnedAndDense(const Source &);

/**
 * Copies `bytes` from byte `first` of the dense pixels on.
 * @throws Failure ERR_INPUT where a file ends too early
 */
void fill(const Source &, uint64_t first, uint64_t bytes, uint8_t *to);

}  // namespace polybin
