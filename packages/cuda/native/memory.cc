#include "memory.h"

#include <cuda_runtime.h>

#include "failure.h"

namespace polybin {

std::mutex &wholeDevice() {
  // Never destroyed: memory may be given back after the statics of a process.
  static auto *const one = new std::mutex;
  return *one;
}

namespace {

template <typename Call>
cudaError_t alone(Call call) {
  const std::lock_guard<std::mutex> lock(wholeDevice());
  return call();
}

}  // namespace

void *takeDevice(size_t bytes) {
  void *memory = nullptr;
  check(alone([&] { return cudaMalloc(&memory, bytes); }), "an allocation");
  return memory;
}

void *takeHost(size_t bytes) {
  void *memory = nullptr;
  const unsigned of = cudaHostAllocPortable | cudaHostAllocMapped;
  check(alone([&] { return cudaHostAlloc(&memory, bytes, of); }), "an allocation");
  return memory;
}

void giveDevice(void *memory) {
  if (memory != nullptr) alone([&] { return cudaFree(memory); });
}

void giveHost(void *memory) {
  if (memory != nullptr) alone([&] { return cudaFreeHost(memory); });
}

}  // namespace polybin
