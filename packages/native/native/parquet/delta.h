// Integers as differences (Parquet's DELTA_BINARY_PACKED).
#pragma once
#include "hybrid.h"

namespace polybin {

/** Reads integers of 32 or 64 bits, whose sums wrap around. @returns whether the page states exactly `count` of them */
template <typename T>
bool readDeltas(Cursor &, size_t count, T *to);

}  // namespace polybin
