#include "extent.h"

#include <algorithm>
#include <limits>

namespace polybin {

Extent::Extent(const Job &job, const Pixels &of, double *range, const Control &control)
    : Pieces(divisionOf(job, of), control), job_(job), of_(of), kernels_(kernelsOf(job.numbers, false)), range_(range) {}

Extent::Extent(const Job &job, const File &of, double *range, const Control &control)
    : Pieces(divisionOf(job, of), control),
      job_(job),
      of_{},
      file_(of),
      kernels_(kernelsOf(job.numbers, false)),
      range_(range) {}

void Extent::count(uint64_t from, uint64_t to, uint32_t *) {
  if (file_) extend(readPixels(*file_, job_.pixelBytes, from, to), 0, to - from);
  else extend(of_, from, to);
}

void Extent::extend(const Pixels &of, uint64_t from, uint64_t to) {
  constexpr double NONE = std::numeric_limits<double>::infinity();
  double range[2] = {NONE, -NONE};
  alignas(64) uint64_t memory[BLOCK];
  const bool isPlain = job_.numbers.interleaved == 1 && of.isDense(job_.pixelBytes);
  const uint64_t step = isPlain ? to - from : BLOCK;
  for (uint64_t at = from; at < to; at += step) {
    const size_t n = std::min<uint64_t>(step, to - at);
    for (uint32_t i = 0; i < job_.channelCount; i++) {
      const Channel channel{of, job_.sampleBytes, job_.numbers.interleaved, job_.channels[i]};
      kernels_.extend(fetched(channel, at, n, memory), n, range);
    }
  }
  const std::lock_guard lock(mutex_);
  range_[0] = std::min(range_[0], range[0]);
  range_[1] = std::max(range_[1], range[1]);
}

}  // namespace polybin
