#include "ring.h"

#include <algorithm>

#include "generated/limits.cuh"
#include "platform/memory.h"

namespace polybin {
namespace {

constexpr uint64_t apart = 256;

}  // namespace

void Ring::reserve(size_t bytes) {
  if (fits(bytes)) return;
  const uint64_t size = std::max<uint64_t>(limits::RING_BYTES, 4 * ((bytes + apart - 1) / apart * apart));
  memory_.reserve(memory_.size() + 1);
  memory_.push_back(takeHost(size));
  size_ = size;
  taken_ = given_ = 0;
}

Ring::Place Ring::take(size_t bytes) {
  const uint64_t wanted = (bytes + apart - 1) / apart * apart;
  uint64_t first = taken_;
  // A place does not wrap around the end.
  if (first % size_ + wanted > size_) first += size_ - first % size_;
  if (first + wanted - given_ > size_) return {nullptr, 0};
  taken_ = first + wanted;
  return {static_cast<uint8_t *>(memory_.back()) + first % size_, taken_};
}

Ring::~Ring() {
  for (void *memory : memory_) giveHost(memory);
}

}  // namespace polybin
