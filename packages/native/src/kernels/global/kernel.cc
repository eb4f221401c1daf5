// One table to which several threads add: all of them (global), or those of a group (per-warp).
//
//   table   [row]   64 bits, because nobody can sum a shared table before all threads have ended
//
// Bound: an atomic addition takes about twenty cycles if no other thread interferes. Otherwise it takes the time to move
// the line between cores.
// Source: The CUDA Handbook, histogram chapter, "One Global Histogram—and Contention"; for groups Podlozhnyuk 2009,
// "Implementation of oclHistogram256", with atomics for collisions.
#include "kernels/tally.h"

namespace polybin {
namespace {

void add(uint32_t *table, uint32_t row) {
  __atomic_fetch_add(reinterpret_cast<uint64_t *>(table) + row, 1, __ATOMIC_RELAXED);
}

void rows(const Shape &, const uint32_t *rows, size_t n, uint32_t *table) {
  for (size_t i = 0; i < n; i++) add(table, rows[i]);
}

void bytes(const Shape &, const uint8_t *bytes, size_t n, uint32_t *table) {
  for (size_t i = 0; i < n; i++) add(table, bytes[i]);
}

void sum(const Shape &, const Span &span, uint32_t *table, double *counts) {
  auto *const counters = reinterpret_cast<uint64_t *>(table) + span.first;
  for (uint32_t row = 0; row < span.count; row++) {
    counts[row] += static_cast<double>(counters[row]);
    counters[row] = 0;
  }
}

}  // namespace

Tally perGroupTally() { return {true, rows, bytes, sum, nullptr, nullptr, nullptr}; }

}  // namespace polybin
