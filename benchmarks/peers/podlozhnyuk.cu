// Podlozhnyuk's oclHistogram64 and oclHistogram256 as published, with and without the tricks that he describes. Prints one
// JSON line per kernel and distribution. benchmarks/src/suites/podlozhnyuk.ts runs it, alone and under ncu.
//
//   nvcc -std=c++17 -O3 -gencode arch=compute_90,code=sm_90 -I packages/cuda/native benchmarks/peers/podlozhnyuk.cu
//   podlozhnyuk [LOG2N] [RUNS]     default: 2^26 bytes, 20 runs; with 0 runs each kernel is launched once, without a line
//
// The kernels are in published/podlozhnyuk.cuh.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "data.cuh"
#include "published/podlozhnyuk.cuh"

namespace {

using namespace published;

/** One kernel that counts, with its grid. */
struct Kernel {
  std::string name, variant;
  uint32_t bins, blocks;
  std::function<void(const uint32_t *, uint32_t, uint32_t *, unsigned long long *)> launch;
};

template <Columns columns, uint32_t threads, bool staggered>
Kernel of64(const std::string &variant, uint32_t words) {
  const uint32_t blocks = (words + threads * BYTE_WORDS - 1) / (threads * BYTE_WORDS);
  return {"histogram64", variant, 64, blocks, [=](auto *data, uint32_t n, uint32_t *partial, auto *) {
            histogram64<columns, threads, staggered><<<blocks, threads, 64 * threads>>>(data, n, partial);
          }};
}

template <bool counting>
Kernel of256(const std::string &variant) {
  const uint32_t blocks = 10 * attribute(cudaDevAttrMultiProcessorCount);
  return {"histogram256", variant, 256, blocks, [=](auto *data, uint32_t n, uint32_t *partial, auto *rounds) {
            histogram256<counting><<<blocks, WARPS * WARP, WARPS * BINS * sizeof(uint32_t)>>>(data, n, partial, rounds);
          }};
}

struct Event {
  cudaEvent_t at = nullptr;
  Event() { check(cudaEventCreate(&at), "an event"); }
  ~Event() { cudaEventDestroy(at); }
  void record() const { check(cudaEventRecord(at), "an event"); }
};

float between(const Event &start, const Event &end) {
  float ms = 0;
  check(cudaEventElapsedTime(&ms, start.at, end.at), "an event");
  return ms;
}

void print(const char *name, const std::vector<float> &ms) {
  std::printf(",\"%s\":[", name);
  for (size_t i = 0; i < ms.size(); i++) std::printf("%s%.6f", i ? "," : "", ms[i]);
  std::printf("]");
}

}  // namespace

int main(int argc, char **argv) {
  const uint32_t n = 1u << (argc > 1 ? std::atoi(argv[1]) : 26), words = n / 4;
  const int runs = argc > 2 ? std::atoi(argv[2]) : 20;
  const std::vector<Kernel> kernels = {
      of64<Columns::plain, 192, true>("no swizzle", words),
      of64<Columns::swizzled, 192, true>("swizzle", words),
      of64<Columns::swizzled, 192, false>("swizzle, equal starts", words),
      of64<Columns::ofToday, 128, true>("swizzle for 32 banks", words),
      of256<false>("tag"),
      of256<true>("tag, rounds counted"),
  };
  uint32_t most = 0;
  for (const Kernel &kernel : kernels) most = std::max(most, kernel.blocks * kernel.bins);
  Memory<uint32_t> data(words), partial(most);
  Memory<unsigned long long> rounds(2);
  Memory<uint32_t> counts(BINS);
  Memory<Count> expected(BINS);
  const Event start, middle, end;
  bool right = true;
  for (const Distribution of : {uniform, zeros, ramp, apart}) {
    fill<<<4096, 256>>>(reinterpret_cast<uint8_t *>(data.at), n, of, levels, Picture{nullptr, 1});
    for (const Kernel &kernel : kernels) {
      std::vector<float> ms, mergeMs;
      for (int run = 0; run < std::max(runs + 2, 1); run++) {
        check(cudaMemset(rounds.at, 0, 2 * sizeof(unsigned long long)), "memory");
        start.record();
        kernel.launch(data.at, words, partial.at, rounds.at);
        middle.record();
        sumInBlocks<<<kernel.bins, MERGE_THREADS, MERGE_THREADS * sizeof(uint32_t)>>>(partial.at, kernel.blocks, counts.at);
        end.record();
        check(cudaDeviceSynchronize(), kernel.name.c_str());
        if (runs == 0) break;
        // The first two runs warm up.
        if (run < 2) continue;
        ms.push_back(between(start, middle));
        mergeMs.push_back(between(middle, end));
      }
      check(cudaMemset(expected.at, 0, 256 * sizeof(Count)), "memory");
      countPlainly<<<1024, 256>>>(reinterpret_cast<const uint8_t *>(data.at), n, kernel.bins / levels, 1, 0, expected.at);
      std::vector<uint32_t> found(kernel.bins);
      std::vector<Count> wanted(kernel.bins);
      unsigned long long taken[2];
      check(cudaMemcpy(found.data(), counts.at, kernel.bins * sizeof(uint32_t), cudaMemcpyDeviceToHost), "a copy");
      check(cudaMemcpy(wanted.data(), expected.at, kernel.bins * sizeof(Count), cudaMemcpyDeviceToHost), "a copy");
      check(cudaMemcpy(taken, rounds.at, sizeof taken, cudaMemcpyDeviceToHost), "a copy");
      const bool exact = std::equal(found.begin(), found.end(), wanted.begin());
      right = right && exact;
      if (runs == 0) continue;
      std::printf("{\"kernel\":\"%s\",\"variant\":\"%s\",\"distribution\":\"%s\",\"n\":%u,\"exact\":%s",
                  kernel.name.c_str(), kernel.variant.c_str(), distributions[of].c_str(), n,
                  exact ? "true" : "false");
      if (taken[1] > 0) std::printf(",\"rounds\":%.4f", static_cast<double>(taken[0]) / taken[1]);
      print("ms", ms);
      print("mergeMs", mergeMs);
      std::puts("}");
    }
  }
  return right ? 0 : 1;
}
