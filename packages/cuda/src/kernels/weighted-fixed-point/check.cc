// Checks that weighted-fixed-point stays within its own tables and totals.
#include "generated/kernels/weighted-fixed-point.cuh"
#include "generated/limits.cuh"
#include "generated/structs.cuh"
#include "platform/expect.h"

namespace polybin {

void checkWeightedFixedPoint(const WeightedPlan &of) {
  within("plan.featuresPerBlock", of.featuresPerBlock, 1, limits::FEATURES_PER_BLOCK);
  exactly("plan.fast", of.fast, 0);
  exactly("plan.subHistogramBytes", of.subHistogramBytes, 0);
  expect(isPower(of.replicas), "plan.replicas", "a power of two", of.replicas);
  if (of.wide) {
    exactly("plan.type", static_cast<uint32_t>(of.type), static_cast<uint32_t>(ValueType::u16));
  } else {
    const uint32_t round = limits::WEIGHTED_IN_FLIGHT * limits::WEIGHTED_UNIT * of.threads;
    within("plan.flushDocuments", of.flushDocuments, round, ~0ull);
    within("plan.binsPerPass", Wide{of.featuresPerBlock} * of.binsPerPass, 1, Wide{limits::WEIGHTED_ROWS} * of.threads);
  }
  const uint32_t planes = of.counts + (of.wide ? 2 : 1) * (1 + of.squares);
  const Wide words = Wide{of.featuresPerBlock} * of.binsPerPass * of.replicas * planes;
  within("plan.sharedBytes", of.sharedBytes, words * limits::WORD_BYTES, UINT32_MAX);
}

}  // namespace polybin
