// Weighted sums of the cells of several columns, with a mask, a list or segments.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "cells.h"
#include "segment-rows.h"
#include "thread-sums.h"

namespace polybin {

/** A column of weights, one for each pixel: 32-bit floats, or doubles. */
struct WeightColumn {
  const uint8_t *weights;
  bool isWide;
};

/** The samples of a call, and their weights. */
struct WeightedOf {
  CellsOf cells;
  /** At least one. */
  std::vector<WeightColumn> columns;
  /** Whether the squares of the weights are added up too, each rounded to a double. */
  bool squares;
  /** Null: one row. */
  std::shared_ptr<const SegmentRows> rows;
};

/**
 *   tables    [table][cell] of a thread, and the same for squares; the next column
 *   cell      row * cells of a row + cell, then the samples that the mask leaves out, then those in no segment
 */
class CellSums : public Pieces {
 public:
  /** @param counts of each cell, then of the samples that the mask left out, then of weights that are not finite */
  CellSums(const Cells &job, WeightedOf of, double *counts, const Control &control = {});

  /** The exact sums of all cells, and then of the squares, of one column after the other, after the end. */
  const std::vector<double> &sums() const { return written_; }
  /** Cells of all rows. */
  static uint64_t cellsOf(const Cells &, const WeightedOf &);

 private:
  /** The sums of a column of weights in a thread, and in all. */
  struct Sums {
    std::unique_ptr<ThreadSums> plain, squares;
  };
  struct AllSums {
    ExactSums plain, squares;
  };

  void finish() override;
  size_t words() const override;
  void count(uint64_t from, uint64_t to, uint32_t *tables) override;
  void sum(uint32_t *tables) override;
  std::vector<Sums> &of(uint32_t *tables);
  std::vector<Sums> newSums(uint32_t *tables) const;
  void add(uint64_t from, uint64_t to, std::vector<Sums> &) const;
  const void *weightsOf(const WeightColumn &, uint64_t from, size_t n, void *memory) const;

  const Cells &job_;
  const WeightedOf of_;
  const size_t cells_;
  double *const counts_;
  const Adding adding_;
  AddendTables tables_;
  std::mutex mutex_;
  /** The sums of each thread, by its tables, and of all. */
  std::map<uint32_t *, std::vector<Sums>> threads_;
  std::vector<AllSums> sums_;
  std::vector<uint64_t> all_;
  uint64_t infinite_ = 0;
  std::vector<double> written_;
};

}  // namespace polybin
