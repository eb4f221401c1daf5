#include "workspace.h"

#include <algorithm>

#include "generated/limits.cuh"
#include "memory/pieces.h"
#include "pixels.h"
#include "platform/cuda-errors.h"

namespace polybin {
namespace {

/** The size in bytes of the area before the counts. */
constexpr size_t head = 256;

}  // namespace

Workspace::Room Workspace::roomFor(const Job &job, uint64_t pixels) {
  const CountShape &of = job.shape;
  const bool lowers = job.kernel.codes != nullptr && !job.areCodes() && !job.readsColumn();
  const uint64_t codes = std::min<uint64_t>({of.launchPixels, pixels, limits::GPU_CODES});
  return {head + job.countBytes(false), lowers ? codes * of.plan.codeBytes + limits::GPU_PADDING_BYTES : 0,
          size_t{of.plan.partials} * of.plan.cellsPerPass * sizeof(uint32_t)};
}

bool Workspace::fits(const Job &job, uint64_t pixels) const {
  const Room room = roomFor(job, pixels);
  return room.table <= table_.bytes() && room.codes <= codes_.bytes() && room.partials <= partials_.bytes();
}

void Workspace::reserve(const Job &job, uint64_t pixels, cudaStream_t stream) {
  const Room room = roomFor(job, pixels);
  if (room.table > table_.bytes()) {
    isUsed_ = true;
    table_.reserve(room.table);
    check(cudaMemsetAsync(table_.memory(), 0, room.table, stream), "cudaMemset");
    isUsed_ = false;
  }
  codes_.reserve(room.codes);
  partials_.reserve(room.partials);
}

/** Zeroes the counts and the block counter that a failed call left behind. */
void Workspace::clear(cudaStream_t stream) {
  if (isUsed_) check(cudaMemsetAsync(table_.memory(), 0, table_.bytes(), stream), "cudaMemset");
  isUsed_ = false;
}

void Workspace::begin(const Job &job, bool narrow, cudaStream_t stream) {
  clear(stream);
  isUsed_ = true;
  size_ = job.size();
  narrow_ = narrow;
  stream_ = stream;
}

Count *Workspace::table() const {
  return reinterpret_cast<Count *>(static_cast<uint8_t *>(table_.memory()) + head);
}

Delivery Workspace::deliveryOf(Count *from, uint32_t size, bool narrow, const Home &home) const {
  auto *const through = static_cast<uint32_t *>(table_.memory());
  return {from, size, narrow, home.counts, home.total, through, home.flag, home.number};
}

void Workspace::count(Job &job, const void *data, uint64_t pixels, const Home *home) {
  const CountShape &of = job.shape;
  const Lowering &lowering = job.onDevice(stream_);
  const bool delivers = home != nullptr && job.kernel.delivers && size_ <= limits::COUNTS_OF_A_BLOCK;
  if (job.readsColumn()) {
    countColumn(job, lowering, data, pixels);
  } else if (job.kernel.samples == nullptr) {
    countCodes(job, lowering, data, pixels);
  } else {
    Pixels all = pixelsOf(data, pixels, of.wanted);
    all.counts = table();
    all.narrow = narrow_;
    if (delivers) all.delivery = deliveryOf(table(), size_, narrow_, *home);
    gate_.check(job.kernel.samples(all, lowering, of.plan, of.own.bytes, stream_), job.kernel.slug);
  }
  if (delivers) isUsed_ = false;
  else if (home != nullptr) deliver(*home);
}

/** Counts the only channel with a kernel that finds the cells of columns. */
void Workspace::countColumn(Job &job, const Lowering &lowering, const void *data, uint64_t pixels) {
  Joint joint{};
  joint.count = pixels;
  joint.columns = 1;
  joint.cells = job.shape.plan.cells;
  joint.column[0] = {data, 1, 0, joint.cells, 1, lowering};
  joint.counts = table();
  gate_.check(job.kernel.columns(joint, job.shape.plan, job.shape.own.bytes, stream_), job.kernel.slug);
}

/** Counts one channel after the other. A kernel writes the codes of a channel first. */
void Workspace::countCodes(Job &job, const Lowering &lowering, const void *data, uint64_t pixels) {
  const CountShape &of = job.shape;
  void *const codes = codes_.memory();
  const bool areBytes = of.plan.codeBytes == 1;
  const auto count = [&](const Codes &some) {
    gate_.check(job.kernel.codes(some, of.plan, of.own.bytes, stream_), job.kernel.slug);
  };
  for (uint32_t i = 0; i < of.wanted.channels.size; i++) {
    const size_t before = size_t{i} * job.channelSize() * (narrow_ ? sizeof(uint32_t) : sizeof(Count));
    void *const counts = reinterpret_cast<uint8_t *>(table()) + before;
    auto *const partials = static_cast<uint32_t *>(partials_.memory());
    if (job.areCodes()) {
      count({data, pixels, areBytes, job.codeShift(), counts, partials, narrow_});
      continue;
    }
    for (uint64_t first = 0; first < pixels; first += limits::GPU_CODES) {
      Pixels part = pixelsOf(static_cast<const uint8_t *>(data) + first * job.pixelBytes(),
                             std::min<uint64_t>(limits::GPU_CODES, pixels - first), of.wanted);
      part.channels = 1;
      part.channel[0] = of.wanted.channels.of[i];
      part.counts = static_cast<Count *>(counts);
      part.narrow = narrow_;
      gate_.check(lower(part, lowering, of.plan, codes, areBytes, stream_), "lower");
      // There may be more launches than fit behind the gate.
      gate_.open();
      pad(codes, part.count * of.plan.codeBytes, stream_);
      count({codes, part.count, areBytes, job.codeShift(), counts, partials, narrow_});
    }
  }
}

void Workspace::deliver(const Home &home) {
  gate_.check(polybin::deliver(deliveryOf(table(), size_, narrow_, home), stream_), "deliver");
  isUsed_ = false;
}

void Workspace::take(Count *from, uint32_t size, const Home &home, cudaStream_t stream) {
  clear(stream);
  // A delivery that fails halfway leaves a block counter behind.
  isUsed_ = true;
  check(polybin::deliver(deliveryOf(from, size, false, home), stream), "deliver");
  isUsed_ = false;
}

}  // namespace polybin
