#include "extent.h"

#include <algorithm>
#include <limits>

#include "job.h"

namespace polybin {
namespace {

Division divisionOf(const JobNumbers &of, const Pixels &pixels) {
  const uint64_t pixelBytes = uint64_t{bytesOf(of.type)} * of.interleaved;
  const uint64_t piece = std::max<uint64_t>(1, of.pieceBytes / pixelBytes);
  return {pixels.width * pixels.height, piece, std::max<uint64_t>(1, of.shareBytes / pixelBytes), of.threads};
}

}  // namespace

Extent::Extent(const JobNumbers &of, const Pixels &pixels, double *extent, const Control &control)
    : Pieces(divisionOf(of, pixels), control),
      of_(of),
      pixels_(pixels),
      find_(kernelsOf(of, false).extent),
      extent_(extent) {
  extent_[0] = std::numeric_limits<double>::infinity();
  extent_[1] = -extent_[0];
}

void Extent::count(uint64_t from, uint64_t to, uint32_t *) {
  alignas(64) uint64_t memory[BLOCK];
  const uint32_t bytes = bytesOf(of_.type);
  const bool isInPlace = of_.interleaved == 1 && pixels_.isDense(bytes);
  double all[2] = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (uint32_t channel = 0; channel < of_.interleaved; channel++) {
    if ((of_.channels >> channel & 1) == 0) continue;
    const Channel samples{pixels_, bytes, of_.interleaved, channel};
    for (uint64_t at = from; at < to;) {
      const size_t n = isInPlace ? to - at : std::min<uint64_t>(BLOCK, to - at);
      double least, greatest;
      if (find_(fetched(samples, at, n, memory), n, &least, &greatest)) {
        all[0] = std::min(all[0], least);
        all[1] = std::max(all[1], greatest);
      }
      at += n;
    }
  }
  const std::lock_guard lock(mutex_);
  extent_[0] = std::min(extent_[0], all[0]);
  extent_[1] = std::max(extent_[1], all[1]);
}

}  // namespace polybin
