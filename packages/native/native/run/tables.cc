#include "tables.h"

#include <cstdlib>
#include <memory>
#include <new>

namespace polybin {
namespace {

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
    // The system hands over large memory that is 0 without writing it.
    kept.reset(static_cast<uint32_t *>(std::calloc(words, sizeof(uint32_t))));
    if (!kept) throw std::bad_alloc();
    size = words;
  }
  return kept.get();
}

}  // namespace polybin
