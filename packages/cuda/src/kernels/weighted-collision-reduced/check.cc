// Checks that weighted-collision-reduced stays within its own buffers and table.
#include "generated/kernels/weighted-collision-reduced.cuh"
#include "generated/limits.cuh"
#include "kernels/block-words.h"
#include "platform/expect.h"

namespace polybin {

void checkWeightedCollisionReduced(const WeightedPlan &of, const WeightedCollisionReduced &own) {
  exactly("plan.featuresPerBlock", of.featuresPerBlock, 1);
  const Wide words = Wide{of.threads} * own.buffer * (2 + of.squares) + blockWords(of);
  within("plan.sharedBytes", of.sharedBytes, words * limits::WORD_BYTES, UINT32_MAX);
}

}  // namespace polybin
