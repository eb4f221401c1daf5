// Counting what comes piece after piece, or is to be timed: one call at a time.
#pragma once
#include <vector>

#include "job.h"
#include "memory/pieces.h"
#include "total.h"
#include "workspace.h"

namespace polybin {

struct Counted {
  /** For each channel its cells, then underflow, overflow, NaN. */
  std::vector<double> counts;
  /** `kernelMs`: what the launches took on the device. `uploadMs`: what it took until all pieces were counted. */
  double kernelMs = 0, uploadMs = 0;
};

/** Counts, and keeps the memory that it needs for the next call. */
class Counter {
 public:
  explicit Counter(Pieces &pieces) : pieces_(pieces), workspace_(&pieces.gate()) {}
  /** `resident`: where the samples lie on the device, or null. `exact`: kernelMs is to be without the host's time. */
  /** `total`: what the counts are added to, once all are there, and stay; null: they are brought home. */
  Counted count(const CountJob &, Job &, const uint8_t *resident, bool exact, Total *total);
  void release();

 private:
  Pieces &pieces_;
  Workspace workspace_;
  Buffer result_{Buffer::Where::host};
};

}  // namespace polybin
