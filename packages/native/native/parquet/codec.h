// The codecs of pages that compiled code reads.
#pragma once
#include <cstddef>
#include <cstdint>

#include "generated/border.h"

namespace polybin {

/** Decompresses a page of exactly `size` bytes. @returns whether it is one, and this program has its codec */
bool decompress(PageCodec, const uint8_t *from, size_t bytes, uint8_t *to, size_t size);

}  // namespace polybin
