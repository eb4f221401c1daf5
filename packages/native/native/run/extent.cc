#include "extent.h"

#include <algorithm>
#include <limits>

namespace polybin {

Extent::Extent(const Job &job, const Pixels &of, double *range, const Control &control)
    : Pieces(divisionOf(job, of), control), job_(job), of_(of), kernels_(kernelsOf(job.numbers, false)), range_(range) {}

void Extent::count(uint64_t from, uint64_t to, uint32_t *) {
  constexpr double NONE = std::numeric_limits<double>::infinity();
  double range[2] = {NONE, -NONE};
  alignas(64) uint64_t memory[BLOCK];
  const bool isPlain = job_.numbers.interleaved == 1 && of_.isDense(job_.pixelBytes);
  const uint64_t step = isPlain ? to - from : BLOCK;
  for (uint64_t at = from; at < to; at += step) {
    const size_t n = std::min<uint64_t>(step, to - at);
    for (uint32_t i = 0; i < job_.channelCount; i++) {
      const Channel channel{of_, job_.sampleBytes, job_.numbers.interleaved, job_.channels[i]};
      kernels_.extend(fetched(channel, at, n, memory), n, range);
    }
  }
  const std::lock_guard lock(mutex_);
  range_[0] = std::min(range_[0], range[0]);
  range_[1] = std::max(range_[1], range[1]);
}

}  // namespace polybin
