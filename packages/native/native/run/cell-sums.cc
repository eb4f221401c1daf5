#include "cell-sums.h"

#include <algorithm>

#include "platform/instructions.h"

namespace polybin {
namespace {

/** @param cells of all columns of weights */
Division divisionOf(const Cells &job, uint64_t samples, size_t cells) {
  const CellsNumbers &of = job.numbers;
  const auto threads = static_cast<uint32_t>(std::clamp<uint64_t>(limits::SUMS_CELLS / cells, 1, of.threads));
  return {samples, std::max<uint32_t>(1, of.pieceSamples), std::max<uint32_t>(1, of.shareSamples) + 8 * cells, threads};
}

AddendTables tablesOf(size_t cells) {
  // A distance that is no power of two.
  AddendTables tables{nullptr, (cells + 3) / 4 * 4 + 4, limits::TABLES_MOST};
  while (tables.count > 1 && tables.count * tables.stride > limits::ADDEND_CELLS) tables.count /= 2;
  return tables;
}

Adding addingOf(Instructions wanted) {
#if defined(__x86_64__)
  const Instructions best = supported(wanted);
  if (best == Instructions::avx512) return avx512Adding();
  if (best == Instructions::avx2) return avx2Adding();
#endif
  return plainAdding();
}

template <typename W>
void squaresOf(const void *weights, size_t n, double *squares) {
  const auto *const from = static_cast<const W *>(weights);
  for (size_t i = 0; i < n; i++) squares[i] = static_cast<double>(from[i]) * static_cast<double>(from[i]);
}

}  // namespace

uint64_t CellSums::cellsOf(const Cells &job, const WeightedOf &of) {
  return job.numbers.cells * (of.rows ? of.rows->numbers.count : 1);
}

CellSums::CellSums(const Cells &job, WeightedOf of, double *counts, const Control &control)
    : Pieces(divisionOf(job, of.cells.samples, (cellsOf(job, of) + 2) * of.columns.size()), control),
      job_(job),
      of_(std::move(of)),
      cells_(cellsOf(job, of_) + 2),
      counts_(counts),
      adding_(addingOf(job.columns.front()->numbers.instructions)),
      tables_(tablesOf(cells_)),
      sums_(of_.columns.size(), {ExactSums(cells_), ExactSums(of_.squares ? cells_ : 0)}),
      all_(cells_) {}

size_t CellSums::words() const {
  const size_t cells = tables_.stride * tables_.count;
  return cells * sizeof(Addend) / sizeof(uint32_t) * (of_.squares ? 2 : 1) * of_.columns.size();
}

std::vector<CellSums::Sums> CellSums::newSums(uint32_t *tables) const {
  AddendTables of = tables_;
  of.first = reinterpret_cast<Addend *>(tables);
  std::vector<Sums> all;
  for (const WeightColumn &column : of_.columns) {
    Sums sums;
    const AddWeights adds = column.isWide ? adding_.wide : adding_.narrow;
    sums.plain = std::make_unique<ThreadSums>(adds, column.isWide, cells_, of);
    of.first += of.stride * of.count;
    if (of_.squares) {
      sums.squares = std::make_unique<ThreadSums>(adding_.wide, true, cells_, of);
      of.first += of.stride * of.count;
    }
    all.push_back(std::move(sums));
  }
  return all;
}

std::vector<CellSums::Sums> &CellSums::of(uint32_t *tables) {
  const std::lock_guard lock(mutex_);
  std::vector<Sums> &sums = threads_[tables];
  if (sums.empty()) sums = newSums(tables);
  return sums;
}

void CellSums::count(uint64_t from, uint64_t to, uint32_t *tables) { add(from, to, of(tables)); }

void CellSums::add(uint64_t from, uint64_t to, std::vector<Sums> &all) const {
  alignas(64) uint32_t cells[BLOCK];
  alignas(64) double memory[BLOCK], squares[BLOCK];
  const auto width = static_cast<uint32_t>(job_.numbers.cells);
  RowRun run{0, 0, 0};
  const size_t step = stepOfCells(job_);
  for (uint64_t at = from; at < to; at += step) {
    const size_t n = std::min<uint64_t>(step, to - at);
    findCells(job_, of_.cells, at, n, cells);
    for (size_t i = 0; of_.rows && i < n; i++) {
      const uint64_t pixel = of_.cells.where == nullptr ? at + i : of_.cells.where[at + i];
      if (pixel < run.from || pixel >= run.to) run = of_.rows->runAt(pixel);
      const bool isMasked = cells[i] == width, isInside = run.row < of_.rows->numbers.count;
      if (isMasked || !isInside) cells[i] = static_cast<uint32_t>(cells_) - (isMasked ? 2 : 1);
      else cells[i] += static_cast<uint32_t>(run.row) * width;
    }
    for (size_t k = 0; k < all.size(); k++) {
      const WeightColumn &column = of_.columns[k];
      const void *const weights = weightsOf(column, at, n, memory);
      all[k].plain->add(weights, cells, n);
      if (!of_.squares) continue;
      if (column.isWide) squaresOf<double>(weights, n, squares);
      else squaresOf<float>(weights, n, squares);
      all[k].squares->add(squares, cells, n);
    }
  }
}

const void *CellSums::weightsOf(const WeightColumn &of, uint64_t from, size_t n, void *memory) const {
  const uint32_t bytes = of.isWide ? 8 : 4;
  const Channel channel{{of.weights, 1, 1, bytes}, bytes, 1, 0};
  if (of_.cells.where == nullptr) return of.weights + from * bytes;
  return fetched(channel, of_.cells.where + from, n, memory);
}

void CellSums::sum(uint32_t *tables) {
  std::vector<Sums> &sums = of(tables);
  for (size_t k = 0; k < sums.size(); k++) {
    const auto &[plain, squares] = sums[k];
    plain->flush();
    sums_[k].plain.add(plain->sums);
    infinite_ += plain->infinite;
    if (!of_.squares) continue;
    squares->flush();
    sums_[k].squares.add(squares->sums);
    // A square of a finite weight may be infinite.
    infinite_ += squares->infinite;
  }
  // Every column counts the same samples.
  for (size_t cell = 0; cell < cells_; cell++) all_[cell] += sums.front().plain->counts[cell];
  sums = newSums(tables);
}

void CellSums::finish() {
  for (size_t cell = 0; cell + 1 < cells_; cell++) counts_[cell] += static_cast<double>(all_[cell]);
  counts_[cells_ - 1] += static_cast<double>(infinite_);
  for (AllSums &of : sums_) {
    of.plain.write(written_, cells_ - 2);
    if (of_.squares) of.squares.write(written_, cells_ - 2);
  }
}

}  // namespace polybin
