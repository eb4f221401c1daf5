// One histogram per block without atomics. Thread t counts only the cells of bank t. To find them, it reads every word
// of a tile.
//
//   shared memory:  tile, word = [row][column], 32 x 32; in cycle i thread t reads column (i + t) mod 32
//                   then the histogram, word = [cell]: cell c lies in bank c mod 32 and belongs to thread c mod 32
//
// Bound: 32 threads read every code, and one of them counts it.
// Source: Hardavellas, Histograms: Is there an alternative?
#include "generated/kernels/bank-owned.cuh"
#include "kernels/codes.cuh"

namespace polybin {
namespace {

constexpr uint32_t THREADS = WARP_THREADS;

template <bool bytes>
__global__ void __launch_bounds__(THREADS) countBankOwned(Pass pass) {
  uint32_t *const tile = sharedWords();
  uint32_t *const table = tile + TILE_WORDS;
  const uint32_t thread = threadIdx.x;
  for (uint32_t cell = thread; cell < pass.cells; cell += THREADS) table[cell] = 0;

  const auto count = [&](uint32_t code) {
    const uint32_t cell = code - pass.first;
    if (cell < pass.cells && cell % THREADS == thread) table[cell]++;
  };

  // Words of 32 bits: four bytes, or one code. The codes past the last whole word are counted below.
  constexpr uint32_t CODES_A_WORD = bytes ? WORD_BYTES : 1;
  const uint32_t *const data = static_cast<const uint32_t *>(pass.data);
  const uint32_t words = pass.count / CODES_A_WORD;
  const uint32_t tiles = words / TILE_WORDS + (words % TILE_WORDS != 0);
  for (uint32_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    const uint32_t start = t * TILE_WORDS;
    const uint32_t size = min(TILE_WORDS, words - start);
    __syncthreads();
#pragma unroll 8
    for (uint32_t i = thread; i < size; i += THREADS) tile[i] = __ldg(data + start + i);
    __syncthreads();
    for (uint32_t row = 0; row < size; row += THREADS) {
#pragma unroll 4
      for (uint32_t i = 0; i < THREADS; i++) {
        const uint32_t at = row + (i + thread) % THREADS;
        if (at >= size) continue;
        if constexpr (bytes) {
          for (uint32_t code : split(tile[at]).code) count(code);
        } else {
          count(tile[at]);
        }
      }
    }
  }
  if (blockIdx.x == 0) {
    for (uint32_t i = words * CODES_A_WORD; i < pass.count; i++) count(static_cast<const uint8_t *>(pass.data)[i]);
  }
  for (uint32_t cell = thread; cell < pass.cells; cell += THREADS) addCount(pass, cell, table[cell]);
}

}  // namespace

cudaError_t bankOwned(const Codes &codes, const Plan &plan, cudaStream_t stream) {
  return launchPasses(codes.bytes ? countBankOwned<true> : countBankOwned<false>, codes, plan, stream);
}

}  // namespace polybin
