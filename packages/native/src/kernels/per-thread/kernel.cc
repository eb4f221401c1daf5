// One table for each thread.
//
//   tables   [row]   32 bits
//
// Bound: equal neighbours, each of which waits for the other's store.
// Source: Nugteren et al. 2011, as described by Brown & Snoeyink 2012, section 4.2, with a thread of a processor in place
// of a thread of a block.
#include "kernels/tally.h"

namespace polybin {
namespace {

void rows(const Shape &, const uint32_t *rows, size_t n, uint32_t *table) {
  for (size_t i = 0; i < n; i++) table[rows[i]]++;
}

void bytes(const Shape &, const uint8_t *bytes, size_t n, uint32_t *table) {
  for (size_t i = 0; i < n; i++) table[bytes[i]]++;
}

}  // namespace

Tally perThreadTally() { return {false, rows, bytes, sumTables, nullptr, nullptr, nullptr}; }

}  // namespace polybin
