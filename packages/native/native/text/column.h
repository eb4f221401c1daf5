// The values of a column of a piece of text, as they are read.
#pragma once
#include <vector>

#include "generated/border.h"
#include "numbers.h"
#include "text-codes.h"

namespace polybin {

/** A text that only JavaScript reads: its row, and where it ends behind the texts before it. */
struct Unread {
  uint32_t row, end;
};

/** A column that is wanted. */
struct Wanted {
  uint32_t index;
  Stored stored;
  Clock clock;
  /** Whether equal values are counted. */
  bool isCounted;
};

class Column {
 public:
  explicit Column(const Wanted &of) : of_(of) {}

  /** Makes room for this number of rows more, or for as many as are expected in all. */
  void reserve(size_t rows, size_t expected);
  void addNull();
  /** Adds the value of a text. Returns false, and adds nothing, if it is not surely the value. */
  bool read(const Text &);
  /** Adds a text to a column of texts. */
  void addText(const Text &);
  /** Adds a row whose value JavaScript reads. @param raw the text as it is in the file */
  void leave(const Text &raw);
  /** Counts equal values, and drops the rows. Values that hardly repeat, or that JavaScript reads, keep their rows. */
  void count();

  uint32_t index() const { return of_.index; }
  Stored stored() const { return of_.stored; }
  uint32_t rows() const { return rows_; }
  uint32_t nulls() const { return nulls_; }
  /** The bytes of all values, which are 0 for a null. There may be more memory than values. */
  const std::vector<uint8_t> &values() const { return values_; }
  size_t bytes() const;
  /** One bit a row, 1 for a value. Empty: there are no nulls. */
  std::vector<uint8_t> valid() const;
  const std::vector<Unread> &unread() const { return unread_; }
  /** The texts that were not read, as they stand in the file. */
  const std::vector<uint8_t> &texts() const { return texts_; }
  bool isText() const { return of_.stored == Stored::text; }
  /** The texts that the values of a column of texts number. */
  const TextCodes &codes() const { return codes_; }
  /** How often each value, or each different text, occurs. Empty: the values have rows. */
  const std::vector<uint32_t> &counts() const { return counts_; }
  bool isCounted() const { return !counts_.empty(); }

 private:
  template <typename T>
  void put(T);
  template <typename T>
  bool putWhole(const Text &, T least, T most);
  /** Adds a row whose value is 0. */
  void clear();
  bool isMissing(size_t row) const { return row / 8 < missing_.size() && (missing_[row / 8] >> (row % 8) & 1) != 0; }
  void countTexts();

  const Wanted of_;
  TextCodes codes_;
  std::vector<uint8_t> values_;
  /** A bit is 1 for a null. */
  std::vector<uint8_t> missing_;
  std::vector<Unread> unread_;
  std::vector<uint8_t> texts_;
  std::vector<uint32_t> counts_;
  uint32_t rows_ = 0, nulls_ = 0;
};

}  // namespace polybin
