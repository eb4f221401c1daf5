// One count of channels.
#pragma once
#include <vector>

#include "job.h"
#include "pieces.h"

namespace polybin {

class Count : public Pieces {
 public:
  /** @param counts of each channel, added to */
  Count(const Job &job, const Pixels &of, double *counts, const Control &control = {});

 private:
  size_t words() const override;
  void count(uint64_t from, uint64_t to, uint32_t *tables) override;
  void sum(uint32_t *tables) override;
  uint32_t *shared(uint32_t place) override;
  void finish() override;
  uint32_t *tablesOf(uint32_t group);
  void countTogether(uint64_t from, uint64_t to, uint32_t *tables) const;

  const Job &job_;
  const Pixels of_;
  double *const counts_;
  const Channels bytes_;
  /** The tables of each group of threads. */
  std::vector<uint64_t> shared_;
};

}  // namespace polybin
