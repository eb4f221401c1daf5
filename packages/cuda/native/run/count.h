// Counts inputs piece by piece, or with timings, one call at a time.
#pragma once
#include <vector>

#include "job.h"
#include "memory/pieces.h"
#include "total.h"
#include "workspace.h"

namespace polybin {

struct Counted : Times {
  /** For each channel: its cells, then underflow, overflow, NaN. */
  std::vector<double> counts;
};

/** Counts, and keeps the memory for the next call. */
class Counter {
 public:
  explicit Counter(Pieces &pieces) : pieces_(pieces), workspace_(pieces.gate) {}
  /**
   * `resident`: the address of the samples on the device, or null. `exact`: whether kernelMs excludes the host's time.
   * `total`: the counts are added to it once all are finished, and stay on the device. Null: they are copied to the
   * host.
   */
  Counted count(const CountJob &, Job &, const uint8_t *resident, bool exact, Total *total);

 private:
  Pieces &pieces_;
  Workspace workspace_;
  Buffer result_{Buffer::Where::host};
};

}  // namespace polybin
