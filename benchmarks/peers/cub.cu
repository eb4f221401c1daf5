// CUB's DeviceHistogram beside polybin's per-lane and the read-only ceiling: resident data, event-timed, one JSON
// line a cell.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 benchmarks/peers/cub.cu
//        packages/cuda/native/kernels/per-lane.cu packages/cuda/native/kernels/read.cu -o cub
//   cub [--modes=cub,ours,read] [--types=u8,u16,f32,range,rgba,wide] [--distributions=…] [--log2n=13,20,30] [--runs=20]
//
// `ours` takes launch numbers of an H200 as constants, to tune by; the library takes them from core's plan.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <cub/device/device_histogram.cuh>
#include <cuda/std/array>

#include "../../packages/cuda/native/limits.cuh"
#include "../../packages/cuda/native/polybin.cuh"

namespace {

using polybin::Count;

void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

// -- Data -----------------------------------------------------------------------------------------------------

enum Distribution : uint32_t { uniform, zeros, gauss, ramp, two, smooth, zipf, sorted };
const std::vector<std::string> distributions = {"uniform", "zeros", "gauss", "ramp", "two", "smooth", "zipf", "sorted"};
constexpr double levels = 256;

/** Splitmix64's output function. */
__host__ __device__ uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

__device__ double unit(uint64_t i) { return static_cast<double>(mixed(i) >> 40) / (1u << 24); }

/** Sample i of n as a number in [0, 1). */
__device__ double position(Distribution of, uint64_t i, uint64_t n) {
  switch (of) {
    case uniform: return unit(i);
    case zeros: return 0;
    case gauss: {
      const double normal = sqrt(-2 * log(1 - unit(2 * i))) * cospi(2 * unit(2 * i + 1));
      return fmin(fmax(0.5 + 10 / levels * normal, 0.0), 255 / levels);
    }
    case ramp: return static_cast<double>(i % 256) / levels;
    case two: return (mixed(i) & 1 ? 200 : 50) / levels;
    case smooth: return 0.5 + 0.4 * sinpi(static_cast<double>(i % 4096) / 2048) + unit(i) / 64;
    case zipf: return (floor(exp2(8 * unit(i))) - 1) / levels;
    default: return static_cast<double>(i) / static_cast<double>(n);
  }
}

template <typename Sample>
__global__ void fill(Sample *to, uint64_t n, Distribution of, double scale) {
  const uint64_t step = uint64_t{gridDim.x} * blockDim.x;
  for (uint64_t i = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    to[i] = static_cast<Sample>(position(of, i, n) * scale);
  }
}

/** What the counts are compared with: bin = sample * scale, one global counter each. */
template <typename Sample>
__global__ void countPlainly(const Sample *samples, uint64_t n, double scale, uint32_t interleaved, uint32_t channel,
                             Count *counts) {
  // A thread adds runs of one bin up first, so that equal samples do not wait for one another.
  const uint64_t threads = uint64_t{gridDim.x} * blockDim.x, thread = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  uint32_t bin = 0;
  Count run = 0;
  for (uint64_t i = thread; i < n; i += threads) {
    const auto next = static_cast<uint32_t>(static_cast<double>(samples[i * interleaved + channel]) * scale);
    if (next != bin && run > 0) {
      atomicAdd(counts + bin, run);
      run = 0;
    }
    bin = next;
    run++;
  }
  if (run > 0) atomicAdd(counts + bin, run);
}

// -- What is measured -----------------------------------------------------------------------------------------

/** A kind of samples: bin = sample * bins / top. */
struct Case {
  const char *type;
  uint32_t bytes, bins;
  double top;
  uint32_t interleaved, channels;
};

const std::map<std::string, Case> cases = {
    {"u8", {"u8", 1, 256, 256, 1, 1}},         {"u16", {"u16", 2, 1024, 1024, 1, 1}},
    {"wide", {"u16", 2, 65536, 65536, 1, 1}},  {"f32", {"f32", 4, 256, 1, 1, 1}},
    {"range", {"f32 edges", 4, 256, 1, 1, 1}}, {"rgba", {"rgba8, 3 of 4", 1, 256, 256, 4, 3}},
};

struct Options {
  std::vector<std::string> modes = {"cub", "ours", "read"}, types = {"u8"}, distributions = ::distributions;
  std::vector<std::string> log2n = {"28"};
  int runs = 20;
};

std::vector<std::string> split(const std::string &list) {
  std::vector<std::string> out;
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    out.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::vector<float> timed(int runs, const std::function<void()> &run) {
  cudaEvent_t start, end;
  check(cudaEventCreate(&start), "event");
  check(cudaEventCreate(&end), "event");
  for (int i = 0; i < 3; i++) run();
  check(cudaDeviceSynchronize(), "warming up");
  std::vector<float> ms(runs);
  for (float &each : ms) {
    cudaEventRecord(start);
    run();
    cudaEventRecord(end);
    check(cudaEventSynchronize(end), "a run");
    cudaEventElapsedTime(&each, start, end);
  }
  cudaEventDestroy(start);
  cudaEventDestroy(end);
  return ms;
}

void print(const char *peer, const char *variant, const Case &of, uint64_t n, const std::string &distribution,
           const std::vector<float> &ms, bool exact) {
  std::vector<float> inOrder = ms;
  std::sort(inOrder.begin(), inOrder.end());
  const float median = (inOrder[(inOrder.size() - 1) / 2] + inOrder[inOrder.size() / 2]) / 2;
  std::printf("{\"peer\":\"%s\",\"variant\":\"%s\",\"type\":\"%s\",\"bins\":%u,\"n\":%llu,\"distribution\":\"%s\",", peer,
              variant, of.type, of.bins, static_cast<unsigned long long>(n), distribution.c_str());
  std::printf("\"residence\":\"resident\",\"ms\":[");
  for (size_t i = 0; i < ms.size(); i++) std::printf("%s%.5f", i ? "," : "", ms[i]);
  const double bytes = static_cast<double>(n) * of.bytes * of.interleaved;
  std::printf("],\"gbps\":%.1f,\"exact\":%s}\n", bytes / median / 1e6, exact ? "true" : "false");
  std::fflush(stdout);
}

template <typename T>
struct Memory {
  T *at = nullptr;
  explicit Memory(size_t count) { check(cudaMalloc(&at, std::max<size_t>(count, 1) * sizeof(T)), "memory"); }
  ~Memory() { cudaFree(at); }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
};

int unitsOfDevice() {
  int units = 0;
  check(cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, 0), "the device");
  return units;
}

// -- CUB --------------------------------------------------------------------------------------------------------

/** One call of DeviceHistogram; with no temporary memory it says how much it wants. */
cudaError_t cubCall(const std::string &name, void *temporary, size_t &bytes, const void *data, int64_t n,
                    unsigned *counts, const float *edges) {
  using Histogram = cub::DeviceHistogram;
  if (name == "u8") {
    return Histogram::HistogramEven(temporary, bytes, static_cast<const uint8_t *>(data), counts, 257, 0, 256, n);
  }
  if (name == "u16") {
    return Histogram::HistogramEven(temporary, bytes, static_cast<const uint16_t *>(data), counts, 1025, 0, 1024, n);
  }
  if (name == "wide") {
    return Histogram::HistogramEven(temporary, bytes, static_cast<const uint16_t *>(data), counts, 65537, 0, 65536, n);
  }
  const auto *floats = static_cast<const float *>(data);
  if (name == "f32") return Histogram::HistogramEven(temporary, bytes, floats, counts, 257, 0.0f, 1.0f, n);
  if (name == "range") return Histogram::HistogramRange(temporary, bytes, floats, counts, 257, edges, n);
  const cuda::std::array<unsigned *, 3> histograms = {counts, counts + 256, counts + 512};
  const cuda::std::array<int, 3> entries = {257, 257, 257}, lower = {0, 0, 0}, upper = {256, 256, 256};
  return Histogram::MultiHistogramEven<4, 3>(temporary, bytes, static_cast<const uint8_t *>(data), histograms, entries,
                                             lower, upper, n);
}

/** CUB counts in 32 bits: the sums are compared as such. */
void measureCub(const std::string &name, const Case &of, const void *data, uint64_t n, const std::string &distribution,
                const std::vector<Count> &expected, int runs) {
  std::vector<float> edges(of.bins + 1);
  for (uint32_t i = 0; i <= of.bins; i++) edges[i] = static_cast<float>(i) / static_cast<float>(of.bins);
  Memory<float> deviceEdges(edges.size());
  cudaMemcpy(deviceEdges.at, edges.data(), edges.size() * sizeof(float), cudaMemcpyHostToDevice);
  Memory<unsigned> counts(of.bins * of.channels);
  size_t bytes = 0;
  check(cubCall(name, nullptr, bytes, data, static_cast<int64_t>(n), counts.at, deviceEdges.at), "CUB");
  Memory<char> temporary(bytes);
  const auto ms = timed(runs, [&] {
    check(cubCall(name, temporary.at, bytes, data, static_cast<int64_t>(n), counts.at, deviceEdges.at), "CUB");
  });
  std::vector<unsigned> found(of.bins * of.channels);
  check(cudaMemcpy(found.data(), counts.at, found.size() * sizeof(unsigned), cudaMemcpyDeviceToHost), "a copy");
  const bool exact = std::equal(found.begin(), found.end(), expected.begin(),
                                [](unsigned a, Count b) { return a == static_cast<unsigned>(b); });
  print("cub", "", of, n, distribution, ms, exact);
}

// -- Ours -------------------------------------------------------------------------------------------------------

/** As core's GUESS_CELLS. */
constexpr uint32_t guessCells = 2048;

uint32_t keyOfFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits >> 31 ? ~bits : bits | 1u << 31;
}

