// The kernels by their slugs. The build makes this table from the definitions in their folders
// (src/kernels/<slug>/index.ts).
#pragma once
#include <cstdint>
#include <string>

#include "generated/messages.h"
#include "kernels/joint.cuh"
#include "kernels/polybin.cuh"
#include "kernels/segments.cuh"
#include "kernels/weighted.cuh"
#include "platform/expect.h"

namespace polybin {

/** The plan that a kernel of codes requires, so that it touches no memory but its own. */
struct CodesNeeds {
  /** Threads per block: a multiple of `threadsAre`, at most `threads`. */
  uint32_t threadsAre, threads;
  /** The maximum number of cells. `allCells`: the tables of each pass have exactly this number. */
  uint32_t cells;
  bool allCells;
  /**
   * Shared memory in bytes that every block needs, and the number of threads that share a table. 0: the whole block
   * shares one.
   */
  uint32_t sharedBytes, tableThreads;
  /** A table takes `cellsBytes` bytes for each `cellsMany` cells. */
  uint32_t cellsBytes, cellsMany;
  /** Whether its blocks write partial tables if the plan has them. */
  bool partials;
};

/** A kernel that counts. It reads either samples or codes. `ownBytes` is the size of its own struct. */
struct CountKernel {
  const char *slug;
  uint32_t ownBytes;
  const Range *ranges;
  uint32_t rangeCount;
  cudaError_t (*samples)(const Pixels &, const Lowering &, const Plan &, const void *own, cudaStream_t);
  cudaError_t (*codes)(const Codes &, const Plan &, const void *own, cudaStream_t);
  /** For samples: counts their segments, each into a row. Null: the kernel cannot count segments. */
  cudaError_t (*segments)(const Pixels &, const Lowering &, const Plan &, const void *own, const Segments &, const Rows &,
                          cudaStream_t);
  /** For codes: finds and counts the cells of several columns. Null: another kernel has to write the cells. */
  cudaError_t (*columns)(const Joint &, const Plan &, const void *own, cudaStream_t);
  /** For samples: whether it adds to 32-bit counts if they suffice, and whether its last block delivers the counts. */
  bool narrow, delivers;
  CodesNeeds needs;
  /** Checks the conditions that the numbers above do not express. Null: there are none. @throws Failure */
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

// @throws Failure ERR_UNSUPPORTED if there is no such kernel
const CountKernel &countKernel(const std::string &slug);
const SumsKernel &sumsKernel(const std::string &slug);

}  // namespace polybin
