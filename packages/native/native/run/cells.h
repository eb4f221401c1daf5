// A count of the cells of several columns, with a mask or a list.
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "job.h"
#include "pieces.h"

namespace polybin {

/** The cells of several columns, ready to be counted any number of times. */
class Cells {
 public:
  Cells(const CellsNumbers &, std::vector<std::unique_ptr<const Job>> columns);

  const CellsNumbers numbers;
  /** A job for each column, with one channel and a stride. */
  const std::vector<std::unique_ptr<const Job>> columns;
  /** Of each column. */
  const std::vector<RowKernels> mixing;
  const Tally tally;
  /** One row for each cell, and one for the samples that the mask leaves out. */
  const Shape shape;
};

/** The samples of a count of cells. */
struct CellsOf {
  /** One for each column. */
  std::vector<Pixels> columns;
  /** Of no pixels if there is no mask. */
  Pixels mask;
  /** Indices of pixels; null: all. */
  const uint32_t *where;
  uint64_t samples;
};

/** The samples whose cells are found at a time, at most a block. */
size_t stepOfCells(const Cells &);

/** Writes the cells of `n` samples, and the number after the last cell for those that the mask leaves out. */
void findCells(const Cells &, const CellsOf &, uint64_t from, size_t n, uint32_t *cells);

/**
 *   cells     one for each sample of a block: the sum of places and strides, or the number after the last cell
 *   tables    [table][cell]   of a thread; or one for all threads, if there are many cells
 */
class CellsCount : public Pieces {
 public:
  /** @param counts of each cell, then of the samples that were left out; added to */
  CellsCount(const Cells &job, CellsOf of, double *counts, const Control &control = {});
  ~CellsCount() override;

 private:
  /** Adds the counts of a table that all threads share. */
  void finish() override;
  size_t words() const override;
  void count(uint64_t from, uint64_t to, uint32_t *tables) override;
  void sum(uint32_t *tables) override;
  void countShared(const uint32_t *cells, size_t n);

  const Cells &job_;
  const CellsOf of_;
  double *const counts_;
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace polybin
