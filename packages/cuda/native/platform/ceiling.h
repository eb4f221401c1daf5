// How fast a device can read its memory, and how fast it gets what is on the host: what kernels are measured against.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace polybin {

struct ReadJob {
  uint32_t device;
  /** Whole vectors. */
  uint64_t bytes;
  uint32_t rounds;
  /** Blocks a multiprocessor. */
  uint32_t blocks;
};

struct ReadRow {
  std::string variant;
  uint32_t blocks;
  /** On the device, between two events; a round before them is not timed. */
  std::vector<double> ms;
};

/** Every variant of kernels/read.cu. @throws Failure */
std::vector<ReadRow> readRounds(const ReadJob &);

struct CopyJob {
  uint32_t device;
  uint64_t bytes;
  uint32_t rounds;
  /** The host's memory is page-locked. */
  bool pinned;
};

/** Milliseconds of cudaMemcpy to the device, on the host's clock; a round before them is not timed. @throws Failure */
std::vector<double> copyRounds(const CopyJob &);

}  // namespace polybin
