// Checks that weighted-collision-reduced stays within its own buffers and table.
#include "generated/kernels/weighted-collision-reduced.cuh"
#include "generated/limits.cuh"
#include "kernels/block-words.h"
#include "kernels/fetch.h"
#include "platform/expect.h"

namespace polybin {

void checkWeightedCollisionReduced(const WeightedPlan &of, const WeightedCollisionReduced &own) {
  exactly("plan.featuresPerBlock", of.featuresPerBlock, 1);
  checkFetch(of, own.words, "own.buffer", own.buffer);
  checkFetch(of, own.words, "own.unroll", own.unroll);
  const Wide words = Wide{of.threads} * own.buffer * (2 + of.squares) + blockWords(of);
  if (of.subHistogramBytes != 0) {
    exactly("plan.subHistogramBytes", of.subHistogramBytes, blockWords(of) * limits::WORD_BYTES);
    // Blocks do not flush.
    within("plan.segmentDocuments", of.segmentDocuments, 1, of.flushDocuments == 0 ? ~Wide{0} : Wide{of.flushDocuments});
  }
  within("plan.sharedBytes", of.sharedBytes, words * limits::WORD_BYTES, UINT32_MAX);
}

}  // namespace polybin
