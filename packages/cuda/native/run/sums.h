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
  /** The duration of each launch. */
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
  void launchAll(const SumsJob &, WeightedInput, Summed &, Pieces &);

  Buffer weights_, squares_, list_, features_, totals_, result_{Buffer::Where::host};
};

}  // namespace polybin
