// Memory of C++ in WebAssembly, where nothing catches an exception.
#include "memory.h"

#include <cstdlib>
#include <new>

void *operator new(size_t bytes) {
  void *const memory = std::malloc(bytes);
  if (memory == nullptr) exhausted();
  return memory;
}

void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
