#include "residents.h"

#include <functional>
#include <utility>

#include "generated/limits.cuh"
#include "platform/expect.h"
#include "platform/failure.h"
#include "platform/memory.h"
#include "rows.h"
#include "source.h"

namespace polybin {
namespace {

/** Device memory that is given back unless it is kept. */
class Taken {
 public:
  explicit Taken(size_t bytes) : memory_(takeDevice(bytes)) {}
  ~Taken() { giveDevice(memory_); }
  Taken(const Taken &) = delete;
  Taken &operator=(const Taken &) = delete;
  uint8_t *memory() const { return static_cast<uint8_t *>(memory_); }
  void *keep() { return std::exchange(memory_, nullptr); }

 private:
  void *memory_;
};

uint64_t wholeVectors(uint64_t bytes) {
  return (bytes + limits::VECTOR_BYTES - 1) / limits::VECTOR_BYTES * limits::VECTOR_BYTES;
}

/** Brings all of a source; `use` copies its pieces to where they stay. */
void bringAll(const Source &from, const uint8_t *resident, const Control &control, Pieces &pieces, const Pieces::Use &use,
              const std::function<void()> &finish) {
  Pieces::Drain drain(pieces);
  pieces.each(from, resident, Pieces::pixelsOf(from, ~0ull), control, use);
  finish();
  check(cudaStreamSynchronize(pieces.stream), "an upload");
  pieces.settleAll(control);
  checkGoesOn(control);
  drain.done();
}

}  // namespace

uint32_t Residents::upload(const Source &from, const Control &control, Pieces &pieces) {
  const size_t bytes = from.pixels * from.pixelBytes;
  Taken taken(bytes + limits::GPU_PADDING_BYTES);
  uint64_t at = 0;
  bringAll(
      from, this->at(from), control, pieces,
      [&](const void *data, uint64_t pixels) {
        check(cudaMemcpyAsync(taken.memory() + at, data, pixels * from.pixelBytes, cudaMemcpyDeviceToDevice,
                              pieces.stream), "an upload");
        at += pixels * from.pixelBytes;
      },
      [&] { pad(taken.memory(), bytes, pieces.stream); });
  samples_[nextId_] = {taken.keep(), bytes};
  return nextId_++;
}

uint32_t Residents::uploadTable(const TableSource &from, Pieces &pieces) {
  const uint64_t pitch = wholeVectors(from.rowBytes);
  const uint64_t rows = from.rowBytes == 0 ? 0 : from.bytes.size / from.rowBytes;
  const size_t bytes = rows * pitch + limits::GPU_PADDING_BYTES;
  Taken taken(bytes);
  // What lies between and behind the rows is loaded, and not added up.
  check(cudaMemsetAsync(taken.memory(), 0, bytes, pieces.stream), "cudaMemset");
  uint64_t at = 0;
  bringAll(
      rowOf(from.bytes.data, from.bytes.size), nullptr, from.control, pieces,
      [&](const void *piece, uint64_t size) {
        const auto *data = static_cast<const uint8_t *>(piece);
        for (const RowPart &part : partsOfRows(at, size, from.rowBytes)) {
          check(cudaMemcpy2DAsync(taken.memory() + part.row * pitch + part.column, pitch, data, from.rowBytes, part.width,
                                  part.rows, cudaMemcpyDeviceToDevice, pieces.stream), "an upload");
          data += part.width * part.rows;
        }
        at += size;
      },
      [] {});
  tables_[nextId_] = {taken.keep(), pitch, rows, from.rowBytes};
  return nextId_++;
}

void Residents::free(uint32_t id) {
  if (const auto found = samples_.find(id); found != samples_.end()) {
    giveDevice(found->second.memory);
    samples_.erase(found);
  }
  if (const auto found = tables_.find(id); found != tables_.end()) {
    giveDevice(found->second.memory);
    tables_.erase(found);
  }
}

void Residents::release() {
  for (const auto &resident : samples_) giveDevice(resident.second.memory);
  samples_.clear();
  for (const auto &table : tables_) giveDevice(table.second.memory);
  tables_.clear();
}

const uint8_t *Residents::at(const Source &from) const {
  if (from.resident == 0) return nullptr;
  const auto found = samples_.find(from.resident);
  if (found == samples_.end()) throw Failure{"ERR_INPUT", "expected resident samples but they were freed"};
  within("source.pixels", (Wide{from.first} + from.pixels) * from.pixelBytes, 0, found->second.bytes);
  return static_cast<const uint8_t *>(found->second.memory) + from.first * from.pixelBytes;
}

const FeatureTable &Residents::table(uint32_t id) const {
  const auto found = tables_.find(id);
  if (found == tables_.end()) throw Failure{"ERR_INPUT", "expected a feature table but it was freed"};
  return found->second;
}

}  // namespace polybin
