#include "column.h"

#include <memory>

#include "codec.h"
#include "values.h"

namespace polybin {
namespace {

/** Places [first, end) of rows, or of values. */
struct Span {
  size_t first, end;

  size_t length() const { return end - first; }
};

/** Copies the values that indices name. */
template <typename T>
void gather(const uint8_t *dictionary, size_t count, const uint32_t *indices, uint32_t all, uint8_t *to) {
  const auto *const from = reinterpret_cast<const T *>(dictionary);
  auto *const own = reinterpret_cast<T *>(to);
  if (indices == nullptr) std::fill(own, own + count, from[all]);
  else {
    for (size_t i = 0; i < count; i++) own[i] = from[indices[i]];
  }
}

/** Moves values apart, so that each row has its own where its bit is set. Other rows have 0. */
template <typename T>
void spread(uint8_t *values, size_t rows, size_t present, const uint8_t *bits) {
  auto *const own = reinterpret_cast<T *>(values);
  size_t from = present;
  for (size_t i = rows; i-- > from;) {
    const bool isValue = isSet(bits, i);
    from -= isValue;
    own[i] = isValue ? own[from] : T{};
  }
}

template <typename Use>
void withWord(size_t size, Use use) {
  if (size == 8) use(uint64_t{});
  else if (size == 4) use(uint32_t{});
  else if (size == 2) use(uint16_t{});
  else use(uint8_t{});
}

class Reader {
 public:
  Reader(const PagesOf &of, const PagesTo &to, PagesRead &read) : of_(of), to_(to), read_(read), layout_(of.numbers.layout), size_(bytesOf(layout_)) {}

  bool read(const std::atomic<uint32_t> *stopped) {
    size_t i = 0;
    if (of_.numbers.dictionary != 0) {
      if (of_.pages.empty() || !readDictionary(of_.pages[i++])) return false;
    }
    single_ = taken() == Taken::counts ? length_ : 0;
    for (; i < of_.pages.size(); i++) {
      if ((stopped != nullptr && *stopped != 0) || !readPage(of_.pages[i])) return false;
    }
    if (rows_ < end()) return false;
    return taken() == Taken::rows ? isFull() : finish();
  }

 private:
  Taken taken() const { return of_.numbers.taken; }
  /** The rows before the first one that is not taken any more. */
  size_t end() const { return size_t{of_.numbers.skip} + of_.numbers.rows; }
  bool isCoded(const PageNumbers &page) const { return page.encoding == PageEncoding::coded; }

  /** Decompresses what follows the first `from` bytes of a page. */
  bool open(const PageNumbers &page, size_t from, Cursor &cursor) {
    const uint8_t *const stored = of_.bytes + page.start + from;
    const size_t bytes = page.end - page.start - from, size = page.size - from;
    // Some writers store nothing for a page of nulls.
    if (size == 0) cursor = {stored, stored};
    else if (page.compressed == 0 || of_.numbers.codec == PageCodec::none) {
      if (bytes != size) return false;
      cursor = {stored, stored + bytes};
    } else {
      if (bodySize_ < size) {
        // Memory that is not written first.
        body_.reset(new uint8_t[size]);
        bodySize_ = size;
      }
      if (!decompress(of_.numbers.codec, stored, bytes, body_.get(), size)) return false;
      cursor = {body_.get(), body_.get() + size};
    }
    return true;
  }

  bool readDictionary(const PageNumbers &page) {
    Cursor cursor{};
    length_ = page.values;
    dictionary_.resize((length_ * size_ + 7) / 8);
    if (!open(page, 0, cursor)) return false;
    return readPlain(cursor, PageEncoding::plain, length_, dictionary());
  }

  /** Reads values that are no indices. */
  bool readPlain(Cursor &cursor, PageEncoding encoding, size_t count, uint8_t *to) {
    if (layout_ == Layout::text) return readTexts(cursor, encoding, count, read_.texts, to);
    return readValues(cursor, {layout_, encoding, of_.numbers.width}, count, to);
  }

  uint8_t *dictionary() { return reinterpret_cast<uint8_t *>(dictionary_.data()); }

