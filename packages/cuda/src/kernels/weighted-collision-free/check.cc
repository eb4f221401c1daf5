// Checks that weighted-collision-free stays within its own tables.
#include "generated/kernels/weighted-collision-free.cuh"
#include "generated/limits.cuh"
#include "generated/structs.cuh"
#include "kernels/fetch.h"
#include "platform/expect.h"

namespace polybin {

void checkWeightedCollisionFree(const WeightedPlan &of, const WeightedCollisionFree &own) {
  exactly("plan.featuresPerBlock", of.featuresPerBlock, 1);
  exactly("plan.subHistogramBytes", of.subHistogramBytes, 0);
  checkFetch(of, own.words, "own.unroll", own.unroll);
  const uint32_t planes = of.counts + 2 * (1 + of.squares);
  const Wide words = Wide{ceiling(of.binsPerPass, 2)} * of.threads * planes;
  within("plan.sharedBytes", of.sharedBytes, words * limits::WORD_BYTES, UINT32_MAX);
}

}  // namespace polybin
