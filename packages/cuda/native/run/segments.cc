#include "segments.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "checks.h"
#include "generated/limits.cuh"
#include "pixels.h"
#include "platform/failure.h"
#include "platform/memory.h"

namespace polybin {

size_t Segmenter::Table::flowAt() const {
  const size_t counts = segments * bins * countBytes();
  return (counts + limits::VECTOR_BYTES - 1) / limits::VECTOR_BYTES * limits::VECTOR_BYTES;
}

size_t Segmenter::Table::bytes() const {
  const size_t all = flowAt() + (flow ? segments * limits::FLOW_ROWS * countBytes() : 0);
  return std::max<size_t>(all, limits::VECTOR_BYTES);
}

const void *Segmenter::Table::countsOf(uint64_t segment) const {
  return static_cast<const uint8_t *>(memory) + segment * bins * countBytes();
}

const void *Segmenter::Table::flowOf(uint64_t segment) const {
  return static_cast<const uint8_t *>(memory) + flowAt() + segment * limits::FLOW_ROWS * countBytes();
}

struct Segmenter::Call {
  const SegmentsJob &job;
  const CountKernel &kernel;
  const Cutting cutting;
  const Lowering lowering;
  const uint8_t *const resident;
  Pieces &pieces;
};

/** Launches some segments of a range. `pixels` of them lie at `data`. */
void Segmenter::launch(const Call &call, Span segments, const Table &table, uint64_t firstRow, const void *data, Span pixels,
                       bool adds, Slot &slot) {
  const SegmentsJob &job = call.job;
  Segments of = call.cutting.described(segments, job.partSamples);
  of.begin = pixels.first;
  const Span all = call.cutting.pixelsOf(segments);
  of.whole = all.first >= pixels.first && all.end <= pixels.end;
  if (job.cut == Cut::offsets) placeArrays(call, segments, of, slot);
  Rows rows{};
  rows.counts = const_cast<void *>(table.countsOf(firstRow));
  rows.flow = table.flow ? const_cast<void *>(table.flowOf(firstRow)) : nullptr;
  rows.wide = table.wide;
  rows.adds = adds;
  rows.stride = rows.bins = table.bins;
  if (job.shape.lowering.numbers.kind == Kind::raw) rows.codes = call.lowering.table;
  const Pixels there = pixelsOf(data, pixels.size(), job.shape.wanted);
  call.pieces.checkQueued(
      call.kernel.segments(there, call.lowering, job.shape.plan, job.shape.own.bytes, of, rows, call.pieces.stream),
      call.kernel.slug);
}

/** For `offsets`: uploads the segments' starts and, if their parts differ in number, the segment of each part. */
void Segmenter::placeArrays(const Call &call, Span segments, Segments &to, Slot &slot) {
  const std::vector<uint64_t> offsets = call.cutting.offsetsOf(segments);
  const bool uneven = to.partsEach > 1;
  const Parts parts = uneven ? partsOf(offsets, to.partSamples) : Parts{};
  const size_t bytes[] = {offsets.size() * sizeof(uint64_t), parts.before.size() * sizeof(uint32_t),
                          parts.segmentOf.size() * sizeof(uint32_t)};
  const void *const from[] = {offsets.data(), parts.before.data(), parts.segmentOf.data()};
  const size_t all = bytes[0] + bytes[1] + bytes[2];
  // The launch before may still read the arrays.
  check(cudaStreamSynchronize(call.pieces.stream), "a launch");
  auto *const staging = static_cast<uint8_t *>(slot.staging.reserve(all));
  auto *const device = static_cast<uint8_t *>(slot.arrays.reserve(all));
  size_t at = 0;
  for (int i = 0; i < 3; i++) {
    if (bytes[i] > 0) std::memcpy(staging + at, from[i], bytes[i]);
    at += bytes[i];
  }
  check(cudaMemcpyAsync(device, staging, all, cudaMemcpyHostToDevice, call.pieces.stream), "a copy");
  to.offsets = reinterpret_cast<const uint64_t *>(device);
  if (!uneven) return;
  to.partsEach = 0;
  to.parts = parts.segmentOf.size();
  to.partsBefore = reinterpret_cast<const uint32_t *>(device + bytes[0]);
  to.segmentOf = to.partsBefore + parts.before.size();
}

/** Launches all work for some segments. The table's first row belongs to the first of them. */
void Segmenter::countRange(const Call &call, Span segments, const Table &table, Slot &slot) {
  const SegmentsJob &job = call.job;
  const Source &source = job.source;
  const Span wanted = call.cutting.pixelsOf(segments);
  const Span given{job.at, job.at + source.pixels};
  const Span there{std::clamp(wanted.first, given.first, given.end), std::clamp(wanted.end, given.first, given.end)};
  const uint64_t most = Pieces::pixelsOf(source, limits::U32_MAX);
  const bool isOne = call.resident != nullptr || there.size() <= most;
  const bool isSplit = job.longest > job.partSamples;
  const bool adds = !isOne || isSplit || table.wide || call.lowering.table != nullptr;
  if (adds) check(cudaMemsetAsync(table.memory, 0, table.bytes(), call.pieces.stream), "cudaMemset");
  const auto launchOn = [&](const void *data, Span pixels, Span of) {
    launch(call, of, table, of.first - segments.first, data, pixels, adds, slot);
  };
  if (call.resident != nullptr) {
    call.pieces.settle(0, job.control);
    return call.pieces.timed(0, there.size(), [&] { launchOn(call.resident, given, segments); });
  }
  if (there.size() == 0) return launchOn(nullptr, there, segments);
  Source part = source;
  part.first = source.first + (there.first - given.first);
  part.pixels = there.size();
  uint64_t first = there.first;
  call.pieces.each(part, nullptr, most, job.control, [&](const void *data, uint64_t pixels, bool) {
    const Span piece{first, first + pixels};
    first += pixels;
    launchOn(data, piece, isOne ? segments : call.cutting.segmentsOf(piece, segments));
  });
}

void Segmenter::waitForAll() {
  for (Slot &slot : slots_) slot.counts.drop(), slot.flow.drop();
}

SegmentsCounted Segmenter::count(const SegmentsJob &job, const uint8_t *resident, Pieces &pieces) {
  const CountKernel &kernel = countKernel(job.shape.algorithm);
  Pieces::Drain drain(pieces);
  struct Wait {
    Segmenter &of;
    ~Wait() { of.waitForAll(); }
  } wait{*this};
  const Control &control = job.control;
  const Call call{job, kernel, Cutting(job), arrays_.toDevice(job.shape.lowering, pieces.stream), resident, pieces};
  const bool stays = job.into.data == nullptr;
  Table all{nullptr, job.segments, job.bins, job.flow, job.wide};
  const auto start = std::chrono::steady_clock::now();
  SegmentsCounted counted;
  if (stays) all.memory = spare_.take(all.bytes());
  try {
    uint32_t turn = 0;
    for (uint64_t from = job.first, end = job.first + job.segments; from < end;) {
      checkGoesOn(control);
      const Span range = call.cutting.next(from, stays ? job.segments : job.range);
      Slot &slot = slots_[turn++ % 2];
      if (stays) {
        countRange(call, range, all, slot);
      } else {
        slot.counts.settle(), slot.flow.settle();
        Table table{nullptr, range.size(), job.bins, job.flow, job.wide};
        table.memory = slot.rows.reserve(table.bytes());
        countRange(call, range, table, slot);
        const uint64_t row = range.first - job.first;
        slot.counts.bring(table.memory, range.size() * job.bins, job.wide, job.into, row * job.bins, pieces.stream, copiers_);
        if (job.flow) {
          slot.flow.bring(table.flowOf(0), range.size() * limits::FLOW_ROWS, job.wide, job.flowInto,
                          row * limits::FLOW_ROWS, pieces.stream, copiers_);
        }
      }
      from = range.end;
    }
    for (Slot &slot : slots_) slot.counts.settle(), slot.flow.settle();
    check(cudaStreamSynchronize(pieces.stream), kernel.slug);
    pieces.settleAll(control);
    checkGoesOn(control);
  } catch (...) {
    if (stays) {
      cudaStreamSynchronize(pieces.stream);
      giveDevice(all.memory);
    }
    throw;
  }
  drain.done();
  counted.kernelMs = pieces.kernelMs();
  if (resident == nullptr) {
    counted.uploadMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }
  if (stays) {
    counted.id = nextId_++;
    kept_[counted.id] = all;
  }
  return counted;
}

void Segmenter::read(const RowsJob &job, Pieces &pieces) {
  const auto found = kept_.find(job.id);
  if (found == kept_.end()) throw Failure{"ERR_INPUT", "expected rows of counts but they were freed"};
  const Table &of = found->second;
  checkRows(job, of.segments, of.bins, of.flow, of.wide);
  struct Wait {
    Segmenter &of;
    ~Wait() { of.waitForAll(); }
  } wait{*this};
  // The rows are read in parts, so that one part is copied out of page-locked memory while the next arrives.
  const uint64_t most = std::max<uint64_t>(1, limits::GPU_PIECE_BYTES / (of.bins * of.countBytes()));
  uint32_t turn = 0;
  for (uint64_t from = 0; from < job.segments; from += most) {
    checkGoesOn(job.control);
    const uint64_t many = std::min(most, job.segments - from);
    Slot &slot = slots_[turn++ % 2];
    slot.counts.bring(of.countsOf(job.first + from), many * of.bins, of.wide, job.into, from * of.bins, pieces.stream,
                      copiers_);
    if (!of.flow) continue;
    slot.flow.bring(of.flowOf(job.first + from), many * limits::FLOW_ROWS, of.wide, job.flowInto,
                    from * limits::FLOW_ROWS, pieces.stream, copiers_);
  }
  for (Slot &slot : slots_) slot.counts.settle(), slot.flow.settle();
}

void Segmenter::free(uint32_t id) {
  const auto found = kept_.find(id);
  if (found == kept_.end()) return;
  spare_.keep(found->second.memory, found->second.bytes());
  kept_.erase(found);
}

void Segmenter::release() {
  for (const auto &kept : kept_) giveDevice(kept.second.memory);
  kept_.clear();
  spare_.release();
  arrays_.release();
  copiers_.stop();
  for (Slot &slot : slots_) {
    slot.counts.release(), slot.flow.release();
    for (Buffer *buffer : {&slot.rows, &slot.arrays, &slot.staging}) buffer->release();
  }
}

}  // namespace polybin
