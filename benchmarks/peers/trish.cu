// Measures TRISH's Count kernel with and without its row sums (Brown & Snoeyink, section 6.2). Without them its byte
// counters wrap around, so the counts are wrong. That is why only this program has such a kernel. It prints one JSON line
// per kernel. benchmarks/src/suites/own-programs.ts runs it with the blocks of core's plan.
//
//   nvcc -std=c++17 -O3 -gencode arch=compute_90,code=sm_90 -I packages/cuda/native -I packages/cuda/src
//        benchmarks/peers/trish.cu -o trish
//   trish --bytes=N --blocks=B [--runs=20]
//
// It compares the counts before it measures. With row sums they are exact. Without, a byte counter loses multiples of 256,
// so each bin is congruent to the exact count. Zeros fill the counters, so there the counts must also be too low.
#include <cstring>

#include "kernels/trish/count.cuh"
#include "timed.cuh"

namespace {

using polybin::RowSums;
using namespace polybin::limits;

struct Options {
  uint32_t bytes = 1 << 26, blocks = 0;
  int runs = 20;
};

/** Bytes on the device with their exact counts, and the partial tables of the kernel. */
struct Bytes {
  uint32_t count, blocks;
  Memory<uint8_t> samples;
  Memory<uint32_t> tables;
  std::vector<Count> exact;

  Bytes(const Options &of, Distribution distribution)
      : count(of.bytes), blocks(of.blocks), samples(of.bytes), tables(size_t{of.blocks} * TRISH_BINS),
        exact(TRISH_BINS) {
    const uint32_t threads = attribute(cudaDevAttrMultiProcessorCount) * 8;
    fill<<<threads, 256>>>(samples.at, count, distribution, levels, Picture{});
    Memory<Count> counts(TRISH_BINS);
    check(cudaMemset(counts.at, 0, TRISH_BINS * sizeof(Count)), "cudaMemset");
    countPlainly<<<threads, 256>>>(samples.at, count, 1.0, 1, 0, counts.at);
    check(cudaMemcpy(exact.data(), counts.at, TRISH_BINS * sizeof(Count), cudaMemcpyDeviceToHost), "the data");
  }

  /** Adds the blocks' histograms of the last launch. */
  std::vector<Count> found() const {
    std::vector<uint32_t> histograms(size_t{blocks} * TRISH_BINS);
    check(cudaMemcpy(histograms.data(), tables.at, histograms.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost), "a copy");
    std::vector<Count> counts(TRISH_BINS);
    for (size_t i = 0; i < histograms.size(); i++) counts[i % TRISH_BINS] += histograms[i];
    return counts;
  }
};

template <uint32_t k, bool between>
void launchOn(const Bytes &on) {
  polybin::Pass pass{};
  pass.data = on.samples.at;
  pass.count = on.count;
  pass.cells = TRISH_BINS;
  pass.partials = on.tables.at;
  check(polybin::launch(polybin::countBytes<k, between>, on.blocks, TRISH_THREADS, TRISH_THREADS * TRISH_BINS, nullptr,
                        pass, RowSums::pairs),
        "trish");
}

/** Whether the last counts are what a kernel with or without row sums must find. `isOne`: all bytes are equal. */
bool isRight(const Bytes &on, bool between, bool isOne) {
  const std::vector<Count> found = on.found();
  if (between) return found == on.exact;
  bool lower = false;
  for (uint32_t bin = 0; bin < TRISH_BINS; bin++) {
    if (found[bin] > on.exact[bin] || (on.exact[bin] - found[bin]) % (U8_MAX + 1) != 0) return false;
    lower = lower || found[bin] < on.exact[bin];
  }
  const bool fills = isOne && on.count > uint64_t{on.blocks} * TRISH_THREADS * 2 * (U8_MAX + 1);
  return lower || !fills;
}

template <uint32_t k, bool between>
void measure(const Bytes &uniform, const Bytes &zeros, int runs) {
  for (const Bytes *on : {&uniform, &zeros}) {
    launchOn<k, between>(*on);
    if (isRight(*on, between, on == &zeros)) continue;
    std::fprintf(stderr, "wrong counts with k = %u %s row sums\n", k, between ? "and" : "without");
    std::exit(1);
  }
  const auto ms = timed(runs, [&] { launchOn<k, between>(uniform); });
  std::printf("{\"k\":%u,\"rowSums\":%s,\"ms\":[", k, between ? "true" : "false");
  for (size_t i = 0; i < ms.size(); i++) std::printf("%s%.5f", i ? "," : "", ms[i]);
  std::printf("]}\n");
  std::fflush(stdout);
}

template <uint32_t k>
void measureAll(const Bytes &uniform, const Bytes &zeros, int runs) {
  measure<k, true>(uniform, zeros, runs);
  measure<k, false>(uniform, zeros, runs);
}

template <uint32_t... ks>
void measureEach(const Options &of) {
  const Bytes onUniform(of, uniform), onZeros(of, zeros);
  (measureAll<ks>(onUniform, onZeros, of.runs), ...);
}

Options parse(int argc, char **argv) {
  Options to;
  for (int i = 1; i < argc; i++) {
    const char *const equals = std::strchr(argv[i], '=');
    const std::string name(argv[i], equals ? equals - argv[i] : std::strlen(argv[i]));
    const uint64_t value = equals ? std::strtoull(equals + 1, nullptr, 10) : 0;
    if (name == "--bytes" && value > 0 && value <= U32_MAX) to.bytes = static_cast<uint32_t>(value);
    else if (name == "--blocks" && value > 0 && value <= INT32_MAX) to.blocks = static_cast<uint32_t>(value);
    else if (name == "--runs" && value > 0 && value <= INT32_MAX) to.runs = static_cast<int>(value);
    else to.blocks = 0, i = argc;
  }
  if (to.blocks > 0) return to;
  std::fprintf(stderr, "usage: trish --bytes=N --blocks=B [--runs=20]\n");
  std::exit(2);
}

}  // namespace

int main(int argc, char **argv) {
  // The paper's k = 1 and 31 (6.2), the best k of Figure 4, and some between.
  measureEach<1, 4, 15, 21, 31, 32, 63>(parse(argc, argv));
  return 0;
}
