// What kernels are handed beside core's plan (generated/structs.cuh). A kernel is given a plan and samples on the device;
// it chooses no number and checks none.
#pragma once
#include <cstdint>

#include <cuda_runtime.h>

#include "generated/structs.cuh"

namespace polybin {

using Count = unsigned long long;

/** The lowering, its arrays in device memory: messages.ts says what each is. */
struct Lowering : LoweringNumbers {
  uint32_t thresholds;
  const uint32_t *table, *low, *high, *starts;
};

/**
 * What becomes of a table when all is in it: its counts go where the host sees them, or are added to others that stay on
 * the device, and it is zeroes again.
 */
struct Delivery {
  /** `size` counts of 64 bits, or `narrow`: of 32. */
  Count *counts;
  uint32_t size;
  bool narrow;
  /** Host memory, mapped, for as many counts; null: they are added to `total`, counts of 64 bits. */
  void *home;
  Count *total;
  /** Blocks that are through: 0 before and afterwards. */
  uint32_t *through;
  /** Host memory, mapped, which is `number` once all is done. */
  uint32_t *flag;
  uint32_t number;
};

/** Dense pixels on the device, and the tables that are added to: for each channel cells counts, then 3 of flow. */
struct Pixels {
  /** At a multiple of 16 bytes. */
  const void *data;
  uint64_t count;
  /** Samples a pixel. */
  uint32_t interleaved;
  uint32_t channels;
  uint32_t channel[4];
  Count *counts;
  /**
   * The counts are words of 32 bits, half as long to add and to bring back: no channel of the whole call has more samples
   * than one holds.
   */
  bool narrow;
  /** The last block hands the counts on; without a flag: it does not. */
  Delivery delivery;
};

/** Codes on the device: bytes (raw 8-bit samples) or 32-bit words; one of `cells` or more is not counted. */
struct Codes {
  const void *data;
  uint64_t count;
  bool bytes;
  /** Added to: `cells` counts. */
  Count *counts;
  /** Device memory for a kernel's own use between its launches: plan.blocks * plan.cellsPerPass words, if it asked for such. */
  uint32_t *scratch;
};

// deliver.cu hands a table on, behind the launches that filled it.
cudaError_t deliver(const Delivery &, cudaStream_t);
// lower.cu writes the codes of one channel, pixels.channel[0], for the kernels that count codes; what falls outside
// is added to pixels.counts[cells …].
cudaError_t lower(const Pixels &, const Lowering &, const Plan &, uint32_t *codes, cudaStream_t);
// extent.cu: the finite minimum and maximum over the wanted channels as order-preserving keys of the
// type's own width, kept in minmax[0] and minmax[1], which the host presets to {~0, 0}.
cudaError_t extent(const Pixels &, Type, unsigned long long *minmax, cudaStream_t);
// read.cu only reads: how fast can memory be? The variants differ in how they load.
constexpr uint32_t readVariants = 12;
cudaError_t read(const void *data, uint64_t bytes, uint32_t variant, uint32_t blocks, uint32_t *sink, cudaStream_t);
const char *readVariantName(uint32_t variant);

}  // namespace polybin
