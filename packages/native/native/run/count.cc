#include "count.h"

#include <algorithm>
#include <cstring>

#include "tables.h"

namespace polybin {
namespace {

/** Copies every n-th sample. */
template <typename T>
void gather(const uint8_t *data, uint32_t channel, uint32_t interleaved, size_t n, T *to) {
  for (size_t i = 0; i < n; i++) std::memcpy(to + i, data + (i * interleaved + channel) * sizeof(T), sizeof(T));
}

void gather(uint32_t bytes, const uint8_t *data, uint32_t channel, uint32_t interleaved, size_t n, void *to) {
  if (bytes == 1) gather(data, channel, interleaved, n, static_cast<uint8_t *>(to));
  else if (bytes == 2) gather(data, channel, interleaved, n, static_cast<uint16_t *>(to));
  else if (bytes == 4) gather(data, channel, interleaved, n, static_cast<uint32_t *>(to));
  else gather(data, channel, interleaved, n, static_cast<uint64_t *>(to));
}

constexpr uint64_t COUNTER_MOST = 0xffffffff;

}  // namespace

Count::Count(const Job &job, const Pixels &of, double *counts, Control control)
    : job_(job), of_(of), counts_(counts), control_(control) {
  // Rows without gaps are one row.
  if (of_.pitch == of_.width * job.pixelBytes) {
    of_.width *= of_.height;
    of_.height = 1;
  }
  pixels_ = of_.width * of_.height;
  piece_ = std::max<uint64_t>(1, job.numbers.pieceBytes / job.pixelBytes);
  pieces_ = (pixels_ + piece_ - 1) / piece_;
  const uint64_t shares = pixels_ * job.pixelBytes / std::max<uint32_t>(1, job.numbers.shareBytes);
  threads_ = static_cast<uint32_t>(
      std::max<uint64_t>(1, std::min({uint64_t{job.numbers.threads}, shares, pieces_})));
}

void Count::take(uint32_t) noexcept {
  try {
    takePieces(clearWords(job_.words()));
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = failureCaught();
    next_ = pieces_;
  }
}

bool Count::isStopped() const {
  return (control_.closing != nullptr && *control_.closing != 0) ||
         (control_.aborted != nullptr && *control_.aborted != 0);
}

void Count::takePieces(uint32_t *tables) {
  uint64_t counted = 0;
  for (;;) {
    const uint64_t piece = next_.fetch_add(1, std::memory_order_relaxed);
    if (piece >= pieces_) break;
    if (isStopped()) break;
    const uint64_t from = piece * piece_, to = std::min(pixels_, from + piece_);
    if (counted + (to - from) > COUNTER_MOST) {
      sum(tables);
      counted = 0;
    }
    countPiece(from, to, tables);
    counted += to - from;
    if (control_.done != nullptr) *control_.done += to - from;
  }
  if (counted > 0) sum(tables);
}

void Count::countPiece(uint64_t from, uint64_t to, uint32_t *tables) const {
  while (from < to) {
    const uint64_t row = of_.height == 1 ? 0 : from / of_.width;
    const uint64_t column = from - row * of_.width;
    const uint64_t pixels = std::min(to - from, of_.width - column);
    countRun(of_.data + row * of_.pitch + column * job_.pixelBytes, pixels, tables);
    from += pixels;
  }
}

void Count::countRun(const uint8_t *data, uint64_t pixels, uint32_t *tables) const {
  if (job_.isTogether()) {
    job_.tally.pixels(job_.bytes, data, pixels, tables);
    return;
  }
  const Lookup &lookup = job_.lowering.lookup();
  const uint32_t interleaved = job_.numbers.interleaved;
  const size_t channelWords = static_cast<size_t>(job_.shape.stride) * job_.shape.tables;
  alignas(64) uint64_t gathered[BLOCK];
  alignas(64) uint32_t rows[BLOCK];
  for (uint64_t from = 0; from < pixels; from += BLOCK) {
    const size_t n = std::min<uint64_t>(BLOCK, pixels - from);
    const uint8_t *const pixel = data + from * job_.pixelBytes;
    for (uint32_t i = 0; i < job_.channelCount; i++) {
      const void *samples = pixel;
      if (interleaved > 1) {
        gather(job_.sampleBytes, pixel, job_.channels[i], interleaved, n, gathered);
        samples = gathered;
      }
      uint32_t *const to = tables + i * channelWords;
      if (job_.isRaw()) {
        job_.tally.bytes(job_.shape, static_cast<const uint8_t *>(samples), n, to);
      } else {
        lookup.find(lookup, samples, n, rows);
        job_.tally.rows(job_.shape, rows, n, to);
      }
    }
  }
}

void Count::sum(uint32_t *tables) {
  const std::lock_guard lock(mutex_);
  const size_t channelWords = static_cast<size_t>(job_.shape.stride) * job_.shape.tables;
  for (uint32_t i = 0; i < job_.channelCount; i++) {
    double *const counts = counts_ + static_cast<size_t>(i) * job_.counts();
    if (job_.isTogether()) job_.tally.sumPixels(job_.bytes, job_.channels[i], tables, counts);
    else job_.tally.sum(job_.shape, tables + i * channelWords, counts);
  }
}

}  // namespace polybin
