// Counts the cells of several columns, piece by piece.
#pragma once
#include <vector>

#include "kernels.h"
#include "lowering.h"
#include "memory/carrier.h"
#include "memory/copiers.h"
#include "memory/pieces.h"

namespace polybin {

struct JointCounted {
  uint64_t masked = 0;
  double kernelMs = 0, uploadMs = 0;
};

/** Counts, and keeps its memory for the next call. */
class Joiner {
 public:
  /** `residents`: the address of each source on the device, or null, and then that of the mask if there is one. */
  JointCounted count(const JointJob &, const std::vector<const uint8_t *> &residents, Pieces &);
  void release();

 private:
  void launch(const JointShape &, const Joint &, Pieces &);

  LoweringArrays lowerings_[limits::MAX_JOINT_COLUMNS];
  /** The counts of the cells and of their flow, which stays 0 or is ignored, and the number of masked samples. */
  Buffer counts_;
  Buffer cells_, partials_;
  Buffer masked_{Buffer::Where::host};
  Carrier carrier_;
  Copiers copiers_;
};

}  // namespace polybin
