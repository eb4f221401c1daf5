// What kernels of weighted sums are handed beside core's plan (generated/structs.cuh, docs/weighted.md). A kernel is given
// a plan and a table on the device; it chooses no number and checks none.
#pragma once
#include <cstdint>

#include <cuda_runtime.h>

#include "polybin.cuh"

namespace polybin {

/** One feature that is added up. */
struct WeightedFeature {
  /** Its row in the table. */
  uint32_t row;
  /** Documents of this value are passed over; noSkip: none are. */
  uint32_t skip;
};

/** No value has so many bits. */
constexpr uint32_t noSkip = ~0u;

/** Documents that a thread loads at once: their integer weights are one 16-byte load. */
constexpr uint32_t unitDocuments = sizeof(int4) / sizeof(int32_t);

/** A table on the device, and what is to be added up of it. All arrays begin at a multiple of 16 bytes. */
struct WeightedInput {
  /** Row r begins at r * pitch, a multiple of 16 bytes, and is followed by as many bytes as whole vectors take. */
  const uint8_t *values;
  uint64_t pitch;
  /** Documents that are added up. */
  uint64_t documents;
  /** Their weights; of the precision "fast" the bits of floats, as are the squares. */
  const int32_t *weights;
  /** Null: not asked for. */
  const int32_t *squares;
  /** Which documents; null: all. */
  const uint32_t *list;
  const WeightedFeature *features;
  uint32_t count;
  /** Does any of them have a value that is passed over? */
  bool skips;
  /**
   * Added to: for each feature `bins` counts, if the plan has them, sums and, if asked for, squares. Of negative integers
   * the complement; of the precision "fast" all three are doubles.
   */
  Count *totals;
};

}  // namespace polybin