/** As core's keysLowering for edges i / bins. */
struct FloatLowering {
  polybin::Lowering of{};
  std::vector<uint32_t> thresholds, starts;

  FloatLowering(uint32_t bins, bool linear) {
    for (uint32_t i = 0; i < bins; i++) {
      thresholds.push_back(keyOfFloat(i == 0 ? -0.0f : static_cast<float>(i) / static_cast<float>(bins)));
    }
    of.kind = polybin::Kind::keys;
    of.type = polybin::Type::f32;
    of.bins = of.thresholds = bins;
    of.flow = true;
    of.last = {keyOfFloat(1), 0};
    of.nanBelow = {keyOfFloat(-INFINITY), 0};
    of.nanAbove = {keyOfFloat(INFINITY), 0};
    of.linear = linear;
    of.scale = bins;
    if (linear) return;
    of.base = thresholds[0];
    while ((of.last.low - of.base) >> of.shift >= guessCells) of.shift++;
    of.cells = ((of.last.low - of.base) >> of.shift) + 1;
    uint32_t bin = 0;
    for (uint64_t cell = 0; cell < of.cells; cell++) {
      while (bin + 1 < bins && thresholds[bin + 1] <= of.base + (cell << of.shift)) bin++;
      starts.push_back(bin);
    }
    starts.push_back(bins - 1);
    of.steps = polybin::searchSteps(of, starts.data(), thresholds.data());
  }
};

