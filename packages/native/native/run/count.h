// One count of channels.
#pragma once
#include <optional>
#include <vector>

#include "file.h"
#include "job.h"
#include "pieces.h"

namespace polybin {

class Count : public Pieces {
 public:
  /** @param counts of each channel, added to */
  Count(const Job &job, const Pixels &of, double *counts, const Control &control = {});
  Count(const Job &job, const File &of, double *counts, const Control &control = {});

 private:
  size_t words() const override;
  void count(uint64_t from, uint64_t to, uint32_t *tables) override;
  void sum(uint32_t *tables) override;
  uint32_t *shared(uint32_t place) override;
  void finish() override;
  Count(const Job &, const Division &, const Pixels &, double *counts, const Control &);
  uint32_t *tablesOf(uint32_t group);
  void countIn(const Pixels &, uint64_t from, uint64_t to, uint32_t *tables) const;
  /** Counts into the counts themselves. Only one thread does. */
  void countSmall(const Pixels &, uint64_t from, uint64_t to) const;
  void countTogether(const Pixels &, uint64_t from, uint64_t to, uint32_t *tables) const;

  const Job &job_;
  /** Samples in memory, unless they are in the file. */
  const Pixels of_;
  std::optional<File> file_;
  double *const counts_;
  const Channels bytes_;
  const bool isSmall_;
  /** The tables of each group of threads. */
  std::vector<uint64_t> shared_;
};

}  // namespace polybin
