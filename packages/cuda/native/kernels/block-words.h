// The shared memory that shared-table.cuh takes in a block.
#pragma once
#include "generated/structs.cuh"
#include "platform/expect.h"

namespace polybin {

/** Returns the words: a count, sums and squares per bin. For integers, sums and squares have two words each. */
inline Wide blockWords(const WeightedPlan &of) {
  return Wide{of.binsPerPass} * (of.counts + (of.fast ? 1 : 2) * (1 + of.squares));
}

}  // namespace polybin
