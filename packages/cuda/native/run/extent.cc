#include "extent.h"

#include "pixels.h"
#include "platform/failure.h"

namespace polybin {

Extent ExtentFinder::find(const ExtentJob &job, const uint8_t *resident) {
  auto *const minmax = static_cast<Count *>(minmax_.reserve(sizeof(Extent)));
  Extent found;
  check(cudaMemsetAsync(minmax, 0xff, sizeof found.min, pieces_.stream), "cudaMemset");
  check(cudaMemsetAsync(minmax + 1, 0, sizeof found.max, pieces_.stream), "cudaMemset");
  pieces_.each({{job.source, resident}}, ~0ull, job.control, [&](const auto &data, uint64_t pixels, bool) {
    check(extent(pixelsOf(data[0], pixels, job.wanted), job.wanted.type, minmax, pieces_.stream), "extent");
  });
  const Written place{reinterpret_cast<uint8_t *>(&found), sizeof found, false};
  pieces_.bring({{minmax, sizeof found, Lies::bytes, place}}, job.control);
  pieces_.finish(job.control, "extent");
  return found;
}

}  // namespace polybin
