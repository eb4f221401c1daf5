#include "pairs.h"

#include <algorithm>
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
 * Counts bytes without any order, whose pairs need the whole table, and equal ones, whose counters wait for one another.
 * Pairs have to win on the slower of the two.
 */
bool measured() {
  std::vector<uint8_t> random(BYTES);
  uint32_t state = 1;
  for (uint8_t &byte : random) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<uint8_t>(state >> 24);
  }
  const std::vector<uint8_t> equal(BYTES);
  const auto worst = [&](bool pairs) {
    const Channels of{1, 1, pairs};
    return std::max(timeOf(of, random), timeOf(of, equal));
  };
  return worst(true) < worst(false);
}

}  // namespace

bool pairsPay(const Job &job, const Pixels &of, uint32_t threads) {
  const JobNumbers &numbers = job.numbers;
  if (!hasPairs(numbers.interleaved, numbers.channels) || numbers.pairing == Pairing::never) return false;
  if (numbers.pairing == Pairing::always) return true;
  if (of.width * of.height * job.pixelBytes / threads < limits::PAIRS_BYTES) return false;
  static const bool pay = measured();
  return pay;
}

}  // namespace polybin
