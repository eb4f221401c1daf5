// Adds up weights over a feature table.
#pragma once
#include <vector>

#include "generated/messages.h"
#include "kernels.h"
#include "memory/pieces.h"
#include "memory/residents.h"

namespace polybin {

struct Summed {
  /**
   * For each feature of each launch, `bins` totals of each kind: counts if the plan has them, sums, and squares if
   * requested.
   */
  std::vector<double> totals;
  /** For a timed job, the share of each feature of each launch in the duration of its launch. */
  std::vector<double> ms;
  double kernelMs = 0, uploadMs = 0;
};

/** Adds up, and keeps the memory for the next call. */
class Summer {
 public:
  Summed sum(const SumsJob &, const FeatureTable &, Pieces &);
  void release();

 private:
  const void *bring(const uint8_t *data, size_t bytes, Buffer &, const Control &, Pieces &);
  template <typename Number>
  void bringBack(const Count *totals, size_t size, std::vector<double> &to, cudaStream_t);
  std::vector<double> launchAll(const SumsJob &, WeightedInput, Summed &, Pieces &);
  std::vector<double> sharesOf(const SumsJob &, const Count *cycles, const std::vector<double> &launchMs, cudaStream_t);

  Buffer weights_, squares_, list_, features_, totals_, cycles_, subHistograms_, result_{Buffer::Where::host};
};

}  // namespace polybin
