// Counting: what the plan says is launched, piece after piece, and the counts are brought back.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "kernels.h"
#include "lowering.h"
#include "memory/pieces.h"
#include "memory/tables.h"

namespace polybin {

struct Counted {
  /** For each channel its cells, then underflow, overflow, NaN. */
  std::vector<Count> counts;
  /** `kernelMs`: what the launches took on the device. `uploadMs`: what it took until all pieces were counted. */
  double kernelMs = 0, uploadMs = 0;
};

/** Counts, and keeps the memory that it needs for the next call. */
class Counter {
 public:
  /** `resident`: where the samples lie on the device, or null. `exact`: kernelMs is to be without the host's time. */
  Counted count(const CountJob &, const uint8_t *resident, bool exact, Pieces &);
  void release();

 private:
  /** A call under way. */
  struct Call;

  void launch(const Call &, const void *data, uint64_t pixels);
  void launchCodes(const Call &, const void *data, uint64_t pixels);

  Tables tables_;
  LoweringArrays arrays_;
  Buffer codes_, scratch_, result_{Buffer::Where::host};
  /** Launches that were made before: only those may wait behind the gate, since a first one may wait for the device. */
  std::set<std::string> made_;
};

}  // namespace polybin
