// Checks of the documents that a thread of Xu et al.'s kernels fetches before it adds them (segment.cuh).
#pragma once
#include "generated/limits.cuh"
#include "generated/structs.cuh"
#include "platform/expect.h"

namespace polybin {

/** Whole words, if a thread fetches words, and not more than may be added before a flush. */
inline void checkFetch(const WeightedPlan &of, bool words, const char *name, uint32_t documents) {
  const uint32_t perWord = of.type == ValueType::u16 ? 2 : (of.type == ValueType::u8 ? 4 : 8);
  if (words) exactly(name, documents % perWord, 0);
  if (of.flushDocuments != 0) within("plan.flushDocuments", of.flushDocuments, Wide{documents} * of.threads, ~Wide{0});
}

}  // namespace polybin
