// How the kernels read codes, and how they are launched: once per pass. Each pass counts its own cells.
#pragma once
#include "generated/limits.cuh"
#include "launch.cuh"
#include "polybin.cuh"

namespace polybin {

using namespace limits;

/** The work of one launch: of `count` codes, it counts those that are one of `cells` cells from `first` on. */
struct Pass {
  const void *data;
  uint32_t count;
  uint32_t first, cells;
  /** The counts of the pass's cells, of 32 bits if `narrow`. The kernel adds to them. */
  void *counts;
  /** The blocks' partial tables, [block][cell], which merge.cu adds to the counts. Null: the blocks add with atomics. */
  uint32_t *partials;
  bool narrow;

  __host__ __device__ uint32_t wholeWords() const { return count / WORD_BYTES; }
  __host__ __device__ uint32_t words() const { return wholeWords() + (count % WORD_BYTES != 0); }
};

/** A code that is no cell of any pass. */
constexpr uint32_t NONE = U32_MAX;

/** Four consecutive codes, relative to the pass's first cell. A code of `pass.cells` or more is not counted. */
struct Word {
  uint32_t code[WORD_BYTES];
};

/** A word as it lies in memory, which one load reads. */
template <bool bytes>
struct RawOf {
  using Type = uint4;
};
template <>
struct RawOf<true> {
  using Type = uint32_t;
};
template <bool bytes>
using Raw = typename RawOf<bytes>::Type;

/** Reads a word. Past the end it reads nothing. */
template <bool bytes>
__device__ Raw<bytes> fetch(const Pass &pass, uint32_t word) {
  Raw<bytes> raw{};
  if (word < pass.words()) raw = __ldg(static_cast<const Raw<bytes> *>(pass.data) + word);
  return raw;
}

__device__ inline Word split(uint32_t raw) {
  return {{raw & 0xff, raw >> 8 & 0xff, raw >> 16 & 0xff, raw >> 24}};
}
__device__ inline Word split(uint4 raw) { return {{raw.x, raw.y, raw.z, raw.w}}; }

/** Returns the codes of a word that was read, and NONE for those past the end. */
template <bool bytes>
__device__ Word decode(const Pass &pass, uint32_t word, Raw<bytes> raw) {
  Word out = split(raw);
  // Codes below the pass's cells wrap around to large ones, so they are skipped, too.
  for (uint32_t &code : out.code) code -= pass.first;
  if (word >= pass.wholeWords()) {
    const uint32_t present = word > pass.wholeWords() ? 0 : pass.count % WORD_BYTES;
#pragma unroll
    for (uint32_t i = 0; i < WORD_BYTES; i++) {
      if (i >= present) out.code[i] = NONE;
    }
  }
  return out;
}

/**
 * Calls `step` with the words of this thread. Thread t of block b begins at word b * threads + t and advances by the
 * number of all threads. All threads of a block take the same number of steps, so `step` may contain barriers; the last
 * steps may see NONEs. All words of a batch are read before the first one is used.
 */
template <bool bytes, class Step>
__device__ void eachWord(const Pass &pass, Step step) {
  const uint32_t stride = gridDim.x * blockDim.x;
  for (uint32_t base = blockIdx.x * blockDim.x; base < pass.words(); base += WORDS_AHEAD * stride) {
    const uint32_t word = base + threadIdx.x;
    Raw<bytes> raw[WORDS_AHEAD];
#pragma unroll
    for (uint32_t i = 0; i < WORDS_AHEAD; i++) raw[i] = fetch<bytes>(pass, word + i * stride);
#pragma unroll
    for (uint32_t i = 0; i < WORDS_AHEAD; i++) step(decode<bytes>(pass, word + i * stride, raw[i]));
  }
}

/** Calls `each` with the codes of this thread that are cells of the pass. */
template <bool bytes, class Each>
__device__ void eachCode(const Pass &pass, Each each) {
  eachWord<bytes>(pass, [&](const Word &word) {
    for (uint32_t code : word.code) {
      if (code < pass.cells) each(code);
    }
  });
}

/** Adds to the total count of a cell with an atomic. */
__device__ inline void addTotal(const Pass &pass, uint32_t cell, uint32_t count) {
  if (pass.narrow) atomicAdd(static_cast<uint32_t *>(pass.counts) + cell, count);
  else atomicAdd(static_cast<Count *>(pass.counts) + cell, Count{count});
}

/** Adds a block's count of a cell to the total counts. */
__device__ inline void addCount(const Pass &pass, uint32_t cell, uint32_t count) {
  if (count != 0) addTotal(pass, cell, count);
}

/**
 * Adds a block's sum of a cell, even if it is 0: to the block's partial table, or to the total counts. In a table, a
 * cell always belongs to the same thread of the block. Each cell of the pass must be added once with `isFirst`, which
 * overwrites what an earlier launch left, and may then be added again. A cell past the pass's is not counted.
 */
__device__ inline void addSum(const Pass &pass, uint32_t cell, uint32_t sum, bool isFirst) {
  if (cell >= pass.cells) return;
  if (pass.partials == nullptr) {
    addTotal(pass, cell, sum);
    return;
  }
  uint32_t *const to = &pass.partials[size_t{blockIdx.x} * pass.cells + cell];
  *to = isFirst ? sum : *to + sum;
}

/** Returns a block's dynamic shared memory. */
__device__ inline uint32_t *sharedWords() {
  extern __shared__ uint4 memory[];
  return reinterpret_cast<uint32_t *>(memory);
}

/** Clears shared words with all threads of the block. Ends with a barrier. */
__device__ inline void clearShared(uint32_t words) {
  for (uint32_t i = threadIdx.x; i < words; i += blockDim.x) sharedWords()[i] = 0;
  __syncthreads();
}

template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), uint32_t blocks, uint32_t threads, uint32_t sharedBytes,
                   cudaStream_t stream, Arguments... arguments) {
  const cudaError_t refused = allowShared(reinterpret_cast<const void *>(kernel), threads, sharedBytes);
  if (refused != cudaSuccess) return refused;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = sharedBytes;
  config.stream = stream;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

/** Returns pass p of a plan. */
inline Pass passOf(const Codes &codes, const Plan &plan, uint32_t p) {
  const uint32_t first = p * plan.cellsPerPass;
  const uint32_t left = plan.cells - first;
  const size_t before = size_t{first} * (codes.narrow ? sizeof(uint32_t) : sizeof(Count));
  return {codes.data,
          static_cast<uint32_t>(codes.count),
          first,
          left < plan.cellsPerPass ? left : plan.cellsPerPass,
          static_cast<char *>(codes.counts) + before,
          plan.partials == 0 ? nullptr : codes.partials,
          codes.narrow};
}

/** merge.cu adds the partial tables of a pass to its counts. */
cudaError_t mergePartials(const Pass &, const Plan &, cudaStream_t);

/** Launches a kernel for every pass of its plan, and the merge of its partial tables. */
template <class... Parameters, class... Arguments>
cudaError_t launchPasses(void (*kernel)(Pass, Parameters...), const Codes &codes, const Plan &plan,
                         cudaStream_t stream, Arguments... arguments) {
  for (uint32_t p = 0; p < plan.passes; p++) {
    const Pass pass = passOf(codes, plan, p);
    cudaError_t error = launch(kernel, plan.blocks, plan.threads, plan.sharedBytes, stream, pass, arguments...);
    if (error == cudaSuccess && pass.partials != nullptr) error = mergePartials(pass, plan, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace polybin
