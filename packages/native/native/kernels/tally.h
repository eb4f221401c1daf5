// The kernel of an algorithm counts rows, or bytes, in tables.
#pragma once
#include <cstddef>
#include <cstdint>

#include "generated/border.h"

namespace polybin {

/** The tables of one channel. */
struct Shape {
  /** Counters of a table. */
  uint32_t rows;
  /** Words from one table to the next. */
  uint32_t stride;
  uint32_t tables;
  /** trish: words of a lane before it checks its counters, and whether rows are summed in pairs. */
  uint32_t words = 0;
  bool pairs = false;
};

/** Some rows of a table. */
struct Span {
  uint32_t first, count;
};

/** The distance of eight and of four tables of per-lane, whatever their rows. */
constexpr uint32_t STRIDE_8 = limits::TABLE_WORDS / 8 + 16, STRIDE_4 = limits::TABLE_WORDS / 4 + 16;

/** Interleaved bytes, and a bit for each channel that is counted. */
struct Channels {
  uint32_t interleaved;
  uint32_t mask;
  /** Whether two neighbouring bytes are counted as one number. */
  bool pairs = false;
};

/** Counters are 0 before. A caller sums tables of one thread before a counter of 32 bits can overflow. */
struct Tally {
  /** Whether several threads count in the same tables. */
  bool shared;
  void (*rows)(const Shape &, const uint32_t *rows, size_t n, uint32_t *tables);
  void (*bytes)(const Shape &, const uint8_t *bytes, size_t n, uint32_t *tables);
  /** Adds some rows of the tables of one channel to counts, and clears them. */
  void (*sum)(const Shape &, const Span &, uint32_t *tables, double *counts);
  /**
   * Counts the bytes of several channels in one pass, in tables for all channels together. Null: `bytes` counts a
   * channel at a time.
   */
  void (*pixels)(const Channels &, const uint8_t *bytes, size_t pixels, uint32_t *tables);
  /** Words that `pixels` needs, and the sum of all channels' tables. */
  uint32_t (*pixelWords)(const Channels &);
  void (*sumPixels)(const Channels &, uint32_t *tables, double *counts);
  /** Counts 16-bit samples of which each has a bin, in the order of their bits after `flip`. Null: `rows` counts them. */
  void (*words)(const Shape &, const void *samples, size_t n, uint16_t flip, uint32_t *tables) = nullptr;
};

/** Adds tables of counters of 32 bits. */
void sumTables(const Shape &, const Span &, uint32_t *tables, double *counts);

/** The kernels by their algorithms: src/kernels/<slug>/kernel.cc. */
Tally perLaneTally();
Tally perThreadTally();
Tally perGroupTally();
Tally trishTally();
Tally perSegmentTally();

}  // namespace polybin
