// Pages of a column of Parquet. Values that are listed, counted or stored by rows are the same ones.
#include <algorithm>
#include <map>

#include "input.h"
#include "parquet/column.h"
#include "parquet/values.h"

namespace polybin::fuzz {
namespace {

using Bytes = std::vector<uint8_t>;
/** How often each value occurs, by its bytes. */
using Counts = std::map<Bytes, uint64_t>;

/** Values of a page at most: JavaScript refuses pages with more than their bytes explain. */
constexpr uint32_t MOST_VALUES = 5000;

struct Result {
  PagesRead read;
  Bytes values, bits;
  std::vector<uint32_t> counts;
};

Bytes textOf(const TextCodes &texts, size_t code) {
  const uint8_t *const all = texts.texts().data();
  return {all + (code == 0 ? 0 : texts.ends()[code - 1]), all + texts.ends()[code]};
}

Result resultOf(PagesOf of, Taken taken) {
  of.numbers.taken = taken;
  const bool isRows = taken == Taken::rows;
  const size_t coded = taken == Taken::counts ? of.pages[0].values : 0, rows = of.numbers.rows;
  Result to;
  to.values.resize((rows + coded) * bytesOf(of.numbers.layout));
  to.bits.resize(isRows && of.numbers.level != 0 ? (rows + 7) / 8 : 0);
  to.counts.resize(isRows ? 0 : std::max<size_t>(coded, 2));
  to.read = readPages(of, {to.values.data(), to.values.size(), to.bits.data(), to.bits.size(), to.counts.data(), to.counts.size()}, nullptr);
  return to;
}

Counts countsOfRows(const PagesOf &of, const Result &from) {
  Counts counts;
  const size_t size = bytesOf(of.numbers.layout);
  uint32_t nulls = 0;
  for (size_t row = 0; row < of.numbers.rows; row++) {
    if (of.numbers.level != 0 && ((from.bits[row / 8] >> (row % 8)) & 1) == 0) {
      nulls++;
      continue;
    }
    const auto at = from.values.begin() + static_cast<ptrdiff_t>(row * size);
    const bool isText = of.numbers.layout == Layout::text;
    counts[isText ? textOf(from.read.texts, valueAt<uint32_t>(from.values, row)) : Bytes(at, at + static_cast<ptrdiff_t>(size))]++;
  }
  expect(nulls == from.read.nulls, "the number of nulls");
  return counts;
}

Counts countsOf(const PagesOf &of, const Result &from) {
  Counts counts;
  const size_t size = bytesOf(of.numbers.layout);
  const auto add = [&](const Bytes &value, uint32_t count) {
    if (count > 0) counts[value] += count;
  };
  if (of.numbers.layout == Layout::text) {
    for (size_t code = 0; code < from.read.textCounts.size(); code++) add(textOf(from.read.texts, code), from.read.textCounts[code]);
    return counts;
  }
  expect(from.read.counted <= from.read.values, "no more counts than values");
  for (size_t i = 0; i < from.read.values; i++) {
    const auto at = from.values.begin() + static_cast<ptrdiff_t>(i * size);
    add({at, at + static_cast<ptrdiff_t>(size)}, i < from.read.counted ? from.counts[i] : 1);
  }
  return counts;
}

/** Node has the others, this program does not. */
constexpr PageCodec CODECS[] = {PageCodec::none, PageCodec::snappy, PageCodec::lz4};

void check(Input &input) {
  PagesOf of{};
  of.numbers.codec = CODECS[input.number(2)];
  of.numbers.layout = input.one(Layout::text);
  of.numbers.level = input.number(3);
  of.numbers.width = input.number(20);
  of.numbers.dictionary = input.number(1);
  of.numbers.skip = input.number(MOST_VALUES);
  of.numbers.rows = input.number(MOST_VALUES);
  of.pages.resize(input.number(4));
  for (PageNumbers &page : of.pages) {
    page.page = input.one(PageKind::v2);
    page.encoding = input.one(PageEncoding::prefixes);
    page.end = input.number(65535);
    page.size = input.number(65535);
    page.values = input.number(MOST_VALUES);
    page.levels = input.number(65535);
    page.nulls = input.number(MOST_VALUES);
    page.compressed = input.number(1);
  }
  const Bytes bytes = input.rest();
  uint32_t at = 0;
  for (PageNumbers &page : of.pages) {
    page.start = at;
    page.end = at = std::min<uint32_t>(at + page.end, static_cast<uint32_t>(bytes.size()));
  }
  of.bytes = bytes.data();
  if (of.numbers.dictionary != 0 && of.pages.empty()) return;
  const Result rows = resultOf(of, Taken::rows), values = resultOf(of, Taken::values);
  if (!rows.read.isRead) return;
  const Counts right = countsOfRows(of, rows);
  // Other code reads what is rare.
  if (!values.read.isRead) return;
  expect(values.read.nulls == rows.read.nulls && countsOf(of, values) == right, "the values of the rows");
  if (of.numbers.dictionary == 0) return;
  const Result counts = resultOf(of, Taken::counts);
  if (!counts.read.isRead) return;
  expect(counts.read.nulls == rows.read.nulls && countsOf(of, counts) == right, "the counts of the rows");
}

}  // namespace
}  // namespace polybin::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  polybin::fuzz::Input input(bytes, size);
  polybin::fuzz::check(input);
  return 0;
}
