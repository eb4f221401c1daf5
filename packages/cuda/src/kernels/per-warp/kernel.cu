// One histogram per warp. Atomics or software tags separate lanes that meet in a cell.
//
//   shared memory:  word = [warp][cell]
//   tag:            word = [ lane : 5 | count : 27 ], the count of all rounds, and the lane that wrote last
//
// Bytes: a thread reads words of four, as in the paper, and the table's number is a bit field of the address. Loads of 16
// bytes would let the lanes of a warp count bytes that lie 16 apart. If these are linear, twice as many lanes meet in a
// bank: 1,436 GB/s with words and 877 with loads of 16 bytes, for 2^26 bytes on an H200.
//
// Bound: with atomics, lanes that meet in a bank, but not in a cell; with tags, collisions, from none to 32 rounds per
// code. So the time depends on the data. Per byte without collisions (as compiled for Hopper):
//   address  2     a shift, and a LOP3 that masks the byte and adds the table
//   atomic   1     ATOMS.POPC.INC
//   loop     1     loads of 4 bytes, issued eight words before they are counted
// The loop takes 4 instructions per byte. ncu counts 5.3 for the whole kernel over 2^26 bytes, and the paper 23.4 on Fermi
// (Brown & Snoeyink 2012, Table 1). A tag takes 15 instructions, and 11 for each further round. A tagged counter is
// emptied after wordsPerThread words, before 27 bits could overflow.
// Source: Podlozhnyuk 2009, Implementation of oclHistogram256, Listing 3.
#include "generated/kernels/per-warp.cuh"
#include "kernels/codes.cuh"
#include "kernels/vectors.cuh"

namespace polybin {
namespace {

constexpr uint32_t ALL_LANES = U32_MAX;
/** A word of four bytes: the bytes that a warp counts at a time lie four apart. */
using Load = uint32_t;
/** Words that load while others are counted. */
constexpr uint32_t AHEAD = 8;

/** The first word of the warp's table. */
__device__ uint32_t tableStart(const Pass &pass) { return threadIdx.x / WARP_THREADS * pass.cells; }

/** Calls `step` with the byte addresses of the four counters of a word, for tables of 256 cells. */
template <class Step>
__device__ void eachAddress(uint32_t word, uint32_t table, Step step) {
  constexpr uint32_t CELLS = U8_MAX * WORD_BYTES;
  step(word << 2 & CELLS | table);
  step(word >> 6 & CELLS | table);
  step(word >> 14 & CELLS | table);
  step(word >> 22 & CELLS | table);
}

__device__ uint32_t &counterAt(uint32_t address) {
  return *reinterpret_cast<uint32_t *>(reinterpret_cast<uint8_t *>(sharedWords()) + address);
}

/** Adds the sum of the warps' tables after all warps are done, and clears the tables. */
__device__ void addTables(const Pass &pass, uint32_t mask, bool isFirst) {
  __syncthreads();
  const uint32_t size = blockDim.x / WARP_THREADS * pass.cells;
  for (uint32_t cell = threadIdx.x; cell < pass.cells; cell += blockDim.x) {
    uint32_t sum = 0;
    for (uint32_t at = cell; at < size; at += pass.cells) {
      sum += sharedWords()[at] & mask;
      sharedWords()[at] = 0;
    }
    addSum(pass, cell, sum, isFirst);
  }
  __syncthreads();
}

template <bool bytes>
__global__ void __launch_bounds__(PER_WARP_THREADS) countAtomic(Pass pass) {
  clearShared(blockDim.x / WARP_THREADS * pass.cells);
  const uint32_t start = tableStart(pass);
  const auto countOne = [&](uint32_t cell) { atomicAdd(&sharedWords()[start + cell], 1u); };
  if (bytes && pass.cells == BYTE_VALUES) {
    const auto count = [&](uint32_t word) {
      eachAddress(word, start * WORD_BYTES, [](uint32_t address) { atomicAdd(&counterAt(address), 1u); });
    };
    eachByteWord<Load, AHEAD>(pass, [](uint32_t) {}, count, countOne);
  } else {
    eachCode<bytes>(pass, countOne);
  }
  addTables(pass, U32_MAX, true);
}

/**
 * Listing 3: lanes read, add and sign, then write. Of the lanes that meet, one write remains, and that lane is done.
 * The listing relies on a warp in lock-step, which warps no longer are. All lanes must have read before one writes, and
 * all must have written before one checks. A check is also the next round's read, because nothing is written in between.
 * The counter is volatile, because the algorithm depends on which of several writes remains.
 */
__device__ void addTagged(volatile uint32_t &counter, bool counts, uint32_t tag) {
  uint32_t seen = counter, mine = seen;
  const auto round = [&](bool pending) {
    if (pending) mine = tag | (seen + 1 & TAGGED_MAX);
    __syncwarp();
    if (pending) counter = mine;
    __syncwarp();
    if (pending) seen = counter;
  };
  round(counts);
  while (__any_sync(ALL_LANES, seen != mine)) round(seen != mine);
}

template <bool bytes>
__global__ void __launch_bounds__(PER_WARP_THREADS) countTagged(Pass pass, uint32_t wordsPerThread) {
  clearShared(blockDim.x / WARP_THREADS * pass.cells);
  const uint32_t start = tableStart(pass);
  const uint32_t lane = threadIdx.x % WARP_THREADS;
  const uint32_t tag = lane << (32 - TAG_BITS);
  uint32_t binned = 0;
  bool isFirst = true;
  const auto makeRoom = [&](uint32_t words) {
    if (binned + words > wordsPerThread) {
      // All warps of a block take the same number of steps, so all of them get here.
      addTables(pass, TAGGED_MAX, isFirst);
      isFirst = false;
      binned = 0;
    }
    binned += words;
  };
  Pass rest = pass;
  if (bytes && pass.cells == BYTE_VALUES) {
    rest = eachLoad<Load, AHEAD>(
        pass, [&] { makeRoom(AHEAD * LOAD_WORDS<Load>); },
        [&](const Load &load) {
          eachOf(load, [&](uint32_t word) {
            eachAddress(word, start * WORD_BYTES, [&](uint32_t address) { addTagged(counterAt(address), true, tag); });
          });
        });
  }
  eachWord<bytes>(rest, [&](const Word &word) {
    makeRoom(1);
    for (uint32_t code : word.code) {
      const bool counts = code < pass.cells;
      addTagged(sharedWords()[start + (counts ? code : 0)], counts, tag);
    }
  });
  addTables(pass, TAGGED_MAX, isFirst);
}

}  // namespace

cudaError_t perWarp(const Codes &codes, const Plan &plan, const PerWarp &own, cudaStream_t stream) {
  if (own.tag) {
    return launchPasses(codes.bytes ? countTagged<true> : countTagged<false>, codes, plan, stream,
                        plan.wordsPerThread);
  }
  return launchPasses(codes.bytes ? countAtomic<true> : countAtomic<false>, codes, plan, stream);
}

}  // namespace polybin
