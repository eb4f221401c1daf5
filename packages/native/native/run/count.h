// One count of channels.
#pragma once
#include <optional>
#include <vector>

#include "file.h"
#include "job.h"
#include "pieces.h"

namespace polybin {

/**
 *   tables    [channel][table][underflow, the bins, overflow, NaN]   or the 256 values of raw bytes
 *   counts    [channel][the bins]                                    or the values
 *   flow      [channel][underflow, overflow, NaN]                    raw bytes have none
 */
class Count : public Pieces {
 public:
  /** @param counts of each channel, which are 0 */
  Count(const Job &job, const Pixels &of, double *counts, const Control &control = {});
  Count(const Job &job, const File &of, double *counts, const Control &control = {});

  /**
   * After the end: the sum of all counts. If some samples were in no bin, then underflow, overflow and NaN of each channel
   * follow.
   */
  const std::vector<double> &told() const { return told_; }

 private:
  size_t words() const override;
  void count(uint64_t from, uint64_t to, uint32_t *tables) override;
  void sum(uint32_t *tables) override;
  uint32_t *shared(uint32_t place) override;
  void finish() override;
  Count(const Job &, const Division &, const Pixels &, double *counts, const Control &);
  uint32_t *tablesOf(uint32_t group);
  void countIn(const Pixels &, uint64_t from, uint64_t to, uint32_t *tables);
  /** Counts without tables. Only one thread does. */
  void countSmall(const Pixels &, uint64_t from, uint64_t to);
  void countTogether(const Pixels &, uint64_t from, uint64_t to, uint32_t *tables) const;
  double *countsOf(uint32_t channel) const { return counts_ + static_cast<size_t>(channel) * job_.cells(); }
  double *flowOf(uint32_t channel) { return flow_.data() + FLOW_ROWS * channel; }
  void tell();

  const Job &job_;
  /** Samples in memory, unless they are in the file. */
  const Pixels of_;
  std::optional<File> file_;
  double *const counts_;
  std::vector<double> flow_, told_;
  const Channels bytes_;
  const bool isSmall_;
  /** The tables of each group of threads. */
  std::vector<uint64_t> shared_;
};

}  // namespace polybin
