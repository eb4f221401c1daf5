// Uploads a lowering's arrays to the device.
#pragma once
#include <vector>

#include "generated/messages.h"
#include "kernels/polybin.cuh"
#include "memory/buffer.h"
#include "platform/cuda-errors.h"

namespace polybin {

/** The device memory of a lowering's arrays. */
class LoweringArrays {
 public:
  /** Uploads the arrays next to each other. They are valid when the stream has finished the copies. @throws Failure */
  Lowering toDevice(const HostLowering &of, cudaStream_t stream) {
    // Arrays start at multiples of this number of words, as device allocations do.
    constexpr size_t apart = 64;
    const auto padded = [](const std::vector<uint32_t> &words) { return (words.size() + apart - 1) / apart * apart; };
    Lowering to{of.numbers, static_cast<uint32_t>(of.low.size()), nullptr, nullptr, nullptr, nullptr};
    size_t size = 0;
    for (const auto *words : {&of.table, &of.low, &of.high, &of.starts}) size += padded(*words);
    auto *memory = static_cast<uint32_t *>(memory_.reserve(size * sizeof(uint32_t)));
    const auto bring = [&](const std::vector<uint32_t> &words) -> const uint32_t * {
      if (words.empty()) return nullptr;
      uint32_t *const array = memory;
      check(cudaMemcpyAsync(array, words.data(), words.size() * sizeof(uint32_t), cudaMemcpyHostToDevice, stream),
            "a copy");
      memory += padded(words);
      return array;
    };
    to.table = bring(of.table);
    to.low = bring(of.low);
    to.high = bring(of.high);
    to.starts = bring(of.starts);
    return to;
  }
  void release() { memory_.release(); }

 private:
  Buffer memory_;
};

}  // namespace polybin
