#include "tables.h"

#include <cstring>
#include <memory>
#include <new>

#include "generated/border.h"

namespace polybin {
namespace {

constexpr std::align_val_t PAGE{4096};

struct Freed {
  void operator()(void *memory) const { ::operator delete(memory, PAGE); }
};

}  // namespace

uint32_t *clearWords(size_t words) {
  static thread_local std::unique_ptr<uint32_t, Freed> kept;
  static thread_local size_t size = 0;
  if (words == 0) return nullptr;
  // Large tables are not kept for small calls.
  const bool isTooLarge = size > limits::KEPT_WORDS && words <= limits::KEPT_WORDS;
  if (words > size || isTooLarge) {
    kept.reset();
    size = 0;
    // No page holds counters of two threads.
    const auto page = static_cast<size_t>(PAGE);
    const size_t bytes = (words * sizeof(uint32_t) + page - 1) / page * page;
    kept.reset(static_cast<uint32_t *>(::operator new(bytes, PAGE)));
    std::memset(kept.get(), 0, bytes);
    size = words;
  }
  return kept.get();
}

}  // namespace polybin
