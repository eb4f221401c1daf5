// The values of a column of a piece, as they are read.
#pragma once
#include <vector>

#include "fields.h"
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
};

/** Texts that are nulls. */
class NullTexts {
 public:
  /** @param texts the texts, each behind the number of its bytes */
  NullTexts(const uint8_t *texts, size_t bytes);
  bool has(const Text &) const;

 private:
  std::vector<uint8_t> texts_;
  size_t longest_ = 0;
  bool hasEmpty_ = false;
  /** Whether a text that is not empty starts with this byte. */
  bool starts_[256] = {};
};

class Column {
 public:
  /** @param nulls the texts that are nulls in this column */
  Column(const Wanted &of, const NullTexts &nulls) : of_(of), missingTexts_(nulls) {}

  /** Makes room for this number of rows more, or for as many as are expected in all. */
  void reserve(size_t rows, size_t expected);
  /** Adds a field. @param isLast whether it ends its record, where a carriage return is none of its text */
  void add(const Dialect &, const Text &field, bool isLast);

  uint32_t index() const { return of_.index; }
  uint32_t rows() const { return rows_; }
  uint32_t nulls() const { return nulls_; }
  /** The bytes of all values, which are 0 for a null. There may be more memory than values. */
  const std::vector<uint8_t> &values() const { return values_; }
  size_t bytes() const;
  /** One bit a row, 1 for a value. Empty: there are no nulls. */
  std::vector<uint8_t> valid() const;
  const std::vector<Unread> &unread() const { return unread_; }
  /** The fields that were not read, with their quotation marks and carriage returns. */
  const std::vector<uint8_t> &texts() const { return texts_; }
  bool isText() const { return of_.stored == Stored::text; }
  /** The texts that the values of a column of texts number. */
  const TextCodes &codes() const { return codes_; }

 private:
  bool read(const Text &);
  void addText(const Dialect &, Text, bool isLast);
  template <typename T>
  void put(T);
  template <typename T>
  bool putWhole(const Text &, T least, T most);
  void addNull();
  /** Adds a row whose value is 0. */
  void clear();

  const Wanted of_;
  const NullTexts &missingTexts_;
  TextCodes codes_;
  std::vector<uint8_t> values_;
  /** A bit is 1 for a null. */
  std::vector<uint8_t> missing_;
  std::vector<Unread> unread_;
  std::vector<uint8_t> texts_;
  uint32_t rows_ = 0, nulls_ = 0;
};

}  // namespace polybin
