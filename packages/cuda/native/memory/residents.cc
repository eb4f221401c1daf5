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

/** Device memory that is freed unless it is kept. */
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

/** Brings a whole source to the device. `use` copies its pieces to where they stay. */
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

Resident::~Resident() { giveDevice(memory); }

uint32_t Residents::upload(const Source &from, const Control &control, Pieces &pieces) {
  const size_t bytes = from.pixels * from.pixelBytes;
  Taken taken(bytes + limits::GPU_PADDING_BYTES);
  uint64_t at = 0;
  bringAll(
      from, this->at(from), control, pieces,
      [&](const void *data, uint64_t pixels, bool) {
        check(cudaMemcpyAsync(taken.memory() + at, data, pixels * from.pixelBytes, cudaMemcpyDeviceToDevice,
                              pieces.stream),
              "an upload");
        at += pixels * from.pixelBytes;
      },
      [&] { pad(taken.memory(), bytes, pieces.stream); });
  const std::shared_ptr<Resident> resident(new Resident{taken.memory(), bytes});
  taken.keep();
  const std::lock_guard<std::mutex> lock(mutex_);
  samples_[nextId_] = resident;
  return nextId_++;
}

uint32_t Residents::uploadTable(const TableSource &from, Pieces &pieces) {
  const uint64_t pitch = wholeVectors(from.rowBytes);
  const uint64_t rows = from.rowBytes == 0 ? 0 : from.bytes.size / from.rowBytes;
  const size_t bytes = rows * pitch + limits::GPU_PADDING_BYTES;
  Taken taken(bytes);
  // The bytes between and after the rows are loaded but not added up.
  check(cudaMemsetAsync(taken.memory(), 0, bytes, pieces.stream), "cudaMemset");
  uint64_t at = 0;
  bringAll(
      rowOf(from.bytes.data, from.bytes.size), nullptr, from.control, pieces,
      [&](const void *piece, uint64_t size, bool) {
        const auto *data = static_cast<const uint8_t *>(piece);
        for (const RowPart &part : partsOfRows(at, size, from.rowBytes)) {
          check(cudaMemcpy2DAsync(taken.memory() + part.row * pitch + part.column, pitch, data, from.rowBytes, part.width,
                                  part.rows, cudaMemcpyDeviceToDevice, pieces.stream),
                "an upload");
          data += part.width * part.rows;
        }
        at += size;
      },
      [] {});
  tables_[nextId_] = {taken.keep(), pitch, rows, from.rowBytes};
  return nextId_++;
}

void Residents::free(uint32_t id) {
  // This is released after the lock, because that may wait for the device.
  std::shared_ptr<const Resident> samples;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto found = samples_.find(id); found != samples_.end()) {
      samples = std::move(found->second);
      samples_.erase(found);
    }
  }
  if (const auto found = tables_.find(id); found != tables_.end()) {
    giveDevice(found->second.memory);
    tables_.erase(found);
  }
}

void Residents::release() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    samples_.clear();
  }
  for (const auto &table : tables_) giveDevice(table.second.memory);
  tables_.clear();
}

const uint8_t *Residents::at(const Source &from) const {
  if (from.resident == 0) return nullptr;
  const auto found = find(from.resident);
  within("source.pixels", (Wide{from.first} + from.pixels) * from.pixelBytes, 0, found->bytes);
  return static_cast<const uint8_t *>(found->memory) + from.first * from.pixelBytes;
}

std::shared_ptr<const Resident> Residents::samples(uint32_t id, uint64_t pixels, uint32_t pixelBytes) const {
  auto found = find(id);
  within("pixels", Wide{pixels} * pixelBytes, 0, found->bytes);
  return found;
}

std::shared_ptr<const Resident> Residents::find(uint32_t id) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = samples_.find(id);
  if (found == samples_.end()) throw Failure{"ERR_INPUT", "expected resident samples but they were freed"};
  return found->second;
}

const FeatureTable &Residents::table(uint32_t id) const {
  const auto found = tables_.find(id);
  if (found == tables_.end()) throw Failure{"ERR_INPUT", "expected a feature table but it was freed"};
  return found->second;
}

}  // namespace polybin
