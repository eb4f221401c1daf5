// The data that kernels receive in addition to core's plan (generated/structs.cuh). A kernel receives a plan and
// samples on the device. It chooses no numbers and checks none.
#pragma once
#include <cstdint>

#include <cuda_runtime.h>

#include "generated/structs.cuh"

namespace polybin {

using Count = unsigned long long;

/** The lowering with its arrays in device memory. messages.ts describes them. */
struct Lowering : LoweringNumbers {
  uint32_t thresholds;
  const uint32_t *table, *low, *high, *starts;
};

/**
 * What happens to a table when all counts are in it. They are moved to memory that the host sees, or added to others
 * that stay on the device. The table is then zero again.
 */
struct Delivery {
  /** `size` counts of 64 bits, or of 32 bits if `narrow`. */
  Count *counts;
  uint32_t size;
  bool narrow;
  /** Mapped host memory for the counts. Null: they are added to `total`, which has counts of 64 bits. */
  void *home;
  Count *total;
  /** The number of blocks that have finished. It is 0 before and afterwards. */
  uint32_t *through;
  /** Mapped host memory that becomes `number` when everything is done. */
  uint32_t *flag;
  uint32_t number;
};

/** Dense pixels on the device, and the tables to add to: for each channel the counts of its cells, then 3 of flow. */
struct Pixels {
  /** The samples, at a multiple of 16 bytes. */
  const void *data;
  uint64_t count;
  /** Samples per pixel. */
  uint32_t interleaved;
  uint32_t channels;
  uint32_t channel[4];
  Count *counts;
  /**
   * Whether counts are words of 32 bits, which are half as long to add and to copy back. No channel of the whole call
   * may have more samples than a word holds.
   */
  bool narrow;
  /** The delivery by the last block. Without a flag it does not deliver. */
  Delivery delivery;
};

/**
 * Codes on the device: bytes, which are raw 8-bit samples or codes of few cells, or 32-bit words. A code whose cell is
 * `cells` or more is not counted.
 */
struct Codes {
  const void *data;
  uint64_t count;
  bool bytes;
  /** cell = code >> shift. It is not 0 if raw samples are counted by their upper bits. */
  uint32_t shift;
  /** `cells` counts. The kernel adds to them. They have 32 bits if `narrow`, and otherwise 64 (Pixels). */
  void *counts;
  /** Device memory for the partial tables of a pass: plan.partials * plan.cellsPerPass words. */
  uint32_t *partials;
  bool narrow;
};

// deliver.cu delivers a table after the launches that filled it.
cudaError_t deliver(const Delivery &, cudaStream_t);
// lower.cu writes the codes of one channel, pixels.channel[0], for the kernels that count codes: bytes or 32-bit words.
// It adds samples outside the bins to pixels.counts[cells …].
cudaError_t lower(const Pixels &, const Lowering &, const Plan &, void *codes, bool bytes, cudaStream_t);
// extent.cu finds the finite minimum and maximum over the wanted channels, as order-preserving keys of the type's own
// width. It keeps them in minmax[0] and minmax[1], which the host presets to {~0, 0}.
cudaError_t extent(const Pixels &, Type, unsigned long long *minmax, cudaStream_t);

}  // namespace polybin
