// The finite minimum and maximum of channels.
#pragma once
#include <mutex>
#include <optional>

#include "file.h"
#include "job.h"
#include "pieces.h"

namespace polybin {

class Extent : public Pieces {
 public:
  /** @param range infinity and -infinity, or a range to widen */
  Extent(const Job &job, const Pixels &of, double *range, const Control &control = {});
  Extent(const Job &job, const File &of, double *range, const Control &control = {});

 private:
  size_t words() const override { return 0; }
  void count(uint64_t from, uint64_t to, uint32_t *tables) override;
  void extend(const Pixels &, uint64_t from, uint64_t to);
  void sum(uint32_t *) override {}

  const Job &job_;
  /** Samples in memory, unless they are in the file. */
  const Pixels of_;
  const std::optional<File> file_;
  const RowKernels kernels_;
  std::mutex mutex_;
  double *const range_;
};

}  // namespace polybin
