// Reads columns from a piece of CSV, which is whole records.
#pragma once
#include "fields.h"
#include "nulls.h"
#include "text/piece.h"

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

/**
 * Reads a piece. It is regular if every record has its fields, quotation marks enclose whole fields, and the encoding is
 * right.
 */
PieceRead readCsv(const CsvOf &, const uint8_t *bytes, size_t size, Stopped);
/** Does the same in steps. */
std::unique_ptr<ReadsSteps> csvSteps(const CsvOf &, size_t size, PieceRead &to);

/** Returns whether an odd number of quotation marks is in a piece. */
bool isQuoteOpen(const Dialect &, const uint8_t *bytes, size_t size);

}  // namespace polybin
