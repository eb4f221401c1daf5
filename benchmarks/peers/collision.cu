// Measures Xu et al.'s collision method with atomics and without (6.2.1). Without them additions get lost, so the sums are
// wrong. That is why only this program has such a kernel. It prints one JSON line per kernel and kind of values.
// benchmarks/src/suites/own-programs.ts runs it with the numbers of core's plan.
//
//   nvcc -std=c++17 -O3 -gencode arch=compute_90,code=sm_90 -I packages/cuda/native -I packages/cuda/src
//        benchmarks/peers/collision.cu -o collision
//   collision FEATURES DOCUMENTS BINS THREADS SEGMENTS SEGMENT-DOCUMENTS UNROLL RUNS
//
// Values have 16 bits. It compares the counts before it measures. With atomics every document is counted. Without, some
// are lost if all values are equal.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

#include "kernels/weighted-collision/collision.cuh"

namespace polybin {
namespace {

/** Additions that other threads can come between. */
struct Plain {
  template <typename T>
  static __device__ __forceinline__ T add(T *to, T amount) {
    const T before = *to;
    *to = before + amount;
    return before;
  }
};

void check(cudaError_t result, const char *what) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(result));
  std::exit(1);
}

template <typename T>
T *taken(size_t count) {
  void *memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(T)), "cudaMalloc");
  check(cudaMemset(memory, 0, count * sizeof(T)), "cudaMemset");
  return static_cast<T *>(memory);
}

/** Fills the table with one value or with uniform ones. */
__global__ void fill(uint16_t *values, uint64_t count, uint32_t bins, bool uniform) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < count; i += uint64_t{gridDim.x} * blockDim.x) {
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 31) * 0xbf58476d1ce4e5b9ull;
    values[i] = static_cast<uint16_t>(uniform ? (x >> 40) % bins : bins / 2);
  }
}

template <typename Weight>
__global__ void weigh(Weight *weights, uint32_t count) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    weights[i] = static_cast<Weight>(static_cast<int32_t>(i % 2001) - 1000);
  }
}

struct Case {
  WeightedInput in{};
  WeightedPlan plan{};
  WeightedCollision own{};
  int runs = 0;
};

template <typename Of, typename Adds>
void launchOn(const Case &of) {
  // The kernel's capacity for unroll, as the product launches it.
  check(forUnroll<limits::UNROLL_MAX>(of.own.unroll,
                                      [&](auto most) {
                                        const auto kernel = sumCollision<Of, decltype(most)::value, Adds>;
                                        return launchSums(kernel, of.in, of.plan, nullptr, of.own);
                                      }),
        "a launch");
}

template <typename Of>
uint64_t documentsCounted(const Case &of) {
  std::vector<Count> totals(of.in.count * size_t{2} * of.plan.bins);
  check(cudaMemcpy(totals.data(), of.in.totals, totals.size() * sizeof(Count), cudaMemcpyDeviceToHost), "a copy");
  double counted = 0;
  for (uint32_t feature = 0; feature < of.in.count; feature++) {
    for (uint32_t bin = 0; bin < of.plan.bins; bin++) {
      const Count one = totals[feature * size_t{2} * of.plan.bins + bin];
      if constexpr (Of::fast) {
        double value;
        static_assert(sizeof value == sizeof one);
        std::memcpy(&value, &one, sizeof value);
        counted += value;
      } else {
        counted += static_cast<double>(one);
      }
    }
  }
  return static_cast<uint64_t>(counted);
}