void measureOurs(const std::string &name, const Case &of, const void *data, uint64_t n, const std::string &distribution,
                 const std::vector<Count> &expected, int runs) {
  namespace limits = polybin::limits;
  const uint32_t units = unitsOfDevice();
  polybin::Lowering lowering{};
  const bool floats = of.bytes == 4;
  FloatLowering keys(of.bins, name == "f32");
  Memory<uint32_t> thresholds(keys.thresholds.size()), starts(keys.starts.size());
  if (floats) {
    lowering = keys.of;
    cudaMemcpy(thresholds.at, keys.thresholds.data(), keys.thresholds.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(starts.at, keys.starts.data(), keys.starts.size() * 4, cudaMemcpyHostToDevice);
    lowering.low = thresholds.at;
    lowering.starts = starts.at;
  } else {
    lowering.kind = of.bytes == 1 ? polybin::Kind::raw : polybin::Kind::direct;
    lowering.type = of.bytes == 1 ? polybin::Type::u8 : polybin::Type::u16;
    lowering.bins = of.bins;
    lowering.flow = of.bytes == 2 && of.bins < limits::HALF_VALUES;
  }

  int optIn = 0;
  check(cudaDeviceGetAttribute(&optIn, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), "the device");
  polybin::Plan plan{};
  plan.cells = of.bins;
  plan.threads = limits::PER_LANE_THREADS;
  plan.replicas = limits::WARP_THREADS;
  while (plan.replicas > 1 && plan.cells * plan.replicas * 4 > static_cast<uint32_t>(optIn)) plan.replicas /= 2;
  // Rather fewer replicas than fewer warps.
  while (plan.replicas > 1 && plan.cells * plan.replicas * 4 > static_cast<uint32_t>(optIn) / 2) plan.replicas /= 2;
  plan.cellsPerPass = std::min<uint32_t>(plan.cells, optIn / (plan.replicas * 4));
  plan.passes = (plan.cells + plan.cellsPerPass - 1) / plan.cellsPerPass;
  plan.sharedBytes = plan.cellsPerPass * plan.replicas * 4;
  const uint32_t perUnit = plan.sharedBytes > static_cast<uint32_t>(optIn) / 2 ? 1 : 2;
  const uint64_t wanted = (n + plan.threads * 4 - 1) / (plan.threads * 4);
  plan.blocks = static_cast<uint32_t>(std::max<uint64_t>(1, std::min<uint64_t>(units * perUnit, wanted)));

  const size_t stride = of.bins + 3, size = stride * of.channels;
  Memory<Count> counts(size);
  Memory<uint32_t> ticket(1);
  Count *result = nullptr;
  check(cudaHostAlloc(&result, size * sizeof(Count), cudaHostAllocMapped), "pinned memory");
  polybin::Pixels pixels{};
  pixels.data = data;
  pixels.count = n;
  pixels.interleaved = of.interleaved;
  pixels.channels = of.channels;
  for (uint32_t i = 0; i < of.channels; i++) pixels.channel[i] = i;
  pixels.counts = counts.at;
  check(cudaMemset(counts.at, 0, size * sizeof(Count)), "cudaMemset");
  check(cudaMemset(ticket.at, 0, sizeof(uint32_t)), "cudaMemset");

  // With `finish` there is one launch; without it, a memset as well.
  for (const bool finish : {true, false}) {
    pixels.finish = finish ? polybin::Finish{result, ticket.at} : polybin::Finish{};
    const auto ms = timed(runs, [&] {
      if (!finish) cudaMemsetAsync(counts.at, 0, size * sizeof(Count), nullptr);
      check(polybin::perLane(pixels, lowering, plan, nullptr), "per-lane");
    });
    std::vector<Count> found(result, result + size);
    if (!finish) check(cudaMemcpy(found.data(), counts.at, size * sizeof(Count), cudaMemcpyDeviceToHost), "a copy");
    bool exact = true;
    for (uint32_t c = 0; c < of.channels; c++) {
      for (uint32_t i = 0; i < stride; i++) {
        exact &= found[c * stride + i] == (i < of.bins ? expected[c * of.bins + i] : 0);
      }
    }
    print("per-lane", finish ? "finish" : "memset", of, n, distribution, ms, exact);
  }
  cudaFreeHost(result);
}

void measureRead(const Case &of, const void *data, uint64_t n, const std::string &distribution, int runs) {
  const uint32_t units = unitsOfDevice();
  Memory<uint32_t> sink(1);
  cudaMemset(sink.at, 0, sizeof(uint32_t));
  for (uint32_t variant = 0; variant < polybin::readVariants; variant++) {
    for (const uint32_t perUnit : {4, 8, 16, 32}) {
      const auto ms = timed(runs, [&] {
        check(polybin::read(data, n * of.bytes * of.interleaved, variant, units * perUnit, sink.at, nullptr), "read");
      });
      const std::string name = std::string(polybin::readVariantName(variant)) + ", " + std::to_string(perUnit) + " blocks";
      print("read", name.c_str(), of, n, distribution, ms, true);
    }
  }
}

/** The samples on the device, and their counts by the plainest of kernels. */
template <typename Sample>
std::vector<Count> prepare(void *data, const Case &of, uint64_t n, Distribution distribution) {
  auto *samples = static_cast<Sample *>(data);
  const uint32_t blocks = unitsOfDevice() * 8;
  fill<<<blocks, 256>>>(samples, n * of.interleaved, distribution, of.top);
  Memory<Count> counts(of.bins * of.channels);
  cudaMemset(counts.at, 0, of.bins * of.channels * sizeof(Count));
  for (uint32_t i = 0; i < of.channels; i++) {
    countPlainly<<<blocks, 256>>>(samples, n, of.bins / of.top, of.interleaved, i, counts.at + i * of.bins);
  }
  std::vector<Count> expected(of.bins * of.channels);
  check(cudaMemcpy(expected.data(), counts.at, expected.size() * sizeof(Count), cudaMemcpyDeviceToHost), "the data");
  return expected;
}

Options parse(int argc, char **argv) {
  Options to;
  for (int i = 1; i < argc; i++) {
    const std::string argument = argv[i];
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (name == "--ours") to.modes = {"ours"};
    else if (name == "--modes") to.modes = split(value);
    else if (name == "--types") to.types = split(value);
    else if (name == "--distributions") to.distributions = split(value);
    else if (name == "--log2n") to.log2n = split(value);
    else if (name == "--runs") to.runs = std::max(1, std::atoi(value.c_str()));
    else std::fprintf(stderr, "unknown: %s\n", argument.c_str()), std::exit(2);
  }
  return to;
}

}  // namespace

