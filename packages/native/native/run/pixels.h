// Samples in memory: rows of pixels of interleaved channels.
#pragma once
#include <cstddef>
#include <cstdint>

namespace polybin {

/** Rows of pixels in memory. */
struct Pixels {
  const uint8_t *data;
  /** Pixels of a row, and rows. */
  uint64_t width, height;
  /** Bytes from row to row. */
  uint64_t pitch;

  /** Whether rows have no gaps. */
  bool isDense(uint32_t pixelBytes) const { return height == 1 || pitch == width * pixelBytes; }
};

/** One channel of pixels. */
struct Channel {
  Pixels pixels;
  uint32_t sampleBytes, interleaved, channel;
};

/**
 * Consecutive samples of a channel.
 * @param to memory for `n` samples of up to 8 bytes
 * @return `to`, or the samples themselves where they lie side by side
 */
const void *fetched(const Channel &, uint64_t from, size_t n, void *to);

/** Pixels that are counted between two requests for later ones. */
size_t stepOf(uint32_t pixelBytes);

/**
 * Requests pixels from memory that follow these at some distance. A processor's own requests end with a page, and few are
 * made while counters are written.
 */
void fetchAhead(const Pixels &, uint32_t pixelBytes, uint64_t from, size_t n);

/** The samples of pixels with these indices. */
const void *fetched(const Channel &, const uint32_t *indices, size_t n, void *to);

}  // namespace polybin
