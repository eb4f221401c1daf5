// The sums of one thread: tables of whole numbers on a scale that fits most weights, and exact sums of the others.
#pragma once
#include <vector>

#include "exact-sums.h"
#include "kernels/addends.h"

namespace polybin {

class ThreadSums {
 public:
  /**
   * @param add the kernel for these weights
   * @param tables of `cells` cells, which are 0
   */
  ThreadSums(AddWeights add, bool isWide, size_t cells, const AddendTables &tables);

  /** Adds weights to cells, and counts them. */
  void add(const void *weights, const uint32_t *cells, size_t n);
  /** Moves the sums of the tables to the exact ones, and clears the tables. */
  void flush();

  ExactSums sums;
  /** Samples of each cell. */
  std::vector<uint64_t> counts;
  /** Weights that are not finite. */
  uint64_t infinite = 0;

 private:
  double at(const void *weights, size_t i) const;
  void choose(const void *weights, size_t n);
  void addOthers(const void *weights, const uint32_t *cells, size_t n);

  const AddWeights add_;
  const bool isWide_;
  const AddendTables tables_;
  bool hasScale_ = false;
  Scale scale_{};
  /** Samples in the tables, and weights since the scale was chosen that it does not hold. */
  uint64_t filled_ = 0, others_ = 0;
};

}  // namespace polybin
