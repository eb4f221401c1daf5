// A byte counter for each of 256 bins and each of 64 threads: 16 KB per block.
//
//   shared memory:  interleaved   word = [bin / 4][thread], the four bins of a quad in one word (Figure 6)
//                   row           byte = [thread][bin], one histogram per row                   (Figure 4)
//                   column        byte = [bin][thread], one bin per row                         (Figure 5)
//
//                   spills        word = [bin], after the counters, if an overflow check adds to shared memory
//
// Bytes: a thread reads 16 at a time.
//
// Bound: the range of a byte, 63 words per thread. `periodic` then merges and clears the counters. `avoid` launches
// enough blocks that no thread gets more. A check tests the top bit after every increment. It clears the bit and adds
// 128 with an atomic, to the block's histogram in shared memory or to the final one.
// Per byte, a counter in a word takes 10 instructions, and a counter in a byte 6 (as compiled for Hopper).
// Source: The CUDA Handbook, histogram chapter: Privatized (Per Thread) Histograms, Listings 5 to 8. Its kernel
// lacks a barrier after the periodic merge, and has one in a loop that some threads leave earlier.
#include "generated/kernels/privatized.cuh"
#include "kernels/codes.cuh"
#include "kernels/vectors.cuh"

namespace polybin {
namespace {

constexpr uint32_t THREADS = PRIVATIZED_THREADS;
constexpr uint32_t BINS = PRIVATIZED_BINS;
constexpr uint32_t COUNTER_WORDS = THREADS * BINS / WORD_BYTES;
/** Blocks of 16 KB and 1 KB each that fit a multiprocessor's 228 KB. Registers are limited so that all have room. */
constexpr uint32_t RESIDENT_BLOCKS = 13;
/** Vectors that load while others are counted. Three such batches are 60 of a thread's 63 words. */
constexpr uint32_t AHEAD = 5;
// A merge is due before a batch, so a batch must fit.
static_assert(AHEAD * sizeof(uint4) <= U8_MAX);

/** The top bits of the counters in a word, or of a counter in a byte. */
constexpr uint32_t TOP_BITS = 0x80808080;
static_assert(PRIVATIZED_SPILL == (TOP_BITS & U8_MAX));

template <Merge merge>
constexpr bool checks = merge == Merge::checkShared || merge == Merge::checkGlobal;

/** The block's histogram, into which checkShared spills. */
__device__ uint32_t *spills() { return sharedWords() + COUNTER_WORDS; }

/** Adds what a counter had when it was full. */
template <Merge merge>
__device__ void spill(const Pass &pass, uint32_t bin) {
  if constexpr (merge == Merge::checkShared) atomicAdd(&spills()[bin], PRIVATIZED_SPILL);
  else addTotal(pass, bin, PRIVATIZED_SPILL);
}

/** Adds one to a counter, which is a byte, or lies in a word. The other counters of a word have no top bit either. */
template <Merge merge, class Counters>
__device__ void increment(const Pass &pass, Counters &at, Counters one, uint32_t bin) {
  uint32_t counters = at + one;
  if (checks<merge> && (counters & TOP_BITS) != 0) {
    counters &= ~TOP_BITS;
    spill<merge>(pass, bin);
  }
  at = static_cast<Counters>(counters);
}

template <Layout layout, Merge merge>
__device__ void increment(const Pass &pass, uint32_t bin) {
  if constexpr (layout == Layout::interleaved) {
    uint32_t &word = sharedWords()[bin / WORD_BYTES * THREADS | threadIdx.x];
    increment<merge>(pass, word, 1u << (bin % WORD_BYTES * 8), bin);
  } else {
    uint8_t *const bytes = reinterpret_cast<uint8_t *>(sharedWords());
    uint8_t &byte = bytes[layout == Layout::row ? threadIdx.x * BINS | bin : bin * THREADS | threadIdx.x];
    increment<merge>(pass, byte, uint8_t{1}, bin);
  }
}

/** Reads a word of counters and clears it. */
__device__ uint32_t take(uint32_t at) {
  const uint32_t word = sharedWords()[at];
  sharedWords()[at] = 0;
  return word;
}

/**
 * Listing 7: thread t sums the bins 4t … 4t + 3 over all threads' counters and clears them. It starts at a place of its
 * own, so that banks differ. There are barriers on both sides, because the counters belong to all threads. It is not
 * inlined, because its unrolled loop would lie several times within the loops that count.
 */
template <Layout layout>
__device__ __noinline__ uint4 takeSums() {
  const uint32_t thread = threadIdx.x;
  uint32_t sums[WORD_BYTES] = {};
  __syncthreads();
  if constexpr (layout == Layout::column) {
    // All words of a row belong to one bin.
    constexpr uint32_t ROW_WORDS = THREADS / WORD_BYTES;
    for (uint32_t i = 0; i < ROW_WORDS; i++) {
      const uint32_t at = (i + thread) % ROW_WORDS;
#pragma unroll
      for (uint32_t slot = 0; slot < WORD_BYTES; slot++) {
        sums[slot] = __dp4a(take((thread * WORD_BYTES + slot) * ROW_WORDS + at), 0x01010101u, sums[slot]);
      }
    }
  } else {
    // Pairs of 16 bits (Listing 6): the sum of 64 bytes is less than 2^16.
    static_assert(THREADS * U8_MAX <= U16_MAX);
    uint32_t even = 0, odd = 0;
    for (uint32_t i = 0; i < THREADS; i++) {
      const uint32_t other = (i + thread) % THREADS;
      const uint32_t quad = take(layout == Layout::row ? other * (BINS / WORD_BYTES) + thread : thread * THREADS + other);
      even += quad & 0x00ff00ff;
      odd += quad >> 8 & 0x00ff00ff;
    }
    sums[0] = even & U16_MAX;
    sums[1] = odd & U16_MAX;
    sums[2] = even >> 16;
    sums[3] = odd >> 16;
  }
  __syncthreads();
  return uint4{sums[0], sums[1], sums[2], sums[3]};
}

/**
 * Adds the sums to the counts with one atomic per bin, or to the block's partial table. Before that the lanes of a warp
 * exchange them, so that neighbouring lanes add to neighbouring bins.
 */
template <Layout layout, Merge way>
__device__ void merge(const Pass &pass, bool isFirst) {
  const uint4 sums = takeSums<layout>();
  // All counters are 0 now, so they have room for the sums.
  reinterpret_cast<uint4 *>(sharedWords())[threadIdx.x] = sums;
  __syncwarp();
  const uint32_t lane = threadIdx.x % WARP_THREADS, bins = (threadIdx.x - lane) * WORD_BYTES;
#pragma unroll
  for (uint32_t i = 0; i < WORD_BYTES; i++) {
    const uint32_t bin = bins + i * WARP_THREADS + lane;
    uint32_t sum = take(bin);
    if constexpr (way == Merge::checkShared) sum += spills()[bin];
    addSum(pass, bin, sum, isFirst);
  }
  __syncthreads();
}

template <bool bytes, Layout layout, Merge way>
__global__ void __launch_bounds__(THREADS, RESIDENT_BLOCKS) countPrivatized(Pass pass, uint32_t wordsPerThread) {
  clearShared(COUNTER_WORDS + (way == Merge::checkShared ? BINS : 0));
  uint32_t binned = 0;
  bool isFirst = true;
  const auto makeRoom = [&](uint32_t words) {
    if (way == Merge::periodic && binned + words > wordsPerThread) {
      merge<layout, way>(pass, isFirst);
      isFirst = false;
      binned = 0;
    }
    binned += words;
  };
  const auto countOne = [&](uint32_t bin) { increment<layout, way>(pass, bin); };
  if (bytes && pass.cells == BYTE_VALUES) {
    const auto count = [&](uint32_t word) {
      for (uint32_t bin : split(word).code) countOne(bin);
    };
    eachByteWord<uint4, AHEAD>(pass, makeRoom, count, countOne);
  } else {
    eachWord<bytes>(pass, [&](const Word &word) {
      makeRoom(1);
      for (uint32_t code : word.code) {
        if (code < pass.cells) countOne(code);
      }
    });
  }
  merge<layout, way>(pass, isFirst);
}

using Kernel = void (*)(Pass, uint32_t);

template <Layout layout, Merge way>
Kernel kernelFor(bool bytes) {
  return bytes ? countPrivatized<true, layout, way> : countPrivatized<false, layout, way>;
}

template <Layout layout>
Kernel kernelFor(bool bytes, Merge way) {
  switch (way) {
    case Merge::periodic: return kernelFor<layout, Merge::periodic>(bytes);
    case Merge::avoid: return kernelFor<layout, Merge::avoid>(bytes);
    case Merge::checkShared: return kernelFor<layout, Merge::checkShared>(bytes);
    default: return kernelFor<layout, Merge::checkGlobal>(bytes);
  }
}

Kernel kernelFor(bool bytes, Merge way, Layout layout) {
  switch (layout) {
    case Layout::row: return kernelFor<Layout::row>(bytes, way);
    case Layout::column: return kernelFor<Layout::column>(bytes, way);
    default: return kernelFor<Layout::interleaved>(bytes, way);
  }
}

}  // namespace

cudaError_t privatized(const Codes &codes, const Plan &plan, const Privatized &own, cudaStream_t stream) {
  return launchPasses(kernelFor(codes.bytes, own.merge, own.layout), codes, plan, stream, plan.wordsPerThread);
}

}  // namespace polybin
