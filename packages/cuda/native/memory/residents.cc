#include "residents.h"

#include <algorithm>
#include <utility>

#include "generated/limits.cuh"
#include "platform/expect.h"
#include "source.h"

namespace polybin {
ResidentSamples::ResidentSamples(uint64_t bytes) : Resident(takeDevice(bytes + limits::GPU_PADDING_BYTES)), bytes(bytes) {}

FeatureTable::FeatureTable(uint64_t rows, uint64_t rowBytes)
    : Resident(takeDevice(rows * wholeVectors(rowBytes) + limits::GPU_PADDING_BYTES)),
      rows(rows),
      rowBytes(rowBytes),
      pitch(wholeVectors(rowBytes)) {}

uint32_t Residents::keep(ResidentOf of) {
  const std::lock_guard<std::mutex> lock(mutex_);
  all_[nextId_] = std::move(of);
  return nextId_++;
}

void Residents::free(uint32_t id) {
  // This is released after the lock, because that may wait for the device.
  ResidentOf of;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto found = all_.find(id); found != all_.end()) {
    of = std::move(found->second);
    all_.erase(found);
  }
}

void Residents::release() {
  std::unordered_map<uint32_t, ResidentOf> all;
  const std::lock_guard<std::mutex> lock(mutex_);
  all.swap(all_);
}

const uint8_t *Residents::at(const Source &from) const {
  if (from.resident == 0) return nullptr;
  const auto found = find<ResidentSamples>(from.resident);
  within("source.pixels", (Wide{from.first} + from.pixels) * from.pixelBytes, 0, found->bytes);
  return found->at() + from.first * from.pixelBytes;
}

std::shared_ptr<const ResidentSamples> Residents::samples(uint32_t id, uint64_t pixels, uint32_t pixelBytes) const {
  auto found = find<ResidentSamples>(id);
  within("pixels", Wide{pixels} * pixelBytes, 0, found->bytes);
  return found;
}

ResidentOf Residents::of(uint32_t id) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = all_.find(id);
  return found == all_.end() ? nullptr : found->second;
}

ResidentOf uploaded(const Upload &job, const uint8_t *resident, Pieces &pieces) {
  auto to = std::make_shared<ResidentSamples>(job.source.pixels * job.source.pixelBytes);
  const Pieces::Drain drain(pieces);
  pieces.copy({job.source, resident}, to->at());
  pad(to->memory, to->bytes, pieces.stream);
  pieces.finish("an upload");
  return to;
}

ResidentOf uploaded(const TableSource &from, Pieces &pieces) {
  auto to = std::make_shared<FeatureTable>(from.rowBytes == 0 ? 0 : from.bytes.size / from.rowBytes, from.rowBytes);
  const Pieces::Drain drain(pieces);
  // The bytes between and after the rows are loaded but not added up.
  check(cudaMemsetAsync(to->memory, 0, to->rows * to->pitch + limits::GPU_PADDING_BYTES, pieces.stream), "cudaMemset");
  const Source source = rowOf(from.bytes.data, from.bytes.size);
  // A piece has the rest of a row, whole rows, and the beginning of another.
  uint64_t at = 0;
  pieces.each({{source, nullptr}}, ~0ull, [&](const auto &data, uint64_t bytes, bool) {
    const auto *piece = static_cast<const uint8_t *>(data[0]);
    for (uint64_t size = 0; bytes > 0; piece += size, at += size, bytes -= size) {
      const uint64_t column = at % from.rowBytes;
      const bool isWhole = column == 0 && bytes >= from.rowBytes;
      const uint64_t width = isWhole ? from.rowBytes : std::min(bytes, from.rowBytes - column);
      const uint64_t rows = isWhole ? bytes / from.rowBytes : 1;
      check(cudaMemcpy2DAsync(to->at() + at / from.rowBytes * to->pitch + column, to->pitch, piece, from.rowBytes, width,
                              rows, cudaMemcpyDeviceToDevice, pieces.stream),
            "an upload");
      size = width * rows;
    }
  });
  pieces.finish("an upload");
  return to;
}

}  // namespace polybin
