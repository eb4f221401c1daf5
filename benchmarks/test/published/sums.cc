// Runs Xu et al.'s kernels on the host, by the emulated CUDA of packages/cuda/test, and compares their counts and sums with
// a loop's. Weights are eighths, so that float sums of them are exact in any order.
#include <cstdio>
#include <vector>

#include "published/xu.cuh"

// After the kernels.
#include "launch.h"

using namespace published;

namespace {

constexpr uint32_t FEATURES = 3;
bool isRight = true;

/** Runs a kernel on features 2 and 0 of three, with blocks of `each` documents. */
void compare(const char *name, void (*kernel)(Table), uint32_t bits, bool skip, uint32_t bins, uint32_t documents, uint32_t each, uint32_t threads,
             uint32_t bytes) {
  for (const bool equal : {true, false}) {
    const uint32_t pitch = documents * bits / 8 + 4;
    std::vector<uint8_t> values(FEATURES * pitch);
    std::vector<float> weights(documents), wantedSums(FEATURES * bins), sums(FEATURES * bins, 77);
    std::vector<uint32_t> wanted(FEATURES * bins), counts(FEATURES * bins, 77);
    for (float &weight : weights) weight = static_cast<float>(std::rand() % 17 - 8) / 8;
    for (uint32_t f = 0; f < FEATURES; f++) {
      for (uint32_t d = 0; d < documents; d++) {
        const uint32_t value = equal ? bins - 1 : std::rand() % 3 ? 0
                                                                  : std::rand() % bins;
        uint8_t *const row = &values[f * pitch];
        if (bits == 4) row[d / 2] |= value << 4 * (d % 2);
        else if (bits == 8) row[d] = value;
        else reinterpret_cast<uint16_t *>(row)[d] = value;
        wanted[f * bins + value]++;
        wantedSums[f * bins + value] += weights[d];
      }
    }
    const std::vector<uint32_t> list = {2, 0};
    const uint32_t segments = (documents + each - 1) / each, blocks = segments * list.size();
    std::vector<uint32_t> tables(blocks * bins, 99);
    std::vector<float> tableSums(blocks * bins, 99), total(1);
    const Table of{values.data(), pitch, weights.data(), list.data(), documents, bins, segments, each, tables.data(), tableSums.data()};
    launch(kernel, blocks, threads, bytes, of);
    launch(sumWeights, 1, 64, 256, weights.data(), documents, total.data());
    launch(skip ? mergeTables<true> : mergeTables<false>, list.size(), 32, 8, of, total.data(), counts.data(), sums.data());
    for (const uint32_t f : list) {
      for (uint32_t i = f * bins; i < (f + 1) * bins; i++) {
        if (counts[i] == wanted[i] && sums[i] == wantedSums[i]) continue;
        std::printf("%s, %u documents, bin %u: %u and %g, not %u and %g\n", name, documents, i % bins, counts[i], sums[i], wanted[i], wantedSums[i]);
        isRight = false;
        break;
      }
    }
  }
}

template <uint32_t bits, uint32_t slots, bool skip>
void reduced(uint32_t bins, uint32_t documents, uint32_t threads) {
  compare("collision-reduced", sumReduced<bits, slots, skip>, bits, skip, bins, documents, slots * threads, threads, 8 * (bins + slots * threads));
}

}  // namespace

int main() {
  for (const uint32_t documents : {8u, 64u, 2048u + 8}) {
    compare("collision-free, u4", sumFree<4, 1>, 4, false, 16, documents, documents, 64, 16 * 64 * 6);
    compare("collision-free, u4", sumFree<4, 4>, 4, false, 2, documents, documents, 32, 2 * 32 * 6);
    compare("collision-free, u8", sumFree<8, 16>, 8, false, 64, documents, documents, 32, 64 * 32 * 6);
    compare("collision-free, u8", sumFree<8, 2>, 8, false, 128, documents, 512, 32, 128 * 32 * 6);
    compare("collision-free, single half bytes", sumFree<4, 2, false>, 4, false, 16, documents, documents, 64, 16 * 64 * 6);
    compare("collision-free, single bytes", sumFree<8, 16, false>, 8, false, 64, documents, 512, 32, 64 * 32 * 6);
    compare("collision, u4", sumCollision<4, 1, false, true>, 4, false, 4, documents, documents, 64, 4 * 8);
    reduced<4, 10, false>(16, documents, 64);
    compare("collision, u8", sumCollision<8, 1, false, true>, 8, false, 256, documents, documents, 64, 256 * 8);
    compare("collision, u16", sumCollision<16, 4, true, true>, 16, true, 1000, documents, documents, 96, 1000 * 8);
    reduced<8, 10, false>(128, documents, 64);
    reduced<8, 8, true>(256, documents, 64);
    reduced<16, 5, true>(512, documents, 96);
    reduced<16, 16, false>(1024, documents, 64);
  }
  return isRight ? 0 : 1;
}
