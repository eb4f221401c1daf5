// The memory of a lookup, made once per job.
#pragma once
#include <vector>

#include "kernels/lookup.h"

namespace polybin {

/** How core lowers samples, as numbers and arrays (src/border). */
struct LoweringNumbers {
  const JobNumbers &numbers;
  /** table: codes. keys: the low words of the first key of each bin. */
  const uint32_t *low;
  /** keys of two words: their high words. */
  const uint32_t *high;
  size_t length;
};

/** The kernels for these samples and instructions. */
RowKernels kernelsOf(const JobNumbers &, bool narrow);

class Lowering {
 public:
  explicit Lowering(const LoweringNumbers &);
  Lowering(const Lowering &) = delete;
  Lowering &operator=(const Lowering &) = delete;
  const Lookup &lookup() const { return lookup_; }

 private:
  void makeTable(const LoweringNumbers &, const RowKernels &);
  void makeBounds(const LoweringNumbers &, bool narrow);
  /** The same from the codes of all 16-bit values. */
  void makeBoundsOfTable(const LoweringNumbers &);
  /** Finds the fastest loop over an even axis that is right. @returns whether one is */
  bool isOnLine(const LoweringNumbers &, bool narrow);
  bool isScaled(const JobNumbers &, const RowKernels &);
  bool isBetween(const RowKernels &);
  void makeSearch(const LoweringNumbers &, bool narrow);
  /** The search in this number of cells, of a line or of keys. */
  void makeCells(const RowKernels &, bool narrow);
  /** The rows in which the search in each cell starts. @returns the halvings that it needs */
  uint32_t makeStarts(void (*cells)(const Lookup &, uint32_t *), std::vector<uint32_t> &starts);

  Lookup lookup_{};
  std::vector<uint16_t> rows16_;
  std::vector<uint32_t> rows32_, starts_;
  std::vector<float> narrow_;
  std::vector<double> wide_;
};

}  // namespace polybin
