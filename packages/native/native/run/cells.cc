#include "cells.h"

#include <algorithm>
#include <new>

namespace polybin {
namespace {

Division divisionOf(const Cells &job, uint64_t samples) {
  const CellsNumbers &of = job.numbers;
  return {samples, std::max<uint32_t>(1, of.pieceSamples), std::max<uint32_t>(1, of.shareSamples), of.threads};
}

void mixed(const Cells &job, const CellsOf &of, uint64_t from, size_t n, uint32_t *cells) {
  alignas(64) uint64_t memory[BLOCK];
  RowMemory memoryOfRows;
  std::fill_n(cells, n, 0);
  for (size_t k = 0; k < job.columns.size(); k++) {
    const Job &column = *job.columns[k];
    const JobNumbers &numbers = column.numbers;
    const Channel channel{of.columns[k], column.sampleBytes, numbers.interleaved, column.channels[0]};
    const void *const samples = of.where == nullptr ? fetched(channel, from, n, memory)
                                                    : fetched(channel, of.where + from, n, memory);
    if (of.where == nullptr) fetchAhead(of.columns[k], column.pixelBytes, from, n);
    const Lookup &lookup = column.lowering.lookup();
    const RowKernels &mixing = job.mixing[k];
    if (column.isRaw()) {
      mixing.mixBytes(static_cast<const uint8_t *>(samples), n, numbers.shift, numbers.stride, cells);
    } else if (numbers.kind == Kind::direct) {
      mixing.mixDirect(lookup, samples, n, numbers.stride, cells);
    } else {
      uint32_t *const rows = memoryOfRows.away(samples);
      lookup.find(lookup, samples, n, rows);
      mixing.mix(rows, n, numbers.bins, numbers.stride, cells);
    }
  }
}

std::vector<RowKernels> mixingOf(const std::vector<std::unique_ptr<const Job>> &columns) {
  std::vector<RowKernels> all;
  for (const auto &column : columns) all.push_back(kernelsOf(column->numbers, false));
  return all;
}

void leaveOut(const Cells &job, const CellsOf &of, uint64_t from, size_t n, uint32_t *cells) {
  const uint32_t none = job.numbers.cells;
  if (job.numbers.mask == Mask::bits) {
    for (size_t i = 0; i < n; i++) {
      const uint64_t pixel = of.where == nullptr ? from + i : of.where[from + i];
      if ((of.mask.data[pixel / 8] >> (pixel % 8) & 1) == 0) cells[i] = none;
    }
    return;
  }
  uint64_t memory[BLOCK];
  const Channel channel{of.mask, 1, 1, 0};
  const auto *const kept = static_cast<const uint8_t *>(of.where == nullptr
                                                            ? fetched(channel, from, n, memory)
                                                            : fetched(channel, of.where + from, n, memory));
  for (size_t i = 0; i < n; i++) cells[i] = kept[i] == 0 ? none : cells[i];
}

}  // namespace

size_t stepOfCells(const Cells &job) {
  size_t step = BLOCK;
  for (const auto &column : job.columns) step = std::min(step, stepOf(column->pixelBytes));
  return step;
}

void findCells(const Cells &job, const CellsOf &of, uint64_t from, size_t n, uint32_t *cells) {
  mixed(job, of, from, n, cells);
  if (job.numbers.mask != Mask::none) leaveOut(job, of, from, n, cells);
}

Cells::Cells(const CellsNumbers &of, std::vector<std::unique_ptr<const Job>> all)
    : numbers(of),
      columns(std::move(all)),
      mixing(mixingOf(columns)),
      tally(perLaneTally()),
      shape(shapeOf(of.cells + 1, of.tables)) {}

/** A table that all threads add to. A counter that comes to 2^32 starts again, and is noted. */
struct CellsCount::Shared {
  explicit Shared(size_t words) : table(new std::atomic<uint32_t>[words]()), size(words) {}

  std::unique_ptr<std::atomic<uint32_t>[]> table;
  size_t size;
  std::mutex mutex;
  std::map<uint32_t, uint32_t> rounds;
};

CellsCount::CellsCount(const Cells &job, CellsOf of, double *counts, const Control &control)
    : Pieces(divisionOf(job, of.samples), control), job_(job), of_(std::move(of)), counts_(counts) {
  if (job.numbers.shared && threads() > 1) shared_ = std::make_unique<Shared>(job.shape.rows);
}

CellsCount::~CellsCount() = default;

size_t CellsCount::words() const {
  return shared_ ? 0 : static_cast<size_t>(job_.shape.stride) * job_.shape.tables;
}

void CellsCount::count(uint64_t from, uint64_t to, uint32_t *tables) {
  alignas(64) uint32_t cells[BLOCK];
  const size_t step = stepOfCells(job_);
  for (uint64_t at = from; at < to; at += step) {
    const size_t n = std::min<uint64_t>(step, to - at);
    findCells(job_, of_, at, n, cells);
    if (shared_) countShared(cells, n);
    else job_.tally.rows(job_.shape, cells, n, tables);
  }
}

void CellsCount::countShared(const uint32_t *cells, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (shared_->table[cells[i]].fetch_add(1, std::memory_order_relaxed) != UINT32_MAX) continue;
    const std::lock_guard lock(shared_->mutex);
    shared_->rounds[cells[i]]++;
  }
}

void CellsCount::sum(uint32_t *tables) {
  if (shared_) return;
  const auto locked = lock();
  job_.tally.sum(job_.shape, {0, job_.shape.rows}, tables, counts_);
}

void CellsCount::finish() {
  if (!shared_) return;
  for (size_t cell = 0; cell < shared_->size; cell++) counts_[cell] += shared_->table[cell];
  for (const auto &[cell, rounds] : shared_->rounds) counts_[cell] += rounds * 4294967296.0;
}

}  // namespace polybin
