// Reads the pages of a column.
#pragma once
#include <atomic>
#include <vector>

#include "generated/border.h"

namespace polybin {

/** A column to read, and its bytes. */
struct PagesOf {
  ParquetNumbers numbers;
  const uint8_t *bytes;
  /** The first one is that of the dictionary, if there is one. */
  std::vector<PageNumbers> pages;
};

/** Memory for what is read. */
struct PagesTo {
  uint8_t *values;
  size_t valuesBytes;
  /** Room for one bit per row, which are 0. */
  uint8_t *bits;
  size_t bitsBytes;
  /** Room for one number for each value of the dictionary, which are 0. */
  uint32_t *counts;
  size_t countsLength;
};

/** The result of a reading. */
struct PagesRead {
  /** If not, other code reads the pages, or says what is wrong with them. */
  bool isRead = false;
  /** Values that were stored, and those of them that have counts. */
  uint32_t values = 0, counted = 0;
  uint32_t nulls = 0;
};

/** @param stopped not 0: the values are not needed any more */
PagesRead readPages(const PagesOf &, const PagesTo &, const std::atomic<uint32_t> *stopped);

}  // namespace polybin
