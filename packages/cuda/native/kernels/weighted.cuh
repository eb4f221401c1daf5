// The data that kernels of weighted sums receive in addition to core's plan (generated/structs.cuh, docs/internals/weighted-sums.md).
// A kernel receives a plan and a table on the device. It chooses no numbers and checks none.
#pragma once
#include <cstdint>

#include <cuda_runtime.h>

#include "polybin.cuh"

namespace polybin {

/** One feature to add up. */
struct WeightedFeature {
  /** Its row in the table. */
  uint32_t row;
  /** The value whose documents are skipped. noSkip: none are. */
  uint32_t skip;
};

/** No value has this number of bits. */
constexpr uint32_t noSkip = ~0u;

/** A table on the device, and what to add up from it. All arrays begin at a multiple of 16 bytes. */
struct WeightedInput {
  /** Row r begins at r * pitch, which is a multiple of 16 bytes. Bytes up to a whole vector follow it. */
  const uint8_t *values;
  uint64_t pitch;
  /** Number of documents to add up. */
  uint64_t documents;
  /** Their weights. For the precision "fast" they are the bits of floats, as are the squares. */
  const int32_t *weights;
  /** Null if they are not requested. */
  const int32_t *squares;
  /** The documents' indices. Null for all documents. */
  const uint32_t *list;
  const WeightedFeature *features;
  uint32_t count;
  /** Whether any feature has a value that is skipped. */
  bool skips;
  /**
   * For each feature: `bins` counts if the plan has them, the sums, and the squares if requested. The kernel adds to
   * them. Negative integers are complements. For the precision "fast" all three are doubles.
   */
  Count *totals;
  /** For each feature the cycles of its blocks, to which the kernel adds. Null if they are not requested. */
  Count *cycles;
  /** The sub-histograms of all blocks, which a second kernel merges. Null if the plan has none. */
  uint32_t *subHistograms;
};

}  // namespace polybin
