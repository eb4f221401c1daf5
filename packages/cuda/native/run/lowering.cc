#include "lowering.h"

#include "platform/failure.h"

namespace polybin {
namespace {

/** Arrays start at multiples of this number of words, as device allocations do. */
constexpr size_t apart = 64;

size_t padded(const Words &words) { return (words.size + apart - 1) / apart * apart; }

}  // namespace

Lowering LoweringArrays::toDevice(const HostLowering &of, cudaStream_t stream) {
  Lowering to{of.numbers, static_cast<uint32_t>(of.low.size), nullptr, nullptr, nullptr, nullptr};
  size_t size = 0;
  for (const Words *words : {&of.table, &of.low, &of.high, &of.starts}) size += padded(*words);
  if (size == 0) return to;
  auto *memory = static_cast<uint32_t *>(memory_.reserve(size * sizeof(uint32_t)));
  const auto bring = [&](const Words &words) -> const uint32_t * {
    if (words.size == 0) return nullptr;
    uint32_t *const array = memory;
    check(cudaMemcpyAsync(array, words.data, words.size * sizeof(uint32_t), cudaMemcpyHostToDevice, stream), "a copy");
    memory += padded(words);
    return array;
  };
  to.table = bring(of.table);
  to.low = bring(of.low);
  to.high = bring(of.high);
  to.starts = bring(of.starts);
  return to;
}

}  // namespace polybin
