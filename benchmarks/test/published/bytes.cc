// Runs the papers' kernels that count bytes on the host, by the emulated CUDA of packages/cuda/test, and compares their
// counts with a loop's. Each case is a kernel, its launch and data whose length leaves rows, batches and blocks unfilled.
#include <cstdio>
#include <functional>
#include <vector>

#include "published/handbook.cuh"
#include "published/hardavellas.cuh"
#include "published/nugteren.cuh"
#include "published/podlozhnyuk.cuh"
#include "published/trish.cuh"

// After the kernels.
#include "launch.h"

using namespace published;

namespace {

std::vector<uint32_t> partial(1 << 20), counts(BINS), data(1 << 20);

bool isRight = true;

/** Compares the counts of `words` words: equal bytes, uniform ones, and runs. */
void compare(const char *name, uint32_t words, uint32_t bins, const std::function<void(uint32_t words)> &run) {
  for (uint32_t kind = 0; kind < 3; kind++) {
    uint8_t *const bytes = reinterpret_cast<uint8_t *>(data.data());
    std::vector<uint32_t> wanted(BINS);
    for (uint32_t i = 0; i < 4 * words; i++) {
      bytes[i] = kind == 0 ? 255 : kind == 1 || i == 0 || std::rand() % 7 == 0 ? std::rand()
                                                                               : bytes[i - 1];
      wanted[bytes[i] * bins / BINS]++;
    }
    std::fill(counts.begin(), counts.end(), 0);
    std::fill(partial.begin(), partial.end(), 0x5a5a5a5a);
    run(words);
    for (uint32_t bin = 0; bin < bins; bin++) {
      if (counts[bin] == wanted[bin]) continue;
      std::printf("%s, %u words, kind %u, bin %u: %u, not %u\n", name, words, kind, bin, counts[bin], wanted[bin]);
      isRight = false;
      break;
    }
  }
}

using ToPartial = void (*)(const uint32_t *, uint32_t, uint32_t *);

void tables(const char *name, ToPartial kernel, uint32_t words, uint32_t blocks, uint32_t threads, uint32_t bytes, uint32_t bins = BINS) {
  compare(name, words, bins, [&](uint32_t words) {
    launch(kernel, blocks, threads, bytes, data.data(), words, partial.data());
    launch(sumInBlocks, bins, MERGE_THREADS, MERGE_THREADS * 4, partial.data(), blocks, counts.data());
  });
}

void atomics(const char *name, ToPartial kernel, uint32_t words, uint32_t blocks, uint32_t threads, uint32_t bytes) {
  compare(name, words, BINS, [&](uint32_t words) { launch(kernel, blocks, threads, bytes, data.data(), words, counts.data()); });
}

template <uint32_t k, Rows rows = Rows::pairs>
void trish(uint32_t words, uint32_t blocks) {
  compare("TRISH", words, BINS, [&](uint32_t words) {
    launch(countTrish<k, rows>, blocks, TRISH_THREADS, TRISH_WORDS * 4, data.data(), words, partial.data());
    launch(sumInOneBlock, 1, BINS, 0, partial.data(), blocks, counts.data());
  });
}

template <Layout layout, uint32_t threads>
void layouts(const char *name) {
  for (const uint32_t words : {1u, 3u * threads * 63, 3u * threads * 200 + 17}) {
    atomics(name, countPerThread<layout, threads, true>, words, 3, threads, threads * BINS);
  }
  for (const uint32_t words : {0u, 63u, 3u * threads * 63}) {
    atomics(name, countPerThread<layout, threads, false>, words, 3, threads, threads * BINS);
  }
  for (const uint32_t words : {0u, 1u, 3u * threads * 200 + 17}) {
    if constexpr (threads == 64) {
      atomics(name, countPerThreadChecked<layout, threads, true>, words, 3, threads, threads * BINS + BINS * 4);
      atomics(name, countPerThreadChecked<layout, threads, false>, words, 3, threads, threads * BINS);
    }
  }
}

}  // namespace

int main() {
  for (const uint32_t words : {0u, 1u, 100u, 2u * 64 * 31, 2u * 64 * 31 * 3, 2u * 64 * 200 + 77}) {
    trish<1>(words, 2);
    trish<2>(words, 2);
    trish<5>(words, 2);
    trish<21>(words, 2);
    trish<31>(words, 2);
    trish<32>(words, 2);
    trish<62>(words, 2);
    trish<63>(words, 2);
    trish<31, Rows::singles>(words, 2);
  }
  for (const uint32_t words : {0u, 1u, 31u, 2u * 32 * 40 + 5}) {
    tables("Nugteren", countNugteren<false>, words, 2, WARP, NUGTEREN_WORDS * 4);
    tables("Nugteren, bytes", countNugteren<true>, words, 2, WARP, NUGTEREN_WORDS * 4);
    atomics("slides per thread", countSlidesPerThread, words, 2, WARP, BINS * WARP * 4);
    atomics("slides per block", countSlidesPerBlock, words, 2, 64, BINS * 4);
    atomics("slides per bank", countSlidesPerBank, words, 2, WARP, (BINS + WARP) * 4);
    atomics("per grid", countPerGrid, words, 2, 64, 0);
    atomics("per block, bytes", countPerBlock<false, false>, words, 3, 64, BINS * 4);
    atomics("per block, turned", countPerBlock<true, true>, words, 3, 64, BINS * 4);
    tables("per block, reduced", countPerBlockReduce<true>, words, 3, 64, BINS * 4);
    atomics("per thread, bytes", countPerThreadBytes, words, 2, 64, 64 * BINS);
    tables("256 atomic", histogram256Atomic, words, 2, 192, WARPS * BINS * 4);
  }
  for (const uint32_t words : {0u, 32u, 32u * 33}) {
    compare("256 tag", words, BINS, [&](uint32_t words) {
      launch(histogram256<false>, 2, 192, WARPS * BINS * 4, data.data(), words, partial.data(), static_cast<unsigned long long *>(nullptr));
      launch(sumInBlocks, BINS, MERGE_THREADS, MERGE_THREADS * 4, partial.data(), 2, counts.data());
    });
  }
  for (const uint32_t words : {0u, 5u, 2u * 128 * 63}) {
    tables("64 plain", histogram64<Columns::plain, 192, true>, words, 2, 192, 64 * 192, 64);
    tables("64 swizzled", histogram64<Columns::swizzled, 192, false>, words, 2, 192, 64 * 192, 64);
    tables("64 of today", histogram64<Columns::ofToday, 128, true>, words, 2, 128, 64 * 128, 64);
  }
  layouts<Layout::row, 64>("row");
  layouts<Layout::column, 64>("column");
  layouts<Layout::interleaved, 64>("interleaved");
  layouts<Layout::interleaved, 32>("interleaved, 32");
  return isRight ? 0 : 1;
}
