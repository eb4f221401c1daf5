// The kernels by their slugs: what their folders say of them (src/kernels/<slug>/index.ts), as a table that the build makes.
#pragma once
#include <cstdint>
#include <string>

#include "generated/messages.h"
#include "kernels/polybin.cuh"
#include "kernels/segments.cuh"
#include "kernels/weighted.cuh"
#include "platform/expect.h"

namespace polybin {

/** What a kernel of codes needs of a plan, so that it touches no memory but its own. */
struct CodesNeeds {
  /** Threads of a block: a multiple of the one, the other at the most. */
  uint32_t threadsAre, threads;
  /** Cells at the most; `allCells`: each pass has so many in its tables. */
  uint32_t cells;
  bool allCells;
  /** Bytes of shared memory that are always there, and of a table for each so many threads; 0: a block. */
  uint32_t sharedBytes, tableThreads;
  /** A table has so many bytes for each so many cells. */
  uint32_t cellsBytes, cellsMany;
  /** Memory between its launches: a word for each block and each cell of a pass. */
  bool scratch;
};

/** A kernel that counts: it reads samples, or else codes. `own`: a struct of its own, of so many bytes. */
struct CountKernel {
  const char *slug;
  uint32_t ownBytes;
  const Range *ranges;
  uint32_t rangeCount;
  cudaError_t (*samples)(const Pixels &, const Lowering &, const Plan &, const void *own, cudaStream_t);
  cudaError_t (*codes)(const Codes &, const Plan &, const void *own, cudaStream_t);
  /** Of samples: segments of theirs, each into a row; null: it counts none. */
  cudaError_t (*segments)(const Pixels &, const Lowering &, const Plan &, const void *own, const Segments &, const Rows &,
                          cudaStream_t);
  /** Of samples: does it add to counts of 32 bits where they do, and does its last block hand them on? */
  bool narrow, delivers;
  CodesNeeds needs;
  /** What the numbers do not say; null: they say all. @throws Failure */
  void (*check)(const CountShape &, const void *own);
};

/** A kernel of weighted sums. */
struct SumsKernel {
  const char *slug;
  uint32_t ownBytes;
  const Range *ranges;
  uint32_t rangeCount;
  cudaError_t (*launch)(const WeightedInput &, const WeightedPlan &, const void *own, cudaStream_t);
  void (*check)(const WeightedPlan &, const void *own);
};

// @throws Failure ERR_UNSUPPORTED where there is no such kernel
const CountKernel &countKernel(const std::string &slug);
const SumsKernel &sumsKernel(const std::string &slug);

}  // namespace polybin
