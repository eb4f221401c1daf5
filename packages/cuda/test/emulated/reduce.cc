// Counts codes on the host with the kernels whose blocks add up by partial tables or by global atomics, and compares
// with a loop. Each plan counts twice into the same counts. Tables begin with garbage, and the words behind the last one
// must not change. With tables there must be no global atomic. With atomics there must be the same number of them for
// all data.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "generated/kernels/per-thread-64.cuh"
#include "generated/kernels/per-thread.cuh"
#include "generated/kernels/per-warp.cuh"
#include "generated/kernels/privatized.cuh"
#include "generated/kernels/trish.cuh"
#include "generated/limits.cuh"

using namespace polybin;

namespace {

constexpr uint32_t MOST = 20003, BLOCKS = 70, SECTOR = limits::MERGE_CELLS;
constexpr uint32_t GUARD = 1024, GARBAGE = 0xa5a5a5a5;
alignas(16) uint32_t words[MOST + 4];
alignas(16) uint8_t bytes[MOST + 4];

enum class Data {
  uniform,
  runs,
  zeros,
};

void fill(Data data, uint32_t count, uint32_t cells) {
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t code = data == Data::zeros ? 0 : std::rand() % (cells + 3);
    words[i] = data == Data::runs && i > 0 && std::rand() % 5 != 0 ? words[i - 1] : code;
    bytes[i] = static_cast<uint8_t>(words[i]);
  }
}

/** The codes that a kernel reads. */
enum class Reads {
  words,
  bytes,
  both,
};

/** A plan, and the launch of its kernel. */
struct Case {
  const char *name;
  uint32_t cells, cellsPerPass, threads, sharedBytes, wordsPerThread;
  Reads reads;
  cudaError_t (*count)(const Codes &, const Plan &);
  uint32_t blocks = BLOCKS;
};

/** @return the number of global atomics */
template <class Counter = Count>
uint64_t run(const Case &of, Data data, uint32_t count, bool areBytes, bool tables, uint32_t mergeThreads) {
  Plan plan{};
  plan.cells = of.cells;
  plan.cellsPerPass = of.cellsPerPass;
  plan.passes = (of.cells + of.cellsPerPass - 1) / of.cellsPerPass;
  plan.threads = of.threads;
  plan.blocks = of.blocks;
  plan.sharedBytes = of.sharedBytes;
  plan.wordsPerThread = of.wordsPerThread;
  if (tables) {
    plan.partials = of.blocks;
    plan.mergeThreads = mergeThreads;
    plan.mergeBlocks = (of.cellsPerPass + SECTOR - 1) / SECTOR;
  }
  fill(data, count, of.cells);
  std::vector<Counter> wanted(of.cells), counts(of.cells);
  const size_t own = size_t{plan.partials} * of.cellsPerPass;
  std::vector<uint32_t> partials(own + GUARD, GARBAGE);
  const uint64_t before = emulated.globalAtomics;
  // The second call has fewer codes.
  for (const uint32_t some : {count, count / 3}) {
    for (uint32_t i = 0; i < some; i++) {
      const uint32_t code = areBytes ? bytes[i] : words[i];
      if (code < of.cells) wanted[code]++;
    }
    Codes codes{};
    codes.data = areBytes ? static_cast<const void *>(bytes) : words;
    codes.count = some;
    codes.bytes = areBytes;
    codes.narrow = sizeof(Counter) == sizeof(uint32_t);
    codes.counts = counts.data();
    codes.partials = partials.data();
    if (of.count(codes, plan) != cudaSuccess) fail(of.name);
    for (size_t i = own; i < partials.size(); i++) {
      if (partials[i] != GARBAGE) fail("a partial table was written past its end");
    }
  }
  for (uint32_t cell = 0; cell < of.cells; cell++) {
    if (counts[cell] == wanted[cell]) continue;
    std::printf("%s, %u %s, tables %d: %llu in cell %u, not %llu\n", of.name, count, areBytes ? "bytes" : "words", tables,
                Count{counts[cell]}, cell, Count{wanted[cell]});
    std::exit(1);
  }
  return emulated.globalAtomics - before;
}

template <uint32_t k, RowSums rowSums = RowSums::pairs>
cudaError_t trishOf(const Codes &codes, const Plan &plan) {
  Trish own{};
  own.k = k;
  own.rowSums = rowSums;
  return trish(codes, plan, own, nullptr);
}

template <bool tag>
cudaError_t perWarpOf(const Codes &codes, const Plan &plan) {
  PerWarp own{};
  own.tag = tag;
  return perWarp(codes, plan, own, nullptr);
}

template <Layout layout, Merge merge = Merge::periodic>
cudaError_t privatizedOf(const Codes &codes, const Plan &plan) {
  Privatized own{};
  own.merge = merge;
  own.layout = layout;
  return privatized(codes, plan, own, nullptr);
}

