// Samples in a file, which each thread reads into memory of its own, piece by piece. A mapped file that is cut would end
// the process with a signal; a read that finds too few bytes is an error.
#pragma once
#include <cstdint>

#include "job.h"
#include "pieces.h"
#include "pixels.h"

namespace polybin {

/** Consecutive pixels in an open file. */
struct File {
  int descriptor;
  /** Bytes before the first pixel. */
  uint64_t offset;
  uint64_t pixels;
};

/** How threads share the pixels of a file. */
Division divisionOf(const Job &, const File &);

/**
 * The pixels [from, to) in memory that the thread keeps for its next piece.
 * @throws Failure if the file does not have them
 */
Pixels readPixels(const File &, uint32_t pixelBytes, uint64_t from, uint64_t to);

}  // namespace polybin
