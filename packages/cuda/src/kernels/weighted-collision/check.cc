// Checks that weighted-collision stays within its own table.
#include "generated/kernels/weighted-collision.cuh"
#include "generated/limits.cuh"
#include "kernels/block-words.h"
#include "kernels/fetch.h"
#include "platform/expect.h"

namespace polybin {

void checkWeightedCollision(const WeightedPlan &of, const WeightedCollision &own) {
  exactly("plan.featuresPerBlock", of.featuresPerBlock, 1);
  exactly("plan.subHistogramBytes", of.subHistogramBytes, 0);
  checkFetch(of, own.words, "own.unroll", own.unroll);
  within("plan.sharedBytes", of.sharedBytes, blockWords(of) * limits::WORD_BYTES, UINT32_MAX);
}

}  // namespace polybin
