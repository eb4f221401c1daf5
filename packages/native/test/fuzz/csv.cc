// Columns of CSV, compared with a reader that takes one byte after another, with other instructions, and with the parts of a
// file.
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "csv/read.h"
#include "input.h"
#include "text/part.h"

namespace polybin::fuzz {
namespace {

using Bytes = std::vector<uint8_t>;
using Fields = std::vector<Bytes>;

/** Reads regular CSV in the simplest way. Each field keeps what is between its quotation marks. */
std::vector<Fields> recordsOf(const CsvOf &of, const Bytes &bytes) {
  std::vector<Fields> records;
  Fields record;
  Bytes field;
  bool isStart = true, isOpen = false, isBlank = true;
  const auto endField = [&](bool isLast) {
    if (isLast && !field.empty() && field.back() == '\r') field.pop_back();
    record.push_back(field);
    field.clear();
    isStart = true;
  };
  const auto endRecord = [&] {
    // A blank line is a record of one empty field.
    endField(true);
    if (of.width == 1 || record.size() > 1 || !record[0].empty() || !isBlank) records.push_back(record);
    record.clear();
    isBlank = true;
  };
  for (size_t i = 0; i < bytes.size(); i++) {
    const uint8_t byte = bytes[i];
    if (isOpen) {
      if (byte != of.dialect.quote) field.push_back(byte);
      else if (i + 1 < bytes.size() && bytes[i + 1] == of.dialect.quote) field.push_back(bytes[++i]);
      else {
        isOpen = false;
        // A carriage return behind the mark is none of the text.
        if (i + 1 < bytes.size() && bytes[i + 1] == '\r') i++;
      }
    } else if (of.dialect.hasQuote && isStart && byte == of.dialect.quote) {
      isOpen = true;
      isStart = isBlank = false;
    } else if (byte == '\n') {
      endRecord();
    } else if (byte == of.dialect.separator) {
      isBlank = false;
      endField(false);
    } else {
      field.push_back(byte);
      isStart = false;
    }
  }
  if (!bytes.empty() && bytes.back() != '\n') endRecord();
  return records;
}

void checkValue(const CsvOf &of, const Column &column, size_t row, const Bytes &field) {
  const std::string text(field.begin(), field.end());
  const NullTexts &nulls = column.isText() ? of.textNulls : of.nulls;
  const bool isMissing = nulls.has({field.data(), field.data() + field.size(), field.data()});
  for (const Unread &unread : column.unread()) {
    if (unread.row == row) return;
  }
  expect(isNull(column, row) == isMissing, "a null for a text that is one");
  if (isMissing) return;
  if (column.isText()) expect(textAt(column, row) == field, "the text of the field");
  if (column.stored() == Stored::f64) {
    const double right = std::strtod(text.c_str(), nullptr);
    expect(valueAt<double>(column.values(), row) == right, "the number of the field");
  }
  if (column.stored() == Stored::i64) {
    expect(valueAt<int64_t>(column.values(), row) == std::strtoll(text.c_str(), nullptr, 10), "the integer of the field");
  }
}

void checkRecords(const CsvOf &of, const Bytes &bytes, const PieceRead &read) {
  const std::vector<Fields> records = recordsOf(of, bytes);
  expect(records.size() == read.rows, "every record");
  for (size_t row = 0; row < records.size(); row++) {
    expect(records[row].size() == of.width, "every field");
    for (const Column &column : read.columns) checkValue(of, column, row, records[row][column.index()]);
  }
}

bool areEqual(const PieceRead &a, const PieceRead &b) {
  if (a.isRegular != b.isRegular) return false;
  if (!a.isRegular) return true;
  if (a.rows != b.rows) return false;
  for (size_t i = 0; i < a.columns.size(); i++) {
    const Column &one = a.columns[i], &other = b.columns[i];
    if (one.bytes() != other.bytes() || one.valid() != other.valid() || one.texts() != other.texts()) return false;
    if (one.bytes() > 0 && std::memcmp(one.values().data(), other.values().data(), one.bytes()) != 0) return false;
    if (one.codes().texts() != other.codes().texts() || one.codes().ends() != other.codes().ends()) return false;
  }
  return true;
}

/** Reads the parts of a file. If no part is cut, they have the records of all bytes. */
void checkParts(const CsvOf &of, const Bytes &bytes, uint64_t start, uint64_t partBytes) {
  const int file = memfd_create("polybin", 0);
  expect(file >= 0 && write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "a file");
  const ReadsPieces reads{[&](const uint8_t *at, size_t size, Stopped stopped) { return readCsv(of, at, size, stopped); },
                          [&](const uint8_t *at, size_t size) { return isQuoteOpen(of.dialect, at, size); },
                          [&](size_t size, PieceRead &to) { return csvSteps(of, size, to); }};
  uint64_t next = start;
  uint32_t rows = 0;
  bool isWhole = true;
  for (uint64_t part = 0; part * partBytes < bytes.size(); part++) {
    const PartRead read = readPart({file, start, bytes.size(), partBytes, part}, reads, nullptr);
    isWhole = isWhole && !read.isCut && read.read.isRegular;
    rows += read.read.rows;
    if (!isWhole || read.bytes == 0) continue;
    expect(read.offset == next, "the record after the last part's");
    next += read.bytes;
  }
  close(file);
  if (!isWhole) return;
  expect(next == std::max<uint64_t>(start, bytes.size()), "all bytes");
  const Bytes all(bytes.begin() + static_cast<ptrdiff_t>(start), bytes.end());
  const PieceRead read = readCsv(of, all.data(), all.size(), nullptr);
  if (read.isRegular) expect(read.rows == rows, "the records of all parts");
}

/** Parts of a file at most: each takes a while. */
constexpr size_t MOST_PARTS = 6;

void check(Input &input) {
  constexpr uint8_t SEPARATORS[] = {',', ';', '\t', '|', ' '}, QUOTES[] = {'"', '\''};
  const uint8_t separator = SEPARATORS[input.number(4)];
  const uint32_t quote = input.number(2);
  const uint32_t width = 1 + input.number(9);
  const bool isUtf8 = input.flag();
  const uint32_t partBytes = input.number(255);
  const std::vector<Wanted> columns = wantedOf(input, width);
  const uint8_t nulls[] = {0, 2, 'N', 'A', 4, 'n', 'u', 'l', 'l'};
  const bool hasNulls = input.flag();
  const NullTexts all(nulls, hasNulls ? sizeof nulls : 0), none(nulls, 0);
  CsvOf of{{separator, quote < 2 ? QUOTES[quote] : uint8_t{0}, quote < 2}, width, Instructions::best, isUtf8, columns, all, none};
  const Bytes bytes = input.rest();
  const PieceRead read = readCsv(of, bytes.data(), bytes.size(), nullptr);
  if (read.isRegular) checkRecords(of, bytes, read);
  if (partBytes > 0 && bytes.size() / partBytes < MOST_PARTS) {
    checkParts(of, bytes, std::min<uint64_t>(partBytes / 4, bytes.size()), partBytes);
  }
  of.instructions = Instructions::plain;
  expect(areEqual(read, readCsv(of, bytes.data(), bytes.size(), nullptr)), "the same with other instructions");
}

}  // namespace
}  // namespace polybin::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  polybin::fuzz::Input input(bytes, size);
  polybin::fuzz::check(input);
  return 0;
}
