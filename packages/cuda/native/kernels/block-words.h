// What shared-table.cuh takes of a block's shared memory.
#pragma once
#include "generated/structs.cuh"
#include "platform/expect.h"

namespace polybin {

/** Words: a count, sums and squares a bin, of integers two each. */
inline Wide blockWords(const WeightedPlan &of) {
  return Wide{of.binsPerPass} * (of.counts + (of.fast ? 1 : 2) * (1 + of.squares));
}

}  // namespace polybin
