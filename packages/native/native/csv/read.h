// Reads columns from a piece of CSV, which is whole records.
#pragma once
#include <atomic>

#include "column.h"

namespace polybin {

/** What is read, and how. */
struct CsvOf {
  Dialect dialect;
  /** Fields of a record. */
  uint32_t width;
  Instructions instructions;
  /** Whether the bytes must be UTF-8. */
  bool isUtf8;
  std::vector<Wanted> columns;
  /** Texts that are nulls, and those that are nulls in columns of texts. */
  NullTexts nulls, textNulls;
};

/** The columns of a piece. */
struct CsvRead {
  /**
   * Whether every record has its fields, quotation marks enclose whole fields, and the encoding is right. If not, the
   * columns are not complete, and JavaScript reads the piece.
   */
  bool isRegular = false;
  uint32_t rows = 0;
  std::vector<Column> columns;
};

/** @param of must live as long as the columns. @param stopped not 0: the columns are not needed any more */
CsvRead readCsv(const CsvOf &, const uint8_t *bytes, size_t size, const std::atomic<uint32_t> *stopped);

}  // namespace polybin
