// TRISH's Count kernel for bytes, with its tables and row sums. benchmarks/peers/trish.cu measures the same kernel without
// the row sums.
#pragma once
#include "generated/kernels/trish.cuh"
#include "kernels/codes.cuh"

namespace polybin {
namespace {

constexpr uint32_t THREADS = TRISH_THREADS;
constexpr uint32_t ROW_WORDS = THREADS;
constexpr uint32_t COUNTER_WORDS = TRISH_BINS / WORD_BYTES * ROW_WORDS;
/** Blocks of 16 KB and 1 KB each that fit a multiprocessor's 228 KB. Registers are limited so that all have room. */
constexpr uint32_t RESIDENT_BLOCKS = 13;
/** Batches of four words that load while one is binned. */
constexpr int AHEAD = 2;

// After the last whole word a thread may bin one byte more.
static_assert(TRISH_WORDS * WORD_BYTES + 1 <= U8_MAX);
static_assert(THREADS * U8_MAX <= U16_MAX, "row sums are pairs of 16 bits");
// The addresses' bits have the layout drawn above.
static_assert(TRISH_BINS == 256 && THREADS == 64 && WORD_BYTES == 4 && TRISH_BATCH == 4);

/** Section 5.3: sums the quad [3,2,1,0] as the pairs [*,2,*,0] and [*,3,*,1], whose halves hold 16 bits. */
struct Pairs {
  uint32_t even = 0, odd = 0;

  __device__ void add(const uint4 &quads) {
    even += evenBytes(quads.x) + evenBytes(quads.y);
    odd += oddBytes(quads.x) + oddBytes(quads.y);
    even += evenBytes(quads.z) + evenBytes(quads.w);
    odd += oddBytes(quads.z) + oddBytes(quads.w);
  }
  __device__ uint32_t sum(uint32_t slot) const { return (slot % 2 == 0 ? even : odd) >> (slot / 2 * 16) & U16_MAX; }

  static __device__ uint32_t evenBytes(uint32_t quad) { return quad & 0x00ff00ff; }
  static __device__ uint32_t oddBytes(uint32_t quad) { return __byte_perm(quad, 0, 0x4341); }
};

/** The same without section 5.3: each byte is extracted and added to a sum of its own. */
struct Singletons {
  uint32_t bins[WORD_BYTES] = {};

  __device__ void add(const uint4 &quads) {
#pragma unroll
    for (uint32_t slot = 0; slot < WORD_BYTES; slot++) {
      bins[slot] += byteOf(quads.x, slot) + byteOf(quads.y, slot);
      bins[slot] += byteOf(quads.z, slot) + byteOf(quads.w, slot);
    }
  }
  __device__ uint32_t sum(uint32_t slot) const { return bins[slot]; }

  static __device__ uint32_t byteOf(uint32_t quad, uint32_t slot) { return quad >> (slot * 8) & U8_MAX; }
};

/** The counts of the bins 4t … 4t + 3 of a block, in thread t's registers. */
struct BlockCounts {
  uint32_t bin[WORD_BYTES] = {};

  __device__ void accumulate(RowSums rowSums) {
    __syncthreads();
    if (rowSums == RowSums::pairs) addRow<Pairs>();
    else addRow<Singletons>();
    __syncthreads();
  }

  /** Adds row t and clears it, in 16-byte steps from column t on and around: eight lanes use 32 banks. */
  template <class Sums>
  __device__ void addRow() {
    constexpr uint32_t STEPS = ROW_WORDS / WORD_BYTES;
    uint4 *const row = reinterpret_cast<uint4 *>(sharedWords()) + threadIdx.x * STEPS;
    Sums sums;
#pragma unroll
    for (uint32_t i = 0; i < STEPS; i++) {
      const uint32_t at = (threadIdx.x + i) % STEPS;
      const uint4 quads = row[at];
      row[at] = uint4{};
      sums.add(quads);
    }
#pragma unroll
    for (uint32_t slot = 0; slot < WORD_BYTES; slot++) bin[slot] += sums.sum(slot);
  }

  /** Writes the block's histogram, coalesced. If it is not a whole partial table, its sums go one by one. */
  __device__ void write(const Pass &pass) const {
    if (pass.partials != nullptr && pass.cells == TRISH_BINS) {
      auto *const tables = reinterpret_cast<uint4 *>(pass.partials);
      tables[blockIdx.x * THREADS + threadIdx.x] = uint4{bin[0], bin[1], bin[2], bin[3]};
      return;
    }
#pragma unroll
    for (uint32_t slot = 0; slot < WORD_BYTES; slot++) addSum(pass, threadIdx.x * WORD_BYTES + slot, bin[slot], true);
  }
};

/** The start of this thread's counters, for the bytes of a pair: thread << 2 in both halves. */
__device__ uint32_t myColumns() { return threadIdx.x * (WORD_BYTES | WORD_BYTES << 16); }

__device__ void incrementAt(uint32_t address) { reinterpret_cast<uint8_t *>(sharedWords())[address]++; }

/** Section 5.3: computes the addresses of bytes 0 and 2, then of 1 and 3, together in 16 bits each. */
__device__ void bin(uint32_t word, uint32_t columns) {
  const uint32_t even = (word << 6 & 0x3f003f00) | (word & 0x00030003) | columns;
  const uint32_t odd = (word >> 2 & 0x3f003f00) | (word >> 8 & 0x00030003) | columns;
  incrementAt(even & U16_MAX);
  incrementAt(odd & U16_MAX);
  incrementAt(even >> 16);
  incrementAt(odd >> 16);
}

__device__ void bin(const uint4 &batch, uint32_t columns) {
  bin(batch.x, columns);
  bin(batch.y, columns);
  bin(batch.z, columns);
  bin(batch.w, columns);
}

__device__ uint32_t addressOf(uint32_t code) {
  return code / WORD_BYTES * (ROW_WORDS * WORD_BYTES) + threadIdx.x * WORD_BYTES + code % WORD_BYTES;
}

/**
 * The k words of a thread in a loop, as 16-byte batches and up to three single words:
 *   a block's share:  [batch][thread] of 16 bytes, then [single word][thread] of 4
 */
template <uint32_t k>
struct Share {
  static constexpr int BATCHES = k / TRISH_BATCH;
  static constexpr int SINGLES = k % TRISH_BATCH;
  static constexpr uint32_t BYTES = THREADS * k * WORD_BYTES;

