// Measures how fast a device reads its memory, and how fast it receives data from the host. Kernels are compared with
// these rates.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "generated/messages.h"

namespace polybin {

struct ReadRow {
  std::string variant;
  uint32_t blocks;
  /** Durations on the device, between two events. An untimed round precedes them. */
  std::vector<double> ms;
};

/** Runs every variant of kernels/read.cu. @throws Failure */
std::vector<ReadRow> readRounds(const ReadJob &);

/**
 * Durations of cudaMemcpy to the device in milliseconds, on the host's clock. An untimed round precedes them. @throws
 * Failure
 */
std::vector<double> copyRounds(const CopyJob &);

}  // namespace polybin
