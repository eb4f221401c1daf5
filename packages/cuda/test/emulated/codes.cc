// Counts codes on the host with one kernel, as bytes and as words, and compares with a loop. It is compiled with the
// kernel's file and with -DHEADER, -DKERNEL and -DOWN: the generated header, the function, and a list of parameters. Its
// arguments are the plan's cells, cellsPerPass, threads, blocks, sharedBytes and wordsPerThread, if they matter; the bits
// of a code that its cell leaves out; and 1 if the kernel reads bytes only.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include HEADER

using namespace polybin;

namespace {

constexpr uint32_t MOST = 70003;
alignas(16) uint32_t words[MOST + 4];
alignas(16) uint8_t bytes[MOST + 4];

template <class Counter, class Own>
bool isExact(const Plan &plan, const Own &own, uint32_t shift, uint32_t count, bool areBytes) {
  const uint32_t cells = plan.cells;
  // The word behind the counts must not change.
  std::vector<Counter> wanted(cells + 1), counts(cells + 1);
  for (uint32_t i = 0; i < count; i++) {
    // Runs of equal codes, and some codes that are not cells.
    words[i] = i > 0 && std::rand() % 5 != 0 ? words[i - 1] : std::rand() % ((cells << shift) + 3);
    bytes[i] = static_cast<uint8_t>(words[i]);
    const uint32_t code = areBytes ? bytes[i] : words[i];
    if (code >> shift < cells) wanted[code >> shift]++;
  }
  Codes codes{};
  codes.data = areBytes ? static_cast<const void *>(bytes) : words;
  codes.count = count;
  codes.bytes = areBytes;
  codes.shift = shift;
  codes.counts = counts.data();
  codes.narrow = sizeof(Counter) == sizeof(uint32_t);
  if (KERNEL(codes, plan, own, nullptr) != cudaSuccess) return false;
  for (uint32_t cell = 0; cell <= cells; cell++) {
    if (counts[cell] == wanted[cell]) continue;
    std::printf("of %u codes in cell %u: %llu, not %llu\n", count, cell, Count{counts[cell]}, Count{wanted[cell]});
    return false;
  }
  return true;
}

/** For counts of 64 bits, and of 32. */
template <class Own>
bool isExact(const Plan &plan, const Own &own, uint32_t shift, uint32_t count, bool areBytes) {
  return isExact<Count>(plan, own, shift, count, areBytes) && isExact<uint32_t>(plan, own, shift, count, areBytes);
}

}  // namespace

int main(int size, char **given) {
  const auto number = [&](int i, uint32_t otherwise) {
    return i < size ? static_cast<uint32_t>(std::strtoul(given[i], nullptr, 10)) : otherwise;
  };
  Plan plan{};
  plan.cells = number(1, 37);
  plan.cellsPerPass = number(2, plan.cells);
  plan.passes = (plan.cells + plan.cellsPerPass - 1) / plan.cellsPerPass;
  plan.threads = number(3, 64);
  plan.blocks = number(4, 3);
  plan.sharedBytes = number(5, 0);
  plan.wordsPerThread = number(6, 0);
  const uint32_t shift = number(7, 0);
  plan.codeBytes = number(8, 0);
  for (uint32_t count : {0u, 1u, 3u, 4u, 5u, 767u, 768u, 769u, 20003u, MOST}) {
    for (const auto &own : {OWN}) {
      if (plan.codeBytes != 1 && !isExact(plan, own, shift, count, false)) return 1;
      if (!isExact(plan, own, shift, count, true)) return 1;
    }
  }
}
