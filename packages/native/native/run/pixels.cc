#include "pixels.h"

#include <algorithm>
#include <cstring>

#include "kernels/lookup.h"

namespace polybin {
namespace {

constexpr size_t LINE = 64;
/** Bytes between two requests, and from a sample that is counted to one that is requested. */
constexpr size_t STEP_BYTES = 1024, AHEAD = 4096;

/** Copies every n-th sample. */
template <typename T>
void every(const uint8_t *data, size_t step, size_t n, uint8_t *to) {
  auto *const out = reinterpret_cast<T *>(to);
  for (size_t i = 0; i < n; i++) std::memcpy(out + i, data + i * step, sizeof(T));
}

void every(const Channel &of, const uint8_t *pixel, size_t n, uint8_t *to) {
  const uint8_t *const data = pixel + static_cast<size_t>(of.channel) * of.sampleBytes;
  const size_t step = static_cast<size_t>(of.interleaved) * of.sampleBytes;
  if (of.sampleBytes == 1) every<uint8_t>(data, step, n, to);
  else if (of.sampleBytes == 2) every<uint16_t>(data, step, n, to);
  else if (of.sampleBytes == 4) every<uint32_t>(data, step, n, to);
  else every<uint64_t>(data, step, n, to);
}

}  // namespace

size_t stepOf(uint32_t pixelBytes) { return std::clamp<size_t>(STEP_BYTES / pixelBytes, 1, BLOCK); }

void fetchAhead(const Pixels &of, uint32_t pixelBytes, uint64_t from, size_t n) {
  if (!of.isDense(pixelBytes)) return;
  const uint8_t *const first = of.data + from * pixelBytes + AHEAD;
  // Requests past the end of memory have no effect.
  for (size_t at = 0; at < n * pixelBytes; at += LINE) __builtin_prefetch(first + at);
}

const void *fetched(const Channel &of, uint64_t from, size_t n, void *to) {
  const uint64_t pixelBytes = uint64_t{of.sampleBytes} * of.interleaved;
  if (of.pixels.isDense(static_cast<uint32_t>(pixelBytes))) {
    const uint8_t *const pixel = of.pixels.data + from * pixelBytes;
    if (of.interleaved == 1) return pixel;
    every(of, pixel, n, static_cast<uint8_t *>(to));
    return to;
  }
  auto *out = static_cast<uint8_t *>(to);
  for (uint64_t at = from; at < from + n;) {
    const uint64_t row = at / of.pixels.width, column = at % of.pixels.width;
    const size_t run = std::min<uint64_t>(from + n - at, of.pixels.width - column);
    every(of, of.pixels.data + row * of.pixels.pitch + column * pixelBytes, run, out);
    out += run * of.sampleBytes;
    at += run;
  }
  return to;
}

const void *fetched(const Channel &of, const uint32_t *indices, size_t n, void *to) {
  const uint64_t pixelBytes = uint64_t{of.sampleBytes} * of.interleaved;
  const bool isDense = of.pixels.isDense(static_cast<uint32_t>(pixelBytes));
  auto *out = static_cast<uint8_t *>(to);
  for (size_t i = 0; i < n; i++, out += of.sampleBytes) {
    const uint64_t pixel = indices[i];
    const uint64_t row = isDense ? 0 : pixel / of.pixels.width;
    every(of, of.pixels.data + row * of.pixels.pitch + (pixel - row * of.pixels.width) * pixelBytes, 1, out);
  }
  return to;
}

}  // namespace polybin
