#include "lowering.h"

#include <algorithm>

#include "platform/failure.h"

namespace polybin {
namespace {

/** Arrays begin at multiples of so many words, as device allocations do. */
constexpr size_t apart = 64;

size_t padded(const Words &words) { return (words.size + apart - 1) / apart * apart; }

}  // namespace

Lowering LoweringArrays::toDevice(const HostLowering &of, cudaStream_t stream) {
  Lowering to{of.numbers, static_cast<uint32_t>(of.low.size), nullptr, nullptr, nullptr, nullptr};
  const Words *const arrays[] = {&of.table, &of.low, &of.high, &of.starts};
  size_t size = 0;
  for (const Words *words : arrays) size += padded(*words);
  if (size == 0) return to;

  size_t at = 0;
  bool same = held_.size() == size;
  for (const Words *words : arrays) {
    same = same && std::equal(words->data, words->data + words->size, held_.begin() + at);
    at += padded(*words);
  }
  if (!same) {
    // Nothing is held until it has been copied.
    std::vector<uint32_t> held(size);
    held_.clear();
    at = 0;
    for (const Words *words : arrays) {
      std::copy_n(words->data, words->size, held.begin() + at);
      at += padded(*words);
    }
    void *memory = memory_.reserve(size * sizeof(uint32_t));
    check(cudaMemcpyAsync(memory, held.data(), size * sizeof(uint32_t), cudaMemcpyHostToDevice, stream), "a copy");
    held_ = std::move(held);
  }
  const auto *memory = static_cast<const uint32_t *>(memory_.memory());
  const auto place = [&](const Words &words) -> const uint32_t * {
    const uint32_t *const array = words.size == 0 ? nullptr : memory;
    memory += padded(words);
    return array;
  };
  to.table = place(of.table);
  to.low = place(of.low);
  to.high = place(of.high);
  to.starts = place(of.starts);
  return to;
}

void LoweringArrays::release() {
  held_.clear();
  memory_.release();
}

}  // namespace polybin
