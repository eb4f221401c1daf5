// The columns of a piece of text, which is whole records.
#pragma once
#include <atomic>
#include <memory>

#include "column.h"

namespace polybin {

struct PieceRead {
  /** Whether compiled code could read every record. If not, the columns are not complete, and JavaScript reads the piece. */
  bool isRegular = false;
  uint32_t rows = 0;
  std::vector<Column> columns;

  /** Counts equal values of the columns without rows. */
  void count() {
    for (Column &column : columns) column.count();
  }

  /** The rows of all bytes if those to come are as those so far, and a few more. */
  size_t expected(size_t bytes, size_t done) const {
    return done == 0 ? 0 : static_cast<size_t>(1.05 * rows * static_cast<double>(bytes) / static_cast<double>(done));
  }
};

/** Places are numbers of 31 bits. */
constexpr size_t MOST_PIECE_BYTES = (size_t{1} << 31) - 64;

/** Not 0: the columns are not needed any more. Null: they are. */
using Stopped = const std::atomic<uint32_t> *;

/** Reads a piece in steps, so that its bytes need not be in memory at once. */
class ReadsSteps {
 public:
  virtual ~ReadsSteps() = default;
  /**
   * Reads the whole records of a step.
   * @param isLast whether the piece ends with this step. If not, the bytes from the last record on come again
   * @param used receives the bytes that were read
   * @returns false if one of the records is not regular
   */
  virtual bool read(const uint8_t *bytes, size_t size, bool isLast, size_t &used, Stopped) = 0;
};

}  // namespace polybin
