// One count of channels.
#pragma once
#include "job.h"
#include "pieces.h"

namespace polybin {

class Count : public Pieces {
 public:
  /** @param counts of each channel, added to */
  Count(const Job &job, const Pixels &of, double *counts, const Control &control = {});

 private:
  size_t words() const override { return job_.words(); }
  void count(uint64_t from, uint64_t to, uint32_t *tables) override;
  void sum(uint32_t *tables) override;
  void countTogether(uint64_t from, uint64_t to, uint32_t *tables) const;

  const Job &job_;
  const Pixels of_;
  double *const counts_;
};

}  // namespace polybin
