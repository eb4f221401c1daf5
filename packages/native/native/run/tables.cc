#include "tables.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "generated/border.h"

namespace polybin {
namespace {

constexpr size_t PAGE = 4096;

struct Freed {
  void operator()(void *memory) const { std::free(memory); }
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
    const size_t bytes = (words * sizeof(uint32_t) + PAGE - 1) / PAGE * PAGE;
    kept.reset(static_cast<uint32_t *>(std::aligned_alloc(PAGE, bytes)));
    if (!kept) throw std::bad_alloc();
    std::memset(kept.get(), 0, bytes);
    size = words;
  }
  return kept.get();
}

}  // namespace polybin