  /** Reads which rows have a value. @param present the number of these */
  bool readLevels(const PageNumbers &page, Cursor &cursor, size_t &present) {
    present = page.values;
    if (of_.numbers.level == 0) return true;
    levels_.assign((page.values + size_t{7}) / 8, 0);
    if (page.page == PageKind::v1) {
      if (cursor.rest() < 4) return false;
      uint32_t length;
      std::memcpy(&length, cursor.at, 4);
      cursor.at += 4;
      if (length > cursor.rest()) return false;
      Cursor levels{cursor.at, cursor.at + length};
      cursor.at += length;
      if (!readLevelBits(levels, of_.numbers.level, page.values, levels_.data())) return false;
      present = countBits(levels_.data(), 0, page.values);
      return true;
    }
    const uint8_t *const from = of_.bytes + page.start;
    Cursor levels{from, from + page.levels};
    if (page.levels == 0 && page.nulls == 0) setBits(levels_.data(), 0, page.values);
    else if (page.levels > 0 && !readLevelBits(levels, of_.numbers.level, page.values, levels_.data())) return false;
    present = countBits(levels_.data(), 0, page.values);
    return present + page.nulls == page.values;
  }

  bool readPage(const PageNumbers &page) {
    const size_t levels = page.page == PageKind::v2 ? page.levels : 0;
    if (page.page == PageKind::dictionary || page.start + levels > page.end || levels > page.size) return false;
    Cursor cursor{};
    size_t present = 0;
    if (!open(page, levels, cursor) || !readLevels(page, cursor, present)) return false;
    // The rows of the page that are taken.
    const size_t at = rows_, skip = of_.numbers.skip;
    const Span own{std::min<size_t>(page.values, skip > at ? skip - at : 0),
                   std::min<size_t>(page.values, end() > at ? end() - at : 0)};
    rows_ += page.values;
    if (taken() == Taken::rows) return readRows(page, cursor, present, own, at + own.first - skip);
    if (present == 0) return true;
    const auto before = [&](size_t row) { return of_.numbers.level == 0 ? row : countBits(levels_.data(), 0, row); };
    return readDense(page, cursor, present, {before(own.first), before(own.end)});
  }

  /** Reads all values of a page. */
  bool readAll(const PageNumbers &page, Cursor &cursor, size_t count, uint8_t *to) {
    if (!isCoded(page)) return readPlain(cursor, page.encoding, count, to);
    if (of_.numbers.dictionary == 0 || cursor.at == cursor.end) return false;
    const uint32_t width = *cursor.at++;
    return readIndices(cursor, width, count, length_, [&](size_t first, size_t step, const uint32_t *indices, uint32_t all) {
      withWord(size_, [&](auto word) {
        gather<decltype(word)>(dictionary(), step, indices, all, to + first * size_);
      });
    });
  }

  /** Where values are read that are not all taken. */
  uint8_t *spare(size_t count) {
    if (spare_.size() * 8 < count * size_) spare_.resize((count * size_ + 7) / 8);
    return reinterpret_cast<uint8_t *>(spare_.data());
  }

  /** Reads the rows of a page. @param to the place of the first one */
  bool readRows(const PageNumbers &page, Cursor &cursor, size_t present, const Span &own, size_t to) {
    // A page without values has no place.
    const bool isWhole = own.length() > 0 && own.length() == page.values;
    if (own.length() > 0 && (to + own.length()) * size_ > to_.valuesBytes) return false;
    uint8_t *const values = isWhole ? to_.values + to * size_ : spare(page.values);
    if (present > 0 && !readAll(page, cursor, present, values)) return false;
    if (present < page.values) {
      withWord(size_, [&](auto word) { spread<decltype(word)>(values, page.values, present, levels_.data()); });
    }
    if (own.length() == 0) return true;
    if (!isWhole) std::memcpy(to_.values + to * size_, values + own.first * size_, own.length() * size_);
    if (of_.numbers.level == 0) return true;
    if ((to + own.length() + 7) / 8 > to_.bitsBytes) return false;
    copyBits(to_.bits, to, levels_.data(), own.first, own.length());
    values_ += countBits(levels_.data(), own.first, own.length());
    return true;
  }

  /** Reads values without their rows. */
  bool readDense(const PageNumbers &page, Cursor &cursor, size_t present, const Span &own) {
    values_ += own.length();
    if (taken() == Taken::counts && isCoded(page)) return countIndices(cursor, present, own);
    const bool isWhole = own.length() == present;
    if ((single_ + own.length()) * size_ > to_.valuesBytes) return false;
    uint8_t *const to = to_.values + single_ * size_;
    uint8_t *const values = isWhole ? to : spare(present);
    if (!readAll(page, cursor, present, values)) return false;
    if (!isWhole) std::memcpy(to, values + own.first * size_, own.length() * size_);
    single_ += own.length();
    return true;
  }

