// Counts codes on the host with one kernel, as bytes and as words, and compares with a loop. It is compiled with the
// kernel's file and with -DHEADER, -DKERNEL and -DOWN: the generated header, the function, and the parameters.
#include <cstdio>
#include <cstdlib>

#include HEADER

using namespace polybin;

namespace {

constexpr uint32_t CELLS = 37, MOST = 20003;
alignas(16) uint32_t words[MOST + 4];
alignas(16) uint8_t bytes[MOST + 4];

bool isExact(uint32_t count, bool narrow) {
  Count wanted[CELLS] = {}, counts[CELLS] = {};
  for (uint32_t i = 0; i < count; i++) {
    // Runs of equal codes, and some codes that are not cells.
    words[i] = i > 0 && std::rand() % 5 != 0 ? words[i - 1] : std::rand() % (CELLS + 3);
    bytes[i] = static_cast<uint8_t>(words[i]);
    if (words[i] < CELLS) wanted[words[i]]++;
  }
  Codes codes{};
  codes.data = narrow ? static_cast<const void *>(bytes) : words;
  codes.count = count;
  codes.bytes = narrow;
  codes.counts = counts;
  Plan plan{};
  plan.cells = plan.cellsPerPass = CELLS;
  plan.passes = 1;
  plan.threads = 64;
  plan.blocks = 3;
  if (KERNEL(codes, plan, OWN, nullptr) != cudaSuccess) return false;
  for (uint32_t cell = 0; cell < CELLS; cell++) {
    if (counts[cell] == wanted[cell]) continue;
    std::printf("of %u codes in cell %u: %llu, not %llu\n", count, cell, counts[cell], wanted[cell]);
    return false;
  }
  return true;
}

}  // namespace

int main() {
  for (uint32_t count : {0u, 1u, 3u, 4u, 5u, 767u, 768u, 769u, MOST}) {
    if (!isExact(count, false) || !isExact(count, true)) return 1;
  }
}