cudaError_t perThreadOf(const Codes &codes, const Plan &plan) { return perThread(codes, plan, nullptr); }
cudaError_t perThread64Of(const Codes &codes, const Plan &plan) { return perThread64(codes, plan, nullptr); }

// A thread bins several times wordsPerThread words, so that blocks add to their tables again and again.
const Case cases[] = {
    {"trish, k 1, bytes", 256, 256, 64, 16384, 63, Reads::both, trishOf<1>},
    {"trish, k 31, bytes", 256, 256, 64, 16384, 63, Reads::both, trishOf<31>},
    {"trish, k 31, codes", 201, 256, 64, 16384, 63, Reads::both, trishOf<31>},
    {"per-thread", 256, 256, 32, 16384, 3, Reads::both, perThreadOf},
    {"per-thread in passes", 37, 22, 32, 11 * 128, 2, Reads::both, perThreadOf},
    {"per-warp", 256, 256, 192, 6 * 1024, 0, Reads::both, perWarpOf<false>},
    {"per-warp in passes", 37, 21, 64, 2 * 21 * 4, 0, Reads::both, perWarpOf<false>},
    {"per-warp, tag", 37, 37, 64, 2 * 37 * 4, 1, Reads::both, perWarpOf<true>},
    {"per-thread-64", 37, 37, 128, 37 * 128, 63, Reads::bytes, perThread64Of},
    {"privatized, row", 256, 256, 64, 16384, 1, Reads::both, privatizedOf<Layout::row>},
    {"privatized, column", 201, 256, 64, 16384, 1, Reads::both, privatizedOf<Layout::column>},
    {"privatized, interleaved", 201, 256, 64, 16384, 1, Reads::both, privatizedOf<Layout::interleaved>},
    // A thread has 39 words, so zeros make a byte 157.
    {"privatized, avoiding", 256, 256, 64, 16384, 63, Reads::both, privatizedOf<Layout::interleaved, Merge::avoid>, 2},
    {"trish, singletons, bytes", 256, 256, 64, 16384, 63, Reads::both, trishOf<31, RowSums::singletons>, 1},
    {"trish, singletons, codes", 201, 256, 64, 16384, 63, Reads::both, trishOf<7, RowSums::singletons>, 1},
    // The threads of one block have 312 codes each, and a counter spills 128.
    {"checked, row", 256, 256, 64, 17408, 0, Reads::both, privatizedOf<Layout::row, Merge::checkShared>, 1},
    {"checked, column", 201, 256, 64, 17408, 0, Reads::both, privatizedOf<Layout::column, Merge::checkShared>, 1},
    {"checked, interleaved", 201, 256, 64, 17408, 0, Reads::both, privatizedOf<Layout::interleaved, Merge::checkShared>, 1},
};

// These spill with global atomics, so only their counts are compared.
const Case spilling[] = {
    {"checked globally, row", 256, 256, 64, 16384, 0, Reads::both, privatizedOf<Layout::row, Merge::checkGlobal>, 1},
    {"checked globally, column", 201, 256, 64, 16384, 0, Reads::both, privatizedOf<Layout::column, Merge::checkGlobal>, 1},
    {"checked globally", 201, 256, 64, 16384, 0, Reads::both, privatizedOf<Layout::interleaved, Merge::checkGlobal>, 1},
};

}  // namespace

int main() {
  for (const Case &of : cases) {
    for (const bool areBytes : {false, true}) {
      if (of.reads == (areBytes ? Reads::words : Reads::bytes)) continue;
      for (const uint32_t count : {0u, 4099u, MOST}) {
        const uint64_t atomics = run(of, Data::uniform, count, areBytes, false, 0);
        for (const Data data : {Data::runs, Data::zeros}) {
          if (run(of, data, count, areBytes, false, 0) != atomics) fail("the same number of global atomics was expected");
        }
        if (atomics == 0) fail("global atomics were expected");
        // 4 rows of threads, then 128: more and fewer than there are tables.
        if (run(of, Data::uniform, count, areBytes, true, 32) != 0) fail("no global atomic was expected");
        if (run(of, Data::runs, count, areBytes, true, 1024) != 0) fail("no global atomic was expected");
        run<uint32_t>(of, Data::runs, count, areBytes, true, 1024);
        run<uint32_t>(of, Data::runs, count, areBytes, false, 0);
      }
    }
  }
  for (const Case &of : spilling) {
    for (const bool tables : {false, true}) {
      const uint64_t uniform = run(of, Data::uniform, MOST, true, tables, 32);
      // Zeros fill each thread's counter twice. Uniform codes fill none.
      if (run(of, Data::zeros, MOST, true, tables, 32) <= uniform) fail("global atomics of spills were expected");
      run(of, Data::runs, MOST, false, tables, 32);
    }
  }
}
