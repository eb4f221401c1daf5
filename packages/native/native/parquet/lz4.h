// LZ4's block format.
#pragma once
#include <cstddef>
#include <cstdint>

namespace polybin {

/** Decompresses a block of exactly `size` bytes. @returns whether it is one. Nothing else is written or read */
bool readLz4(const uint8_t *from, size_t bytes, uint8_t *to, size_t size);

}  // namespace polybin
