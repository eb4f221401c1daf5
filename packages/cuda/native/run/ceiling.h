// How fast a device can read its memory, and how fast it gets what is on the host: what kernels are measured against.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "generated/messages.h"

namespace polybin {

struct ReadRow {
  std::string variant;
  uint32_t blocks;
  /** On the device, between two events; a round before them is not timed. */
  std::vector<double> ms;
};

/** Every variant of kernels/read.cu. @throws Failure */
std::vector<ReadRow> readRounds(const ReadJob &);

/** Milliseconds of cudaMemcpy to the device, on the host's clock; a round before them is not timed. @throws Failure */
std::vector<double> copyRounds(const CopyJob &);

}  // namespace polybin
