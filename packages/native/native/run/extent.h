// The finite extent of samples, over some of their channels.
#pragma once
#include "lowering.h"
#include "pieces.h"
#include "pixels.h"

namespace polybin {

class Extent : public Pieces {
 public:
  /** @param extent the least and the greatest finite sample: infinity and -infinity if there is none */
  Extent(const JobNumbers &, const Pixels &, double *extent, const Control &);

 private:
  size_t words() const override { return 0; }
  void count(uint64_t from, uint64_t to, uint32_t *tables) override;
  void sum(uint32_t *) override {}

  const JobNumbers of_;
  const Pixels pixels_;
  const FindExtent find_;
  double *const extent_;
  std::mutex mutex_;
};

}  // namespace polybin