template <typename Of, typename Adds>
void measure(const Case &of, const char *values) {
  const uint64_t documents = of.in.documents * of.in.count;
  const size_t totalsBytes = of.in.count * size_t{2} * of.plan.bins * sizeof(Count);
  check(cudaMemset(of.in.totals, 0, totalsBytes), "cudaMemset");
  launchOn<Of, Adds>(of);
  check(cudaDeviceSynchronize(), "a kernel");
  const uint64_t counted = documentsCounted<Of>(of);
  constexpr bool atomics = std::is_same_v<Adds, Atomics>;
  if (atomics ? counted != documents : counted > documents) {
    std::fprintf(stderr, "expected %llu documents but received %llu\n", static_cast<unsigned long long>(documents),
                 static_cast<unsigned long long>(counted));
    std::exit(1);
  }
  cudaEvent_t start, end;
  check(cudaEventCreate(&start), "an event");
  check(cudaEventCreate(&end), "an event");
  std::printf("{\"values\":\"%s\",\"precision\":\"%s\",\"atomics\":%s,\"lost\":%.6f,\"ms\":[", values,
              Of::fast ? "fast" : "reproducible", atomics ? "true" : "false",
              1 - static_cast<double>(counted) / static_cast<double>(documents));
  for (int run = 0; run < of.runs; run++) {
    float ms = 0;
    cudaEventRecord(start);
    launchOn<Of, Adds>(of);
    cudaEventRecord(end);
    check(cudaEventSynchronize(end), "a run");
    cudaEventElapsedTime(&ms, start, end);
    std::printf("%s%.6f", run == 0 ? "" : ",", ms);
  }
  std::printf("]}\n");
}

template <typename Of>
void measureBoth(Case of, const char *values, uint32_t flushDocuments) {
  auto *const weights = taken<typename Of::Weight>(of.in.documents + limits::GPU_PADDING_BYTES);
  weigh<<<256, 256>>>(weights, static_cast<uint32_t>(of.in.documents));
  of.in.weights = reinterpret_cast<const int32_t *>(weights);
  of.plan.fast = Of::fast;
  of.plan.wide = !Of::fast;
  of.plan.sharedBytes = of.plan.bins * sizeof(uint32_t) * (Of::fast ? 2 : 3);
  of.plan.flushDocuments = Of::fast ? flushDocuments : 0;
  measure<Of, Atomics>(of, values);
  measure<Of, Plain>(of, values);
  cudaFree(weights);
}

int run(int count, char **given) {
  if (count != 9) {
    std::fprintf(stderr, "usage: collision FEATURES DOCUMENTS BINS THREADS SEGMENTS SEGMENT-DOCUMENTS UNROLL RUNS\n");
    return 2;
  }
  const auto number = [&](int i) { return static_cast<uint32_t>(std::strtoul(given[i], nullptr, 10)); };
  Case of;
  of.in.count = number(1);
  of.in.documents = number(2);
  of.plan.type = ValueType::u16;
  of.plan.counts = true;
  of.plan.bins = of.plan.binsPerPass = number(3);
  of.plan.passes = of.plan.replicas = of.plan.featuresPerBlock = 1;
  of.plan.threads = number(4);
  of.plan.segments = number(5);
  of.plan.segmentDocuments = number(6);
  of.own = {true, number(7)};
  of.runs = static_cast<int>(number(8));
  of.in.pitch = (of.in.documents * sizeof(uint16_t) + 15) / 16 * 16;

  const uint64_t values = of.in.pitch / sizeof(uint16_t) * of.in.count;
  auto *const table = taken<uint16_t>(values + limits::GPU_PADDING_BYTES);
  std::vector<WeightedFeature> features;
  for (uint32_t row = 0; row < of.in.count; row++) features.push_back({row, noSkip});
  auto *const listed = taken<WeightedFeature>(features.size());
  check(cudaMemcpy(listed, features.data(), features.size() * sizeof features[0], cudaMemcpyHostToDevice), "a copy");
  of.in.values = reinterpret_cast<const uint8_t *>(table);
  of.in.features = listed;
  of.in.totals = taken<Count>(of.in.count * size_t{2} * of.plan.bins);
  // As many documents as core lets a float sum add, in whole rounds.
  const uint32_t round = of.own.unroll * of.plan.threads, flushDocuments = (1u << 14) / round * round;
  for (const bool uniform : {true, false}) {
    fill<<<1024, 256>>>(table, values, of.plan.bins, uniform);
    measureBoth<Variant<true, false>>(of, uniform ? "uniform" : "equal", flushDocuments);
    measureBoth<Variant<false, false>>(of, uniform ? "uniform" : "equal", flushDocuments);
  }
  return 0;
}

}  // namespace
}  // namespace polybin

int main(int count, char **given) { return polybin::run(count, given); }
