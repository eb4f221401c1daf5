// Checks that weighted-collision stays within its own table.
#include "generated/kernels/weighted-collision.cuh"
#include "generated/limits.cuh"
#include "kernels/block-words.h"
#include "platform/expect.h"

namespace polybin {

void checkWeightedCollision(const WeightedPlan &of, const WeightedCollision &) {
  exactly("plan.featuresPerBlock", of.featuresPerBlock, 1);
  within("plan.sharedBytes", of.sharedBytes, blockWords(of) * limits::WORD_BYTES, UINT32_MAX);
}

}  // namespace polybin