  bool countIndices(Cursor &cursor, size_t present, const Span &own) {
    if (of_.numbers.dictionary == 0 || cursor.at == cursor.end || length_ > to_.countsLength) return false;
    const uint32_t width = *cursor.at++;
    uint32_t *const counts = to_.counts;
    return readIndices(cursor, width, present, length_, [&](size_t at, size_t step, const uint32_t *indices, uint32_t all) {
      const size_t first = std::min(step, own.first > at ? own.first - at : 0);
      const size_t end = std::min(step, own.end > at ? own.end - at : 0);
      if (indices == nullptr) {
        if (end > first) counts[all] += static_cast<uint32_t>(end - first);
        return;
      }
      for (size_t i = first; i < end; i++) counts[indices[i]]++;
    });
  }

  bool isFull() {
    read_.values = of_.numbers.rows;
    read_.nulls = of_.numbers.level == 0 ? 0 : static_cast<uint32_t>(of_.numbers.rows - values_);
    return true;
  }

  /** Puts the values with counts before the others, and leaves out those that do not occur. */
  bool finish() {
    read_.nulls = static_cast<uint32_t>(of_.numbers.rows - values_);
    if (layout_ == Layout::text) return countTexts();
    size_t used = 0;
    if (taken() == Taken::counts) {
      if (length_ * size_ > to_.valuesBytes || length_ > to_.countsLength) return false;
      for (size_t i = 0; i < length_; i++) {
        if (to_.counts[i] == 0) continue;
        std::memcpy(to_.values + used * size_, dictionary() + i * size_, size_);
        to_.counts[used++] = to_.counts[i];
      }
      std::memmove(to_.values + used * size_, to_.values + length_ * size_, (single_ - length_) * size_);
      single_ -= length_ - used;
    }
    read_.counted = static_cast<uint32_t>(used);
    read_.values = static_cast<uint32_t>(single_);
    return layout_ != Layout::boolean || countBooleans();
  }

  /** Two entries of a dictionary may be one text. */
  bool countTexts() {
    std::vector<uint32_t> &counts = read_.textCounts;
    counts.assign(read_.texts.ends().size(), 0);
    const size_t coded = taken() == Taken::counts ? length_ : 0;
    if (coded > to_.countsLength) return false;
    for (size_t i = 0; i < coded; i++) counts[codeAt(dictionary(), i)] += to_.counts[i];
    for (size_t i = coded; i < single_; i++) counts[codeAt(to_.values, i)]++;
    return true;
  }

  static uint32_t codeAt(const uint8_t *codes, size_t i) { return reinterpret_cast<const uint32_t *>(codes)[i]; }

  /** Booleans are two values, however they are stored. */
  bool countBooleans() {
    if (read_.counted > 0 || to_.countsLength < 2 || to_.valuesBytes < 2) return false;
    uint32_t both[2] = {0, 0};
    for (size_t i = 0; i < read_.values; i++) both[to_.values[i]]++;
    for (uint8_t value = 0; value < 2; value++) {
      if (both[value] == 0) continue;
      to_.values[read_.counted] = value;
      to_.counts[read_.counted++] = both[value];
    }
    read_.values = read_.counted;
    return true;
  }

  const PagesOf &of_;
  const PagesTo &to_;
  PagesRead &read_;
  const Layout layout_;
  const size_t size_;
  /** The page, decompressed. */
  std::unique_ptr<uint8_t[]> body_;
  size_t bodySize_ = 0;
  std::vector<uint8_t> levels_;
  /** Words, so that values of any size may lie there. */
  std::vector<uint64_t> dictionary_, spare_;
  /** Values of the dictionary. */
  size_t length_ = 0;
  /** Rows of the pages so far, the values of those that are taken, and the place of the next one without a count. */
  size_t rows_ = 0, values_ = 0, single_ = 0;
};

}  // namespace

PagesRead readPages(const PagesOf &of, const PagesTo &to, const std::atomic<uint32_t> *stopped) {
  PagesRead read;
  read.isRead = Reader(of, to, read).read(stopped);
  return read;
}

}  // namespace polybin