int main(int argc, char **argv) {
  const Options options = parse(argc, argv);
  const auto has = [&](const char *mode) {
    return std::find(options.modes.begin(), options.modes.end(), mode) != options.modes.end();
  };
  for (const std::string &name : options.types) {
    const auto known = cases.find(name);
    if (known == cases.end()) return std::fprintf(stderr, "unknown type: %s\n", name.c_str()), 2;
    const Case &of = known->second;
    for (const std::string &exponent : options.log2n) {
      const uint64_t n = uint64_t{1} << std::atoi(exponent.c_str());
      Memory<char> data(n * of.bytes * of.interleaved);
      bool first = true;
      for (const std::string &distribution : options.distributions) {
        const auto at = std::find(distributions.begin(), distributions.end(), distribution);
        if (at == distributions.end()) return std::fprintf(stderr, "unknown distribution: %s\n", distribution.c_str()), 2;
        const auto which = static_cast<Distribution>(at - distributions.begin());
        const auto expected = of.bytes == 1   ? prepare<uint8_t>(data.at, of, n, which)
                              : of.bytes == 2 ? prepare<uint16_t>(data.at, of, n, which)
                                              : prepare<float>(data.at, of, n, which);
        // What is in the memory does not change how fast it is read: once will do.
        if (first && has("read")) measureRead(of, data.at, n, distribution, options.runs);
        first = false;
        if (has("cub")) measureCub(name, of, data.at, n, distribution, expected, options.runs);
        if (has("ours")) measureOurs(name, of, data.at, n, distribution, expected, options.runs);
      }
    }
  }
  return 0;
}
