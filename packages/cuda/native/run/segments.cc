#include "segments.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "generated/limits.cuh"
#include "pixels.h"

namespace polybin {
namespace {

/** Rows that stay on the device. */
struct ResidentRows : Resident {
  static constexpr const char *gone = "expected rows of counts but they were freed";
  ResidentRows(const RowTable &of, Spare &spare) : Resident(spare.take(of.bytes())), table(of), spare(spare) {
    table.memory = memory;
  }
  ~ResidentRows() override { spare.keep(std::exchange(memory, nullptr), table.bytes()); }

  RowTable table;
  Spare &spare;
};

RowTable tableFor(const SegmentsJob &job, uint64_t segments) { return {{job.bins, job.flow, job.wide}, segments}; }

}  // namespace

size_t RowTable::bytes() const {
  const size_t all = flowAt() + (flow ? segments * limits::FLOW_ROWS * countBytes() : 0);
  return std::max<size_t>(all, limits::VECTOR_BYTES);
}

std::vector<Freight> RowTable::freight(Span rows, const Written &counts, const Written &flows, uint64_t row) const {
  const auto some = [&](const void *from, const Written &to, uint32_t width) -> Freight {
    const Written place{to.data + row * width * countBytes(), to.bytes, to.doubles};
    return {from, rows.size() * width, wide ? Lies::u64 : Lies::u32, place};
  };
  std::vector<Freight> all{some(countsOf(rows.first), counts, bins)};
  if (flow) all.push_back(some(flowOf(rows.first), flows, limits::FLOW_ROWS));
  return all;
}

struct Segmenter::Call {
  const SegmentsJob &job;
  const CountKernel &kernel;
  const Cutting cutting;
  const Lowering lowering;
  const uint8_t *const resident;
};

/** Launches some segments of a range. `pixels` of them lie at `data`. */
void Segmenter::launch(const Call &call, Span segments, const RowTable &table, uint64_t firstRow, const void *data, Span pixels,
                       bool adds, Slot &slot) {
  const SegmentsJob &job = call.job;
  Segments of = call.cutting.described(segments, job.partSamples);
  of.begin = pixels.first;
  const Span all = call.cutting.pixelsOf(segments);
  of.whole = all.first >= pixels.first && all.end <= pixels.end;
  if (job.cut == Cut::offsets) placeArrays(call, segments, of, slot);
  Rows rows{};
  rows.counts = table.countsOf(firstRow);
  rows.flow = table.flowOf(firstRow);
  rows.wide = table.wide;
  rows.adds = adds;
  rows.stride = rows.bins = table.bins;
  if (job.shape->lowering.numbers.kind == Kind::raw) rows.codes = call.lowering.table;
  const Pixels there = pixelsOf(data, pixels.size(), job.shape->wanted);
  pieces_.gate.check(
      call.kernel.segments(there, call.lowering, job.shape->plan, job.shape->own.bytes, of, rows, pieces_.stream),
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
  check(cudaStreamSynchronize(pieces_.stream), "a launch");
  auto *const staging = static_cast<uint8_t *>(slot.staging.reserve(all));
  auto *const device = static_cast<uint8_t *>(slot.arrays.reserve(all));
  size_t at = 0;
  for (int i = 0; i < 3; i++) {
    if (bytes[i] > 0) std::memcpy(staging + at, from[i], bytes[i]);
    at += bytes[i];
  }
  check(cudaMemcpyAsync(device, staging, all, cudaMemcpyHostToDevice, pieces_.stream), "a copy");
  to.offsets = reinterpret_cast<const uint64_t *>(device);
  if (!uneven) return;
  to.partsEach = 0;
  to.parts = parts.segmentOf.size();
  to.partsBefore = reinterpret_cast<const uint32_t *>(device + bytes[0]);
  to.segmentOf = to.partsBefore + parts.before.size();
}

/** Launches all work for some segments. The table's first row belongs to the first of them. */
void Segmenter::countRange(const Call &call, Span segments, const RowTable &table, Slot &slot) {
  const SegmentsJob &job = call.job;
  const Source &source = job.source;
  const Span wanted = call.cutting.pixelsOf(segments);
  const Span given{job.at, job.at + source.pixels};
  const Span there{std::clamp(wanted.first, given.first, given.end), std::clamp(wanted.end, given.first, given.end)};
  const uint64_t most = Pieces::pixelsOf({{source, call.resident}}, limits::U32_MAX);
  const bool isOne = call.resident != nullptr || there.size() <= most;
  const bool isSplit = job.longest > job.partSamples;
  const bool adds = !isOne || isSplit || table.wide || call.lowering.table != nullptr;
  if (adds) check(cudaMemsetAsync(table.memory, 0, table.bytes(), pieces_.stream), "cudaMemset");
  const auto launchOn = [&](const void *data, Span pixels, Span of) {
    launch(call, of, table, of.first - segments.first, data, pixels, adds, slot);
  };
  if (call.resident != nullptr) {
    pieces_.settle(0);
    return pieces_.timed(0, there.size(), [&] { launchOn(call.resident, given, segments); });
  }
  if (there.size() == 0) return launchOn(nullptr, there, segments);
  Source part = source;
  part.first = source.first + (there.first - given.first);
  part.pixels = there.size();
  uint64_t first = there.first;
  pieces_.each({{part, nullptr}}, most, [&](const auto &data, uint64_t pixels, bool) {
    const Span piece{first, first + pixels};
    first += pixels;
    launchOn(data[0], piece, isOne ? segments : call.cutting.segmentsOf(piece, segments));
  });
}

SegmentsCounted Segmenter::count(const SegmentsJob &job, Residents &residents) {
  const CountKernel &kernel = countKernel(job.shape->algorithm);
  const Call call{job, kernel, Cutting(job), arrays_.toDevice(job.shape->lowering, pieces_.stream),
                  residents.at(job.source)};
  const bool stays = job.into.data == nullptr;
  const auto kept = stays ? std::make_shared<ResidentRows>(tableFor(job, job.segments), spare_) : nullptr;
  const Pieces::Drain drain(pieces_);
  uint32_t turn = 0;
  for (uint64_t from = job.first, end = job.first + job.segments; from < end; turn = 1 - turn) {
    pieces_.checkGoesOn();
    const Span range = call.cutting.next(from, stays ? job.segments : job.range);
    from = range.end;
    Slot &slot = slots_[turn];
    if (stays) {
      countRange(call, range, kept->table, slot);
      continue;
    }
    pieces_.settleBeside(turn);
    RowTable table = tableFor(job, range.size());
    table.memory = slot.rows.reserve(table.bytes());
    countRange(call, range, table, slot);
    pieces_.bringBeside(turn, table.freight({0, range.size()}, job.into, job.flowInto, range.first - job.first));
  }
  pieces_.finish(kernel.slug);
  return {pieces_.times(), stays ? residents.keep(kept) : 0};
}

void Segmenter::read(const RowsJob &job, const Residents &residents) {
  const auto rows = residents.find<ResidentRows>(job.id);
  const RowTable &of = rows->table;
  checkRows(job, of.segments, of);
  pieces_.bring(of.freight({job.first, job.first + job.segments}, job.into, job.flowInto, 0));
}

}  // namespace polybin
