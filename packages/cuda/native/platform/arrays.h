// Host memory that a call reads, and small arrays of numbers.
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

/** Integers or floats of 32 bits. Without data there are none. */
struct Numbers {
  const uint8_t *data = nullptr;
  size_t bytes = 0;
  bool floats = false;
};

struct Doubles {
  const double *data = nullptr;
  size_t size = 0;
};

/** Memory to write: words or doubles. */
struct Written {
  uint8_t *data = nullptr;
  size_t bytes = 0;
  bool doubles = false;
};

/** The first `most` numbers of a list. `size` is the number that was given, which may be greater. */
template <uint32_t most>
struct Few {
  uint32_t size;
  uint32_t of[most];
};

/** A struct of one algorithm, which its kernel knows. */
struct Own {
  alignas(8) uint8_t bytes[limits::OWN_BYTES_MAX];
  uint32_t size;
};

}  // namespace polybin