  static __device__ uint4 batch(const uint8_t *share, int i) {
    return fromHere(reinterpret_cast<const uint4 *>(share) + i * THREADS + threadIdx.x);
  }
  static __device__ uint32_t single(const uint8_t *share, int i) {
    return fromHere(reinterpret_cast<const uint32_t *>(share) + BATCHES * THREADS * TRISH_BATCH + i * THREADS +
                    threadIdx.x);
  }

  /** Reads ahead. The barrier costs nothing and keeps the assembler from moving the load to its first use. */
  template <class Value>
  static __device__ Value fromHere(const Value *at) {
    const Value value = __ldcs(at);
    __syncwarp();
    return value;
  }
};

/** The words that are read but not yet binned: the next batches, and the loop's single words. */
template <uint32_t k>
struct Pipeline {
  using Of = Share<k>;
  static constexpr int DEPTH = Of::BATCHES < AHEAD ? Of::BATCHES : AHEAD;
  // (C++ has no arrays of length 0.)
  uint4 batches[DEPTH + 1];
  uint32_t singles[Of::SINGLES + 1];

  __device__ void fill(const uint8_t *share) {
#pragma unroll
    for (int i = 0; i < DEPTH; i++) batches[i] = Of::batch(share, i);
#pragma unroll
    for (int i = 0; i < Of::SINGLES; i++) singles[i] = Of::single(share, i);
  }

  /** Bins the share and reads the beginning of the next. */
  __device__ void run(const uint8_t *share, const uint8_t *next, uint32_t columns) {
#pragma unroll
    for (int i = 0; i < Of::BATCHES; i++) {
      const int ahead = i + DEPTH;
      batches[DEPTH] = ahead < Of::BATCHES ? Of::batch(share, ahead) : Of::batch(next, ahead - Of::BATCHES);
      bin(batches[0], columns);
#pragma unroll
      for (int slot = 0; slot < DEPTH; slot++) batches[slot] = batches[slot + 1];
    }
#pragma unroll
    for (int i = 0; i < Of::SINGLES; i++) {
      const uint32_t word = singles[i];
      singles[i] = Of::single(next, i);
      bin(word, columns);
    }
  }
};

/** Bins the row that is left over (section 5.5): at most k words per thread, with range checks, and the last bytes. */
__device__ void binLeftOver(const uint8_t *data, uint32_t count, uint32_t first, uint32_t columns) {
  const uint32_t words = count / WORD_BYTES;
  const uint32_t stride = gridDim.x * THREADS;
  for (uint32_t word = first + blockIdx.x * THREADS + threadIdx.x; word < words; word += TRISH_BATCH * stride) {
    uint32_t batch[TRISH_BATCH];
#pragma unroll
    for (uint32_t i = 0; i < TRISH_BATCH; i++) {
      if (word + i * stride < words) batch[i] = __ldg(reinterpret_cast<const uint32_t *>(data) + word + i * stride);
    }
#pragma unroll
    for (uint32_t i = 0; i < TRISH_BATCH; i++) {
      if (word + i * stride < words) bin(batch[i], columns);
    }
  }
  if (blockIdx.x == 0 && threadIdx.x < count % WORD_BYTES) {
    incrementAt(addressOf(data[words * WORD_BYTES + threadIdx.x]));
  }
}

/**
 * The Count kernel (Figure 5) for bytes. Without `between`, no rows are summed before the end, and byte counters wrap
 * around. Only the measurement of section 6.2 asks for that.
 */
template <uint32_t k, bool between = true>
__global__ void __launch_bounds__(THREADS, RESIDENT_BLOCKS) countBytes(Pass pass, RowSums rowSums) {
  const auto *const data = static_cast<const uint8_t *>(pass.data);
  const uint32_t count = pass.count;
  // This is not Figure 5's test, overflow >= 63 - k, which would sum one loop too early.
  constexpr uint32_t LOOPS = TRISH_WORDS / k;
  BlockCounts counts;
  const uint32_t columns = myColumns();
  clearShared(COUNTER_WORDS);

  const uint32_t rowWords = gridDim.x * THREADS * k;
  const uint32_t rows = count / WORD_BYTES / rowWords;
  const size_t rowBytes = size_t{rowWords} * WORD_BYTES;
  const uint8_t *share = data + size_t{blockIdx.x} * Share<k>::BYTES;
  Pipeline<k> pipeline;
  if (rows > 0) pipeline.fill(share);

  uint32_t loops = 0;
  for (uint32_t row = 0;; row++) {
    // This runs before every row, including the one that is left over, and after that one.
    if (between ? loops == LOOPS : row > rows) {
      counts.accumulate(rowSums);
      loops = 0;
      if (row > rows) break;
    }
    if (row == rows) {
      binLeftOver(data, count, rows * rowWords, columns);
      loops = LOOPS;
      continue;
    }
    // After the last row there is nothing to read ahead, so it reads its own share again.
    const uint8_t *next = row + 1 < rows ? share + rowBytes : share;
    pipeline.run(share, next, columns);
    share = next;
    loops++;
  }
  counts.write(pass);
}

}  // namespace
}  // namespace polybin
