// Threaded Register Independent Strided Histogram: no atomics, and no time depends on the data.
//
//   shared memory, 16 KB:  word = [row = bin / 4][column = thread], four byte counters a word
//                          byte address = row : 6 | thread : 6 | bin % 4 : 2, so bank = lane, whatever the data
//   registers:             thread t keeps the block's counts of the bins 4t … 4t + 3
//   partial tables:        word = [block][bin], with 16-byte stores
//
// Count: a thread bins k words and then checks whether k more could overflow a byte. If so, the block sums its rows:
// thread t sums row t, from its own column on and around, in pairs of 16 bits, or byte by byte to show what pairs gain.
// BlockSum (merge.cu) adds the blocks' histograms.
//
// Bound: instructions and accesses to shared memory, per byte (as compiled for Hopper):
//   address    2.75   two bytes at a time: 7 shifts and LOP3s for the four of a word, and 4 to separate them
//   increment  3      LDS.U8, add 1, STS.U8: a byte access needs no shifted 1
//   row sums   1.2    every 248 bytes (k = 31) 64 words: a mask, a PRMT, an IADD3; 16-byte reads and clears
//                     byte by byte 2.4: 584 instructions instead of 291
//   loop       0.3    loads of 16 bytes, issued two batches before they are binned
// The loop takes about 7 instructions per byte. ncu counts 8.5 for a whole call of 2^26 bytes, and the paper 11.7. The
// 32 bytes of a warp take 2.5 cycles of shared memory.
// Source: Brown & Snoeyink 2012, sections 5.1 to 5.5, Figure 5.
#include <utility>

#include "count.cuh"

namespace polybin {
namespace {

/** The Count kernel for 32-bit codes. The loads are its bound, so one kernel serves every k. */
__global__ void __launch_bounds__(THREADS, RESIDENT_BLOCKS) countCodes(Pass pass, RowSums rowSums, uint32_t k) {
  BlockCounts counts;
  clearShared(COUNTER_WORDS);
  const uint32_t wordsPerSum = TRISH_WORDS / k * k;
  uint32_t binned = 0;
  eachWord<false>(pass, [&](const Word &word) {
    if (binned == wordsPerSum) {
      counts.accumulate(rowSums);
      binned = 0;
    }
    binned++;
    for (uint32_t code : word.code) {
      if (code < pass.cells) incrementAt(addressOf(code));
    }
  });
  counts.accumulate(rowSums);
  counts.write(pass);
}

using CountBytes = void (*)(Pass, RowSums);

template <uint32_t... i>
CountBytes countBytesFor(uint32_t k, std::integer_sequence<uint32_t, i...>) {
  static constexpr CountBytes kernels[] = {countBytes<i + 1>...};
  return kernels[k - 1];
}

}  // namespace

cudaError_t trish(const Codes &codes, const Plan &plan, const Trish &own, cudaStream_t stream) {
  if (!codes.bytes) return launchPasses(countCodes, codes, plan, stream, own.rowSums, own.k);
  return launchPasses(countBytesFor(own.k, std::make_integer_sequence<uint32_t, TRISH_WORDS>{}), codes, plan, stream,
                      own.rowSums);
}

}  // namespace polybin
