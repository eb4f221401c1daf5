#include "memory.h"

#include <cuda_runtime.h>

#include <map>
#include <set>
#include <utility>

#include "cuda-errors.h"
#include "forever.h"

namespace polybin {

std::mutex &wholeDevice() { return forever<std::mutex>(); }

namespace {

template <typename Call>
cudaError_t alone(Call call) {
  const std::lock_guard<std::mutex> lock(wholeDevice());
  return call();
}

struct Pinned {
  std::mutex mutex;
  /** Ordered by the end. The first that ends after an address is the only one that may contain it. */
  std::map<const char *, std::weak_ptr<void>> byEnd;
};
Pinned &pinned() { return forever<Pinned>(); }

/** All objects that keep device memory. */
struct Spares {
  std::mutex mutex;
  std::set<Spare *> all;
};
Spares &spares() { return forever<Spares>(); }

}  // namespace

std::shared_ptr<void> takePinned(size_t bytes) {
  auto *const begin = static_cast<char *>(takeHost(bytes));
  const char *const end = begin + bytes;
  const std::shared_ptr<void> memory(begin, [end](void *of) {
    {
      const std::lock_guard<std::mutex> lock(pinned().mutex);
      pinned().byEnd.erase(end);
    }
    giveHost(of);
  });
  const std::lock_guard<std::mutex> lock(pinned().mutex);
  pinned().byEnd[end] = memory;
  return memory;
}

std::shared_ptr<void> pinnedAt(const void *place) {
  // This is released after the lock, because freeing takes the same lock.
  std::shared_ptr<void> memory;
  const std::lock_guard<std::mutex> lock(pinned().mutex);
  const auto found = pinned().byEnd.upper_bound(static_cast<const char *>(place));
  if (found == pinned().byEnd.end()) return nullptr;
  memory = found->second.lock();
  return memory.get() <= place ? memory : nullptr;
}

Spare::Spare() {
  const std::lock_guard<std::mutex> lock(spares().mutex);
  spares().all.insert(this);
}

Spare::~Spare() {
  release();
  const std::lock_guard<std::mutex> lock(spares().mutex);
  spares().all.erase(this);
}

void *Spare::take(size_t bytes) {
  {
    const std::lock_guard<std::mutex> lock(spares().mutex);
    if (memory_ != nullptr && bytes_ == bytes) return std::exchange(memory_, nullptr);
  }
  // The size differs. Two allocations are never held at the same time.
  release();
  return takeDevice(bytes);
}

void Spare::keep(void *memory, size_t bytes) {
  {
    const std::lock_guard<std::mutex> lock(spares().mutex);
    std::swap(memory_, memory);
    bytes_ = bytes;
  }
  giveDevice(memory);
}

std::vector<void *> Spare::giveUp() {
  const std::lock_guard<std::mutex> lock(spares().mutex);
  std::vector<void *> kept;
  for (Spare *const one : spares().all) {
    if (one->memory_ != nullptr) kept.push_back(std::exchange(one->memory_, nullptr));
  }
  return kept;
}

void *takeDevice(size_t bytes) {
  void *memory = nullptr;
  const auto take = [&] { return cudaMalloc(&memory, bytes); };
  cudaError_t error = alone(take);
  if (error == cudaErrorMemoryAllocation) {
    if (const std::vector<void *> kept = Spare::giveUp(); !kept.empty()) {
      for (void *const one : kept) giveDevice(one);
      cudaGetLastError();
      error = alone(take);
    }
  }
  check(error, "an allocation");
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
