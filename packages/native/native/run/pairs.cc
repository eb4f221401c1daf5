#include "pairs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <vector>

#include "kernels/bytes.h"

namespace polybin {
namespace {

/** Bytes that are counted to compare, so many that most of the counters of pairs are used, and how often. */
constexpr size_t BYTES = 1 << 18;
constexpr int ROUNDS = 6;

/** The least time of several counts of the same bytes. */
double timeOf(const Channels &of, const std::vector<uint8_t> &bytes) {
  using Clock = std::chrono::steady_clock;
  std::vector<uint32_t> tables(pixelWords(of));
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < ROUNDS; round++) {
    const auto since = Clock::now();
    countPixels(of, bytes.data(), bytes.size() / of.interleaved, tables.data());
    least = std::min(least, std::chrono::duration<double>(Clock::now() - since).count());
  }
  return least;
}

/**
 * Counts bytes without any order, whose pairs need the whole table, and bytes of few values, whose counters wait for one
 * another. Pairs have to win on the slower of the two.
 */
bool measured(uint32_t interleaved, uint32_t mask) {
  std::vector<uint8_t> random(BYTES), few(BYTES);
  uint32_t state = 1;
  for (size_t i = 0; i < BYTES; i++) {
    state = state * 1664525 + 1013904223;
    random[i] = static_cast<uint8_t>(state >> 24);
    few[i] = random[i] & 1;
  }
  const auto worst = [&](bool pairs) {
    const Channels of{interleaved, mask, pairs};
    return std::max(timeOf(of, random), timeOf(of, few));
  };
  return worst(true) < worst(false);
}

/** What was measured for each layout of channels. Two threads may measure at the same time. */
enum class Known : uint8_t { nothing,
                             single,
                             pairs };
std::atomic<Known> known[4][16];

}  // namespace

bool pairsPay(const Job &job, const Pixels &of, uint32_t threads) {
  const JobNumbers &numbers = job.numbers;
  if (!hasPairs(numbers.interleaved, numbers.channels) || numbers.pairing == Pairing::never) return false;
  if (numbers.pairing == Pairing::always) return true;
  if (of.width * of.height * job.pixelBytes / threads < limits::PAIRS_BYTES) return false;
  std::atomic<Known> &here = known[numbers.interleaved - 1][numbers.channels];
  if (here == Known::nothing) here = measured(numbers.interleaved, numbers.channels) ? Known::pairs : Known::single;
  return here == Known::pairs;
}

}  // namespace polybin
