// Memory of the host's that a call reads, and the few numbers that come beside it.
#pragma once
#include <cstddef>
#include <cstdint>

#include "generated/limits.cuh"

namespace polybin {

struct Bytes {
  const uint8_t *data = nullptr;
  size_t size = 0;
};

/** 32-bit words. */
struct Words {
  const uint32_t *data = nullptr;
  size_t size = 0;
};

/** Integers or floats of 32 bits; no data: there are none. */
struct Numbers {
  const uint8_t *data = nullptr;
  size_t bytes = 0;
  bool floats = false;
};

struct Doubles {
  const double *data = nullptr;
  size_t size = 0;
};

/** Memory that is written to: words, or else doubles. */
struct Written {
  uint8_t *data = nullptr;
  size_t bytes = 0;
  bool doubles = false;
};

/** The first numbers of so many; `size` is what came, which may be more. */
template <uint32_t most>
struct Few {
  uint32_t size;
  uint32_t of[most];
};

/** A struct of an algorithm's own, which its kernel knows. */
struct Own {
  alignas(8) uint8_t bytes[limits::OWN_BYTES_MAX];
  uint32_t size;
};

}  // namespace polybin
