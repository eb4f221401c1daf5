// How the papers' kernels read bytes: one word of four samples, or a vector of four words, per load, and several loads
// in flight.
//
//   thread t of T:  loads t, t + T, t + 2T …, in batches of `AHEAD`; each batch is read while the one before is counted
//
// The bytes after the last whole batch of the grid remain. They are read in words of four, with range checks.
#pragma once
#include "kernels/codes.cuh"

namespace polybin {

/** Words of four bytes in a load: a uint32_t or a uint4. */
template <class Load>
constexpr uint32_t LOAD_WORDS = sizeof(Load) / WORD_BYTES;

/** Reads now. The barrier costs nothing and keeps the assembler from moving the load to its first use. */
template <class Load>
__device__ Load fetchNow(const Load *at) {
  const Load found = __ldcs(at);
  __syncwarp();
  return found;
}

/**
 * Calls `begin` before every batch of this thread, and `step` with its loads. All threads of the grid have the same
 * number of batches, so both may contain barriers. Returns the part of the pass that remains.
 */
template <class Load, uint32_t AHEAD, class Begin, class Step>
__device__ Pass eachLoad(const Pass &pass, Begin begin, Step step) {
  const uint32_t stride = gridDim.x * blockDim.x;
  const uint32_t batches = pass.count / sizeof(Load) / (stride * AHEAD);
  const Load *next = static_cast<const Load *>(pass.data) + (blockIdx.x * blockDim.x + threadIdx.x);
  Load ahead[AHEAD];
  if (batches > 0) {
#pragma unroll
    for (uint32_t i = 0; i < AHEAD; i++, next += stride) ahead[i] = fetchNow(next);
  }
  for (uint32_t left = batches; left > 0; left--) {
    // After the last batch there is nothing to read ahead, so it is read again.
    if (left == 1) next -= size_t{AHEAD} * stride;
    begin();
#pragma unroll
    for (uint32_t i = 0; i < AHEAD; i++, next += stride) {
      const Load now = ahead[i];
      ahead[i] = fetchNow(next);
      step(now);
    }
  }
  Pass rest = pass;
  const uint32_t counted = batches * AHEAD * stride * sizeof(Load);
  rest.data = static_cast<const uint8_t *>(pass.data) + counted;
  rest.count -= counted;
  return rest;
}

/** Calls `step` with the words of a load. */
template <class Step>
__device__ void eachOf(uint32_t word, Step step) {
  step(word);
}
template <class Step>
__device__ void eachOf(const uint4 &vector, Step step) {
  step(vector.x);
  step(vector.y);
  step(vector.z);
  step(vector.w);
}

/**
 * Counts bytes whose values are all cells, or have one: `count` a word of four, `countOne` a single byte. Calls `makeRoom`
 * with the number of words that a thread may count next, for all threads of a block alike.
 */
template <class Load, uint32_t AHEAD, class MakeRoom, class Count, class CountOne>
__device__ void eachByteWord(const Pass &pass, MakeRoom makeRoom, Count count, CountOne countOne) {
  const Pass rest = eachLoad<Load, AHEAD>(
      pass, [&] { makeRoom(AHEAD * LOAD_WORDS<Load>); }, [&](const Load &load) { eachOf(load, count); });
  const uint32_t stride = gridDim.x * blockDim.x;
  const uint32_t words = rest.wholeWords();
  for (uint32_t base = blockIdx.x * blockDim.x; base < words; base += WORDS_AHEAD * stride) {
    const uint32_t word = base + threadIdx.x;
    uint32_t raw[WORDS_AHEAD];
    makeRoom(WORDS_AHEAD);
#pragma unroll
    for (uint32_t i = 0; i < WORDS_AHEAD; i++) raw[i] = fetch<true>(rest, word + i * stride);
#pragma unroll
    for (uint32_t i = 0; i < WORDS_AHEAD; i++) {
      if (word + i * stride < words) count(raw[i]);
    }
  }
  if (blockIdx.x == 0 && threadIdx.x < rest.count % WORD_BYTES) {
    countOne(static_cast<const uint8_t *>(rest.data)[words * WORD_BYTES + threadIdx.x]);
  }
}

/** Calls `each` with the codes of this thread that are cells of the pass, as eachCode does. */
template <bool bytes, class Load, uint32_t AHEAD, class Each>
__device__ void eachCell(const Pass &pass, Each each) {
  if (bytes && pass.cells == BYTE_VALUES) {
    const auto eachOfWord = [&](uint32_t word) {
      for (uint32_t cell : split(word).code) each(cell);
    };
    eachByteWord<Load, AHEAD>(pass, [](uint32_t) {}, eachOfWord, each);
  } else {
    eachCode<bytes>(pass, each);
  }
}

}  // namespace polybin
