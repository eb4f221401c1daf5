// Adds up weights over a feature table.
#pragma once
#include <vector>

#include "kernels.h"
#include "memory/pieces.h"
#include "memory/residents.h"

namespace polybin {

struct Summed : Times {
  /**
   * For each feature of each launch, `bins` totals of each kind: counts if the plan has them, sums, and squares if
   * requested.
   */
  std::vector<double> totals;
  /** For a timed job, the share of each feature of each launch in the duration of its launch. */
  std::vector<double> ms;
};

/** Adds up, and keeps the memory for the next call. */
class Summer {
 public:
  explicit Summer(Pieces &pieces) : pieces_(pieces) {}
  Summed sum(const SumsJob &, const Residents &);

 private:
  template <typename Number>
  const Number *bring(const void *data, size_t bytes, Buffer &);
  std::vector<double> bringBack(const Count *, size_t size, bool areFloats);
  std::vector<double> launchAll(const SumsJob &, WeightedInput);
  std::vector<double> sharesOf(const SumsJob &, const Count *cycles, const std::vector<double> &launchMs);

  Pieces &pieces_;
  Buffer weights_, squares_, list_, features_, totals_, cycles_, subHistograms_;
};

}  // namespace polybin
