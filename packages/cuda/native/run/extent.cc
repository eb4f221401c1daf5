#include "extent.h"

#include "pixels.h"
#include "platform/failure.h"

namespace polybin {

Extent ExtentFinder::find(const ExtentJob &job, const uint8_t *resident, Pieces &pieces) {
  Pieces::Drain drain(pieces);
  auto *const minmax = static_cast<Count *>(minmax_.reserve(sizeof(Extent)));
  auto *const found = static_cast<Extent *>(result_.reserve(sizeof(Extent)));
  *found = Extent{};
  check(cudaMemcpyAsync(minmax, found, sizeof(Extent), cudaMemcpyHostToDevice, pieces.stream), "a copy");
  const uint64_t most = Pieces::pixelsOf(job.source, ~0ull);
  pieces.each(job.source, resident, most, job.control, [&](const void *data, uint64_t pixels, bool) {
    check(extent(pixelsOf(data, pixels, job.wanted), job.wanted.type, minmax, pieces.stream), "extent");
  });
  check(cudaMemcpyAsync(found, minmax, sizeof(Extent), cudaMemcpyDeviceToHost, pieces.stream), "a copy");
  check(cudaStreamSynchronize(pieces.stream), "extent");
  pieces.settleAll(job.control);
  drain.done();
  checkGoesOn(job.control);
  return *found;
}

void ExtentFinder::release() {
  minmax_.release();
  result_.release();
}

}  // namespace polybin
