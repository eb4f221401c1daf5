// Columns of JSON lines. A cut between two lines changes nothing.
#include <string>

#include "input.h"
#include "jsonl/read.h"

namespace polybin::fuzz {
namespace {

using Bytes = std::vector<uint8_t>;

/** Objects on lines of their own: those with an opening brace as the first byte that is no blank. */
uint32_t objectsIn(const Bytes &bytes) {
  uint32_t objects = 0;
  bool isStart = true;
  for (const uint8_t byte : bytes) {
    if (byte == '\n') isStart = true;
    else if (byte != ' ' && byte != '\t' && byte != '\r') {
      if (isStart) objects++;
      isStart = false;
    }
  }
  return objects;
}

void expectRow(const Column &all, size_t row, const Column &part, size_t own) {
  expect(isNull(all, row) == isNull(part, own), "the same nulls");
  if (isNull(all, row)) return;
  if (all.isText()) {
    expect(textAt(all, row) == textAt(part, own), "the same texts");
  } else if (all.rows() > 0) {
    const size_t size = all.bytes() / all.rows();
    expect(std::memcmp(&all.values()[row * size], &part.values()[own * size], size) == 0, "the same values");
  }
}

void check(Input &input) {
  JsonlOf of;
  const uint32_t fields = 1 + input.number(5);
  const char *const names[] = {"a", "time", "a.b", "", "a long name of a field", "\xc3\xa4\"\\"};
  // A column is read once, and has no fields.
  std::vector<bool> has(fields + 1);
  for (uint32_t i = 0; i < fields; i++) {
    const uint32_t parent = input.number(i);
    of.fields.push_back({names[i], parent});
    if (parent > 0) has[parent - 1] = true;
  }
  for (const Wanted &column : wantedOf(input, fields)) {
    if (!has[column.index]) of.columns.push_back(column);
    has[column.index] = true;
  }
  const uint32_t cut = input.number(65535);
  const Bytes bytes = input.rest();
  const PieceRead read = readJsonl(of, bytes.data(), bytes.size(), nullptr);
  if (read.isRegular) expect(read.rows == objectsIn(bytes), "every object");
  size_t at = std::min<size_t>(cut, bytes.size());
  while (at > 0 && bytes[at - 1] != '\n') at--;
  const Bytes before(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(at)), after(bytes.begin() + static_cast<ptrdiff_t>(at), bytes.end());
  const PieceRead first = readJsonl(of, before.data(), before.size(), nullptr), second = readJsonl(of, after.data(), after.size(), nullptr);
  expect(read.isRegular == (first.isRegular && second.isRegular), "regular parts of regular lines");
  if (!read.isRegular) return;
  expect(read.rows == first.rows + second.rows, "all rows");
  for (size_t i = 0; i < read.columns.size(); i++) {
    const Column &all = read.columns[i];
    expect(all.rows() == read.rows, "a value for each row");
    for (size_t row = 0; row < read.rows; row++) {
      const bool isFirst = row < first.rows;
      expectRow(all, row, (isFirst ? first : second).columns[i], isFirst ? row : row - first.rows);
    }
  }
}

}  // namespace
}  // namespace polybin::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  polybin::fuzz::Input input(bytes, size);
  polybin::fuzz::check(input);
  return 0;
}
