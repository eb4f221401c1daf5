// Host memory that a call reads, and small arrays of numbers.
#pragma once
#include <cstddef>
#include <cstdint>

#include "generated/limits.cuh"

namespace polybin {

/** Numbers in memory. Without data there are none. */
template <typename Number>
struct Array {
  const Number *data = nullptr;
  size_t size = 0;
};
using Bytes = Array<uint8_t>;
using Words = Array<uint32_t>;
using Doubles = Array<double>;

/** Rounds up to the size of a kernel's load. */
inline uint64_t wholeVectors(uint64_t bytes) {
  return (bytes + limits::VECTOR_BYTES - 1) / limits::VECTOR_BYTES * limits::VECTOR_BYTES;
}

/** Integers or floats of 32 bits. Without data there are none. */
struct Numbers {
  const uint8_t *data = nullptr;
  size_t bytes = 0;
  bool floats = false;
};

/** Memory to write: doubles, or other numbers as they are. */
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
