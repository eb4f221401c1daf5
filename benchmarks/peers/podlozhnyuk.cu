// Podlozhnyuk's oclHistogram64 and oclHistogram256 as published, with and without the tricks that he describes. Prints one
// JSON line per kernel and distribution. benchmarks/src/suites/podlozhnyuk.ts runs it, alone and under ncu.
//
//   nvcc -std=c++17 -O3 -gencode arch=compute_90,code=sm_90 -I packages/cuda/native benchmarks/peers/podlozhnyuk.cu
//   podlozhnyuk [LOG2N] [RUNS]     default: 2^26 bytes, 20 runs; with 0 runs each kernel is launched once, without a line
//
//   histogram64     shared memory: byte = [bin][column], one column per thread
//   histogram256    shared memory: word = [warp][bin], [ lane : 5 | count : 27 ]
//
// Source: Podlozhnyuk 2009, Figures 1 to 3 and Listing 3.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "data.cuh"

namespace {

constexpr uint32_t WARP = 32, ALL = 0xffffffff, TAG_SHIFT = 27, COUNT_MASK = 0x07ffffff;
/** A thread's byte counters hold 255: 63 words of four samples. */
constexpr uint32_t WORDS = 63;
constexpr uint32_t WARPS = 6;
constexpr uint32_t MERGE_THREADS = 256;

/** How threads find their columns. */
enum class Columns {
  /** Column = thread: four neighbours share a bank. */
  plain,
  /** Bits [5:4] and [3:0] exchanged: 16 threads have 16 banks, as many as the GPUs of the paper had. */
  swizzled,
  /** The same idea for 32 threads and 32 banks. Rows of 128 bytes begin at the same bank. */
  ofToday,
};

template <Columns columns>
__device__ uint32_t columnOf(uint32_t thread) {
  if constexpr (columns == Columns::plain) return thread;
  if constexpr (columns == Columns::swizzled) return (thread & ~63u) | (thread & 15u) << 2 | (thread & 48u) >> 4;
  return thread % WARP * 4 + thread / WARP;
}

/** One byte counter per thread and bin, then one sum per bin. `staggered`: threads begin to sum at different banks. */
template <Columns columns, uint32_t threads, bool staggered>
__global__ void __launch_bounds__(threads) histogram64(const uint32_t *data, uint32_t words, uint32_t *partial) {
  constexpr uint32_t BINS = 64, BANKS = columns == Columns::ofToday ? 32 : 16;
  __shared__ uint32_t shared[BINS * threads / 4];
  for (uint32_t i = threadIdx.x; i < BINS * threads / 4; i += threads) shared[i] = 0;
  __syncthreads();
  uint8_t *const bytes = reinterpret_cast<uint8_t *>(shared);
  uint8_t *const own = bytes + columnOf<columns>(threadIdx.x);
  for (uint32_t at = blockIdx.x * threads + threadIdx.x; at < words; at += gridDim.x * threads) {
    const uint32_t word = data[at];
    own[(word >> 2 & 63) * threads]++;
    own[(word >> 10 & 63) * threads]++;
    own[(word >> 18 & 63) * threads]++;
    own[(word >> 26) * threads]++;
  }
  __syncthreads();
  const uint32_t bin = threadIdx.x;
  if (bin >= BINS) return;
  uint32_t sum = 0, at = staggered ? 4 * (bin % BANKS) : 0;
  for (uint32_t i = 0; i < threads; i++) {
    sum += bytes[bin * threads + at];
    at = at + 1 == threads ? 0 : at + 1;
  }
  partial[blockIdx.x * BINS + bin] = sum;
}

/** Listing 3, with the barriers that warps need since Volta. With `counting` it adds up rounds and samples per warp. */
template <bool counting>
__global__ void __launch_bounds__(WARPS *WARP) histogram256(const uint32_t *data, uint32_t words, uint32_t *partial,
                                                            unsigned long long *rounds) {
  constexpr uint32_t BINS = 256;
  __shared__ uint32_t shared[WARPS * BINS];
  for (uint32_t i = threadIdx.x; i < WARPS * BINS; i += blockDim.x) shared[i] = 0;
  __syncthreads();
  volatile uint32_t *const table = shared + threadIdx.x / WARP * BINS;
  const uint32_t tag = threadIdx.x % WARP << TAG_SHIFT, step = gridDim.x * blockDim.x;
  unsigned long long taken = 0, samples = 0;
  // The number of words is a multiple of a warp's, so all lanes of a warp make the same number of rounds.
  for (uint32_t at = blockIdx.x * blockDim.x + threadIdx.x; at < words; at += step) {
    const uint32_t word = data[at];
    for (uint32_t part = 0; part < 4; part++) {
      const uint32_t bin = word >> 8 * part & 255;
      bool pending = true;
      while (__any_sync(ALL, pending)) {
        uint32_t mine = 0;
        if (pending) mine = tag | ((table[bin] & COUNT_MASK) + 1);
        __syncwarp();
        if (pending) table[bin] = mine;
        __syncwarp();
        if (pending) pending = table[bin] != mine;
        if constexpr (counting) taken++;
      }
      if constexpr (counting) samples++;
    }
  }
  if (counting && threadIdx.x % WARP == 0) {
    atomicAdd(rounds, taken);
    atomicAdd(rounds + 1, samples);
  }
  __syncthreads();
  for (uint32_t bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
    uint32_t sum = 0;
    for (uint32_t warp = 0; warp < WARPS; warp++) sum += shared[warp * BINS + bin] & COUNT_MASK;
    partial[blockIdx.x * BINS + bin] = sum;
  }
}

/** mergeHistogram64 and mergeHistogram256: one block per bin adds the blocks' histograms. */
__global__ void __launch_bounds__(MERGE_THREADS) mergeHistograms(const uint32_t *partial, uint32_t blocks, Count *counts) {
  __shared__ uint32_t sums[MERGE_THREADS];
  uint32_t sum = 0;
  for (uint32_t i = threadIdx.x; i < blocks; i += MERGE_THREADS) sum += partial[i * gridDim.x + blockIdx.x];
  sums[threadIdx.x] = sum;
  for (uint32_t half = MERGE_THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) counts[blockIdx.x] = sums[0];
}

/** One kernel that counts, with its grid. */
struct Kernel {
  std::string name, variant;
  uint32_t bins, blocks;
  std::function<void(const uint32_t *, uint32_t, uint32_t *, unsigned long long *)> launch;
};

template <Columns columns, uint32_t threads, bool staggered>
Kernel of64(const std::string &variant, uint32_t words) {
  const uint32_t blocks = (words + threads * WORDS - 1) / (threads * WORDS);
  return {"histogram64", variant, 64, blocks, [=](auto *data, uint32_t n, uint32_t *partial, auto *) {
            histogram64<columns, threads, staggered><<<blocks, threads>>>(data, n, partial);
          }};
}

template <bool counting>
Kernel of256(const std::string &variant) {
  const uint32_t blocks = 10 * attribute(cudaDevAttrMultiProcessorCount);
  return {"histogram256", variant, 256, blocks, [=](auto *data, uint32_t n, uint32_t *partial, auto *rounds) {
            histogram256<counting><<<blocks, WARPS * WARP>>>(data, n, partial, rounds);
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
  Memory<Count> counts(256), expected(256);
  const Event start, middle, end;
  bool right = true;
  for (const Distribution of : {uniform, zeros, ramp}) {
    fill<<<4096, 256>>>(reinterpret_cast<uint8_t *>(data.at), n, of, levels, Picture{nullptr, 1});
    for (const Kernel &kernel : kernels) {
      std::vector<float> ms, mergeMs;
      for (int run = 0; run < std::max(runs + 2, 1); run++) {
        check(cudaMemset(rounds.at, 0, 2 * sizeof(unsigned long long)), "memory");
        start.record();
        kernel.launch(data.at, words, partial.at, rounds.at);
        middle.record();
        mergeHistograms<<<kernel.bins, MERGE_THREADS>>>(partial.at, kernel.blocks, counts.at);
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
      std::vector<Count> found(kernel.bins), wanted(kernel.bins);
      unsigned long long taken[2];
      check(cudaMemcpy(found.data(), counts.at, kernel.bins * sizeof(Count), cudaMemcpyDeviceToHost), "a copy");
      check(cudaMemcpy(wanted.data(), expected.at, kernel.bins * sizeof(Count), cudaMemcpyDeviceToHost), "a copy");
      check(cudaMemcpy(taken, rounds.at, sizeof taken, cudaMemcpyDeviceToHost), "a copy");
      right = right && found == wanted;
      if (runs == 0) continue;
      std::printf("{\"kernel\":\"%s\",\"variant\":\"%s\",\"distribution\":\"%s\",\"n\":%u,\"exact\":%s",
                  kernel.name.c_str(), kernel.variant.c_str(), distributions[of].c_str(), n,
                  found == wanted ? "true" : "false");
      if (taken[1] > 0) std::printf(",\"rounds\":%.4f", static_cast<double>(taken[0]) / taken[1]);
      print("ms", ms);
      print("mergeMs", mergeMs);
      std::puts("}");
    }
  }
  return right ? 0 : 1;
}
