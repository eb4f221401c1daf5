// What the boundary (addon.cc) hands to the kernels. A kernel is given a plan and samples on the device; it
// chooses no number and checks none.
#pragma once
#include <cstdint>

#include <cuda_runtime.h>

namespace polybin {

using Count = unsigned long long;

/** Sample types, in core's order. */
enum class Type : uint32_t { u8, i8, u16, i16, u32, i32, f32, f64 };

/**
 * How a sample finds its row in a table (core's lowering.ts and ranks.ts).
 * raw: the row of an 8-bit sample is its bits, 256 of them, and the merge on the host sorts them into bins.
 * Else the row is the sample's rank: 0 underflow, 1 … bins the bins, then overflow, then NaN.
 */
enum class Kind : uint32_t { raw, direct, table, ranks, scaled };

/** The lowering, its arrays in device memory. */
struct Lowering {
  Kind kind;
  Type type;
  uint32_t bins;
  /** False: no sample can fall outside. */
  bool flow;
  /** direct */
  int64_t start;
  /** table: 256 codes, 0 … bins-1 the bins, then underflow, overflow */
  const uint32_t *table;
  /** scaled: bin = (key - first) * scale / 2^32, at most bins - 1, for keys from first to last. */
  uint32_t first, last, scale;
  /** ranks: ascending thresholds, low and (f64) high words. Rank: how many of them are at most a sample's key. */
  uint32_t thresholds;
  const uint32_t *low;
  const uint32_t *high;
  /** The same: halvings that find the rank in any cell. */
  uint32_t steps;
  /** The same: least rank of each cell; null: that of cell i is i. */
  const uint32_t *starts;
  /** Number of the last cell. */
  uint32_t cells;
  /** line: cell = round(saturate((sample - origin) * inverse) * cells) */
  bool line;
  double origin, inverse;
  /** Else: cell = min((max(leading word of the key, base) - base) >> shift, cells) */
  uint32_t base, shift;
};

/** The parts of core's plan that a kernel needs. */
struct Plan {
  uint32_t cells, cellsPerPass, passes;
  uint32_t threads, blocks, replicas, sharedBytes;
  /** Words of four samples that a thread bins before its counters must be summed; 0: no bound. */
  uint32_t wordsPerThread;
  uint32_t k;
  /** per-warp: software tags instead of atomics. */
  bool tag;
  /** privatized: merge now and then; else the plan has so many blocks that no counter can overflow. */
  bool periodic;
  /** privatized: 0 row, 1 column, 2 interleaved. */
  uint32_t layout;
  /** per-lane: rows of a channel's table, and those that a block counts. */
  uint32_t rows, rowsPerBlock;
  /** per-lane: channels that a block counts, all or one. */
  uint32_t channelsPerBlock;
  /** per-lane: bytes of a block's counters; behind them so many copies of the lookup. */
  uint32_t counterBytes, lookupReplicas;
  /** per-lane: 16-byte loads that a thread has in flight. */
  uint32_t inFlight;
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
   * per-lane: the counts are words of 32 bits, half as long to add and to bring back: no channel of the whole call
   * has more samples than one holds.
   */
  bool narrow;
  /** per-lane: as many counts, which the launch zeroes for the call after it; null: nothing to zero. */
  Count *next;
};

/** Codes on the device: bytes (raw 8-bit samples) or 32-bit words; one of `cells` or more is not counted. */
struct Codes {
  const void *data;
  uint64_t count;
  bool bytes;
  /** Added to: `cells` counts. */
  Count *counts;
  /** Device memory for a kernel's own use between its launches: plan.blocks * plan.cellsPerPass words, at least. */
  uint32_t *scratch;
};

// kernels/per-lane.cu finds codes and counts them in one go.
cudaError_t perLane(const Pixels &, const Lowering &, const Plan &, cudaStream_t);
// kernels/lower.cu writes the codes of one channel, pixels.channel[0], for the other kernels; what falls outside
// is added to pixels.counts[cells …].
cudaError_t lower(const Pixels &, const Lowering &, const Plan &, uint32_t *codes, cudaStream_t);
// kernels/extent.cu: the finite minimum and maximum over the wanted channels as order-preserving keys of the
// type's own width, kept in minmax[0] and minmax[1], which the host presets to {~0, 0}.
cudaError_t extent(const Pixels &, Type, unsigned long long *minmax, cudaStream_t);
// kernels/read.cu only reads: how fast can memory be? The variants differ in how they load.
constexpr uint32_t readVariants = 12;
cudaError_t read(const void *data, uint64_t bytes, uint32_t variant, uint32_t blocks, uint32_t *sink, cudaStream_t);
const char *readVariantName(uint32_t variant);
// The other algorithms count codes.
cudaError_t trish(const Codes &, const Plan &, cudaStream_t);
cudaError_t perWarp(const Codes &, const Plan &, cudaStream_t);
cudaError_t perThread64(const Codes &, const Plan &, cudaStream_t);
cudaError_t perThread(const Codes &, const Plan &, cudaStream_t);
cudaError_t privatized(const Codes &, const Plan &, cudaStream_t);
cudaError_t bankOwned(const Codes &, const Plan &, cudaStream_t);
cudaError_t global(const Codes &, const Plan &, cudaStream_t);
cudaError_t perBlock(const Codes &, const Plan &, cudaStream_t);

}  // namespace polybin
