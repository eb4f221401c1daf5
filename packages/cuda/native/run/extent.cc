#include "extent.h"

#include "pixels.h"

namespace polybin {

Extent findExtent(const ExtentJob &job, const uint8_t *resident, Pieces &pieces, Buffer &memory) {
  auto *const minmax = static_cast<Count *>(memory.reserve(sizeof(Extent)));
  Extent found;
  check(cudaMemsetAsync(minmax, 0xff, sizeof found.min, pieces.stream), "cudaMemset");
  check(cudaMemsetAsync(minmax + 1, 0, sizeof found.max, pieces.stream), "cudaMemset");
  pieces.each({{job.source, resident}}, ~0ull, [&](const auto &data, uint64_t pixels, bool) {
    check(extent(pixelsOf(data[0], pixels, job.wanted), job.wanted.type, minmax, pieces.stream), "extent");
  });
  pieces.bring({{minmax, sizeof found, Lies::bytes, {reinterpret_cast<uint8_t *>(&found), sizeof found, false}}});
  pieces.finish("extent");
  return found;
}

}  // namespace polybin
