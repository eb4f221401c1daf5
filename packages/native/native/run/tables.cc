#include "tables.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace polybin {
namespace {

constexpr size_t LINE = 4096;

struct Freed {
  void operator()(void *memory) const { std::free(memory); }
};

}  // namespace

uint32_t *clearWords(size_t words) {
  static thread_local std::unique_ptr<uint32_t, Freed> kept;
  static thread_local size_t size = 0;
  if (words > size) {
    kept.reset();
    size = 0;
    // Counters of one word never share a line with another thread's.
    const size_t bytes = (words * sizeof(uint32_t) + LINE - 1) / LINE * LINE;
    kept.reset(static_cast<uint32_t *>(std::aligned_alloc(LINE, bytes)));
    if (!kept) throw std::bad_alloc();
    std::memset(kept.get(), 0, bytes);
    size = words;
  }
  return kept.get();
}

}  // namespace polybin
