// The tables of one segment at a time. A segment has several, which neighbouring samples use in turn, if it has many
// samples for each of their rows.
//
//   tables   [table][row]
//
// Bound: short segments take as long as adding their tables to the row; long ones are counted as by per-lane.
// Source: polybin.
#include "kernels/tally.h"

namespace polybin {
namespace {

/** Counts bytes in tables at any distance. */
void bytes(const Shape &of, const uint8_t *bytes, size_t n, uint32_t *tables) {
  size_t i = 0;
  if (of.tables == 4) {
    uint32_t *const a = tables, *const b = a + of.stride, *const c = b + of.stride, *const d = c + of.stride;
    for (const size_t end = n - n % 4; i != end; i += 4) {
      a[bytes[i]]++;
      b[bytes[i + 1]]++;
      c[bytes[i + 2]]++;
      d[bytes[i + 3]]++;
    }
  }
  for (; i < n; i++) tables[bytes[i]]++;
}

}  // namespace

Tally perSegmentTally() {
  const Tally lanes = perLaneTally();
  return {false, lanes.rows, bytes, sumTables, nullptr, nullptr, nullptr};
}

}  // namespace polybin
