// Counts the cells of several columns, piece by piece.
#pragma once
#include "kernels.h"
#include "lowering.h"
#include "memory/pieces.h"
#include "memory/residents.h"

namespace polybin {

struct JointCounted : Times {
  uint64_t masked = 0;
};

/** Counts, and keeps its memory for the next call. */
class Joiner {
 public:
  explicit Joiner(Pieces &pieces) : pieces_(pieces) {}
  JointCounted count(const JointJob &, const Residents &);

 private:
  void launch(const JointShape &, const Joint &);

  Pieces &pieces_;
  LoweringArrays lowerings_[limits::MAX_JOINT_COLUMNS];
  /** The counts of the cells and of their flow, which stays 0 or is ignored, and the number of masked samples. */
  Buffer counts_;
  Buffer cells_, partials_;
};

}  // namespace polybin
