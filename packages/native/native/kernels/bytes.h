// The kernel of raw bytes, of one channel or several interleaved ones.
#pragma once
#include "tally.h"

namespace polybin {

/** Whether two of the channels that are counted are neighbours, so that pairs of them can be counted. */
bool hasPairs(uint32_t interleaved, uint32_t mask);

/** Counts pixels in tables of `pixelWords` words. */
void countPixels(const Channels &, const uint8_t *bytes, size_t pixels, uint32_t *tables);
uint32_t pixelWords(const Channels &);

/** Adds tables to the counts of the channels that are counted, 256 each, and clears them. */
void sumPixels(const Channels &, uint32_t *tables, double *counts);

}  // namespace polybin
