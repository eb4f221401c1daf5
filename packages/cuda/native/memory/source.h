// Where samples are, and how their bytes come into page-locked memory.
#pragma once
#include <cstddef>
#include <cstdint>

namespace polybin {

/**
 * Pixels first … first + pixels of a resident, of host memory, or of a file. Rows are `width` pixels, `rowPitch`
 * bytes apart.
 */
struct Source {
  uint64_t first, pixels, width, rowPitch;
  uint32_t pixelBytes;
  /** Id of a resident; 0 for none. */
  uint32_t resident;
  /** Where pixel 0 is, and how many bytes are there. */
  const uint8_t *host;
  uint64_t hostBytes;
  int fd = -1;
  /** Byte of the file where pixel 0 is. */
  uint64_t offset;
};

/** Are the pixels host memory that the device can copy from as it is? */
bool isPinnedAndDense(const Source &);

/**
 * Copies `bytes` from byte `first` of the dense pixels on, on several threads where it pays.
 * @throws Failure ERR_INPUT where a file ends too early
 */
void fill(const Source &, uint64_t first, uint64_t bytes, uint8_t *to);

}  // namespace polybin
