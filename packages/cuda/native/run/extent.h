// The smallest and the largest finite sample.
#pragma once
#include "generated/messages.h"
#include "kernels/polybin.cuh"
#include "memory/pieces.h"

namespace polybin {

/** Order-preserving keys of the finite minimum and maximum. min > max if there is no finite sample. */
struct Extent {
  Count min = ~0ull, max = 0;
};

/** `resident`: the address of the samples on the device, or null. `memory` is kept for the next call. @throws Failure */
Extent findExtent(const ExtentJob &, const uint8_t *resident, Pieces &, Buffer &memory);

}  // namespace polybin
