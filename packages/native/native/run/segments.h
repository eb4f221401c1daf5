// A count of segments, each into a row of its own. Segment order lists the pixels of one segment after another (core's
// input/segment-order.ts). Threads take pieces of it.
#pragma once
#include "job.h"
#include "pieces.h"

namespace polybin {

struct Segments {
  SegmentsNumbers numbers;
  /** offsets: one more than segments. */
  const double *offsets;

  /** Pixels of the segments before this one. */
  uint64_t before(uint64_t segment) const;
  /** The segment of a pixel in segment order. */
  uint64_t at(uint64_t pixel) const;
};

/** Rows of counters, which are 0 before: 32 bits, or doubles. */
struct Rows {
  uint32_t *counts;
  double *wideCounts;
  /** Three counts a row: underflow, overflow, NaN. Null: every sample lies in a bin. */
  uint32_t *flow;
  double *wideFlow;
};

class SegmentsCount : public Pieces {
 public:
  SegmentsCount(const Job &job, const Pixels &of, const Segments &, const Rows &, const Control &control = {});

 private:
  size_t words() const override { return job_.words(); }
  void count(uint64_t from, uint64_t to, uint32_t *tables) override;
  void sum(uint32_t *) override {}
  /** Counts pixels of one segment into the tables. */
  void countPart(uint64_t segment, uint64_t from, uint64_t to, uint32_t *tables) const;
  void countRun(uint64_t pixel, uint64_t n, uint32_t *tables) const;
  /**
   * Adds the tables to a row, and clears them.
   * @param whole the pixels of the segment if no other thread counts some of it, else 0
   * @throws Failure if the row does not have them
   */
  void add(uint64_t segment, uint64_t whole, uint32_t *tables);

  const Job &job_;
  const Pixels of_;
  const Segments segments_;
  const Rows rows_;
  std::mutex mutex_;
};

}  // namespace polybin
