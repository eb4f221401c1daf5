// The readers of text in WebAssembly, for pages and for platforms without an addon. JavaScript allocates memory, writes
// bytes and packed numbers into it, and copies the columns.
#include <memory>
#include <string>

#include "csv/read.h"
#include "generated/border.h"
#include "jsonl/read.h"

#define POLYBIN_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace polybin {
namespace {

/** What was read last, until JavaScript has copied it. */
struct Found {
  PieceRead read;
  std::vector<std::vector<uint8_t>> valid;
  std::vector<TextFoundNumbers> columns;
};
std::unique_ptr<Found> found;

uint32_t addressOf(const void *memory) { return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(memory)); }

/** Writes where values lie. */
template <typename T>
void tell(const std::vector<T> &of, uint32_t &at, uint32_t &bytes) {
  at = addressOf(of.data());
  bytes = static_cast<uint32_t>(of.size() * sizeof(T));
}

TextFoundNumbers toldOf(const Column &column, const std::vector<uint8_t> &valid) {
  TextFoundNumbers told{};
  told.values = addressOf(column.values().data());
  told.valuesBytes = static_cast<uint32_t>(column.bytes());
  told.nulls = column.nulls();
  tell(valid, told.valid, told.validBytes);
  if (column.isText()) {
    tell(column.codes().ends(), told.ends, told.endsBytes);
    tell(column.codes().texts(), told.texts, told.textsBytes);
  } else {
    tell(column.unread(), told.ends, told.endsBytes);
    tell(column.texts(), told.texts, told.textsBytes);
  }
  tell(column.counts(), told.counts, told.countsBytes);
  return told;
}

/** Keeps what was read. @returns the numbers of its columns, or null if it is not regular */
const TextFoundNumbers *keep(PieceRead read) {
  if (!read.isRegular) return nullptr;
  read.count();
  found = std::make_unique<Found>();
  found->read = std::move(read);
  // One more, so that there is an address without columns, too.
  found->columns.reserve(found->read.columns.size() + 1);
  for (const Column &column : found->read.columns) {
    found->valid.push_back(column.valid());
    found->columns.push_back(toldOf(column, found->valid.back()));
  }
  return found->columns.data();
}

std::vector<Wanted> wantedOf(const TextColumnNumbers *columns, size_t count) {
  std::vector<Wanted> wanted;
  for (const TextColumnNumbers *own = columns; own != columns + count; own++) {
    wanted.push_back({own->index, own->stored, {static_cast<int>(own->digits), own->zone != 0}, own->counted != 0});
  }
  return wanted;
}

}  // namespace

POLYBIN_EXPORT(readCsv)
const TextFoundNumbers *readCsvOf(const uint8_t *bytes, size_t size, const CsvNumbers *numbers, const TextColumnNumbers *columns,
                                  size_t count, const uint8_t *nulls, size_t nullsBytes, const uint8_t *textNulls,
                                  size_t textNullsBytes) {
  const CsvOf of{{static_cast<uint8_t>(numbers->separator), static_cast<uint8_t>(numbers->quote), numbers->quote != 0},
                 numbers->width,
                 Instructions::plain,
                 numbers->utf8 != 0,
                 wantedOf(columns, count),
                 NullTexts(nulls, nullsBytes),
                 NullTexts(textNulls, textNullsBytes)};
  return keep(readCsv(of, bytes, size, nullptr));
}

/** @param keys all keys, one behind the other @param sizes the bytes of each @param parents of each, 0: the line */
POLYBIN_EXPORT(readJsonl)
const TextFoundNumbers *readJsonlOf(const uint8_t *bytes, size_t size, const TextColumnNumbers *columns, size_t count,
                                    const char *keys, const uint32_t *sizes, const uint32_t *parents, size_t fields) {
  JsonlOf of;
  for (size_t k = 0; k < fields; keys += sizes[k++]) of.fields.push_back({std::string(keys, sizes[k]), parents[k]});
  of.columns = wantedOf(columns, count);
  return keep(readJsonl(of, bytes, size, nullptr));
}

POLYBIN_EXPORT(rows)
uint32_t rowsOf() { return found->read.rows; }

/** Frees what was read. */
POLYBIN_EXPORT(drop)
void drop() { found.reset(); }

}  // namespace polybin
