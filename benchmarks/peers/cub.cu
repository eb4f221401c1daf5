// Measures CUB's DeviceHistogram, polybin's per-lane and the read-only ceiling on resident data, timed by events, and prints
// one JSON line per cell. benchmarks/src/suites/cub.ts runs it with core's plans and makes a result file of the lines.
//
//   nvcc -std=c++17 -O3 -gencode arch=compute_90,code=sm_90 -I packages/cuda/native -I benchmarks/src/ceilings
//        benchmarks/peers/cub.cu packages/cuda/src/kernels/per-lane/kernel.cu -o cub
//   cub [--modes=read,cub,ours] [--types=u8,u16,f32,range,rgba,wide] [--distributions=…] [--log2n=13,20,30] [--runs=20]
//       [--picture=FILE]          raw bytes, which the distribution `picture` repeats
//       [--job=TYPE/LOG2N=FILE]   core's plan for per-lane (job.h); may be repeated; without it per-lane is not measured
//       [--seconds=S]             begins no cell after S seconds, and prints those that are missing
//
// A cell that cannot be measured prints {"missing": why}.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <cub/device/device_histogram.cuh>
#include <cuda/std/array>

#include "data.cuh"
#include "generated/limits.cuh"
#include "job.h"
#include "read.cuh"
#include "timed.cuh"

namespace {

// -- What is measured -----------------------------------------------------------------------------------------

/** A kind of samples: bin = sample * bins / top. */
struct Case {
  const char *type;
  uint32_t bytes, bins;
  double top;
  uint32_t interleaved, channels;
};

const std::map<std::string, Case> cases = {
    {"u8", {"u8", 1, 256, 256, 1, 1}},
    {"u16", {"u16", 2, 1024, 1024, 1, 1}},
    {"wide", {"u16", 2, 65536, 65536, 1, 1}},
    {"f32", {"f32", 4, 256, 1, 1, 1}},
    {"range", {"f32 edges", 4, 256, 1, 1, 1}},
    {"rgba", {"rgba8, 3 of 4", 1, 256, 256, 4, 3}},
};

struct Options {
  std::vector<std::string> modes = {"read", "cub", "ours"}, types = {"u8"}, distributions = ::distributions;
  std::vector<std::string> log2n = {"28"};
  std::map<std::string, std::string> jobs;
  std::string picture;
  int runs = 20;
  double seconds = 1e9;
};

/** One cell: samples on the device and their exact counts. */
struct Cell {
  const std::string &name;
  const Case &of;
  const void *data;
  uint64_t n;
  const std::string &distribution;
  const std::vector<Count> &expected;
  int runs;

  uint64_t bytes() const { return n * of.bytes * of.interleaved; }

  void missing(const char *peer, const char *why) const {
    std::printf("{\"missing\":\"%s, %s, n = %llu, %s: %s\"}\n", peer, of.type, static_cast<unsigned long long>(n),
                distribution.c_str(), why);
    std::fflush(stdout);
  }
};

std::vector<std::string> split(const std::string &list, char at) {
  std::vector<std::string> out;
  for (size_t from = 0; from <= list.size();) {
    const size_t end = std::min(list.find(at, from), list.size());
    out.push_back(list.substr(from, end - from));
    from = end + 1;
  }
  return out;
}

float median(std::vector<float> ms) {
  std::sort(ms.begin(), ms.end());
  return (ms[(ms.size() - 1) / 2] + ms[ms.size() / 2]) / 2;
}

void print(const Cell &cell, const char *peer, const std::string &variant, const std::vector<float> &ms, bool exact) {
  std::printf("{\"peer\":\"%s\",\"variant\":\"%s\",\"type\":\"%s\",\"bins\":%u,\"n\":%llu,\"bytes\":%llu,", peer,
              variant.c_str(), cell.of.type, cell.of.bins, static_cast<unsigned long long>(cell.n),
              static_cast<unsigned long long>(cell.bytes()));
  std::printf("\"distribution\":\"%s\",\"ms\":[", cell.distribution.c_str());
  for (size_t i = 0; i < ms.size(); i++) std::printf("%s%.5f", i ? "," : "", ms[i]);
  std::printf("],\"exact\":%s}\n", exact ? "true" : "false");
  std::fflush(stdout);
}

// -- CUB --------------------------------------------------------------------------------------------------------

/** Calls DeviceHistogram once. Without temporary memory it returns the size that it needs. */
cudaError_t cubCall(const Cell &cell, void *temporary, size_t &bytes, unsigned *counts, const float *edges) {
  using Histogram = cub::DeviceHistogram;
  const std::string &name = cell.name;
  const auto n = static_cast<int64_t>(cell.n);
  const auto *pixels = static_cast<const uint8_t *>(cell.data);
  const auto *halves = static_cast<const uint16_t *>(cell.data);
  const auto *floats = static_cast<const float *>(cell.data);
  if (name == "u8") return Histogram::HistogramEven(temporary, bytes, pixels, counts, 257, 0, 256, n);
  if (name == "u16") return Histogram::HistogramEven(temporary, bytes, halves, counts, 1025, 0, 1024, n);
  if (name == "wide") return Histogram::HistogramEven(temporary, bytes, halves, counts, 65537, 0, 65536, n);
  if (name == "f32") return Histogram::HistogramEven(temporary, bytes, floats, counts, 257, 0.0f, 1.0f, n);
  if (name == "range") return Histogram::HistogramRange(temporary, bytes, floats, counts, 257, edges, n);
  const cuda::std::array<unsigned *, 3> histograms = {counts, counts + 256, counts + 512};
  const cuda::std::array<int, 3> entries = {257, 257, 257}, lower = {0, 0, 0}, upper = {256, 256, 256};
  return Histogram::MultiHistogramEven<4, 3>(temporary, bytes, pixels, histograms, entries, lower, upper, n);
}

/** Measures CUB, which counts in 32 bits. The counts are compared modulo 2^32. */
void measureCub(const Cell &cell) {
  const Case &of = cell.of;
  std::vector<float> edges(of.bins + 1);
  for (uint32_t i = 0; i <= of.bins; i++) edges[i] = static_cast<float>(i) / static_cast<float>(of.bins);
  Memory<float> deviceEdges(edges.size());
  check(cudaMemcpy(deviceEdges.at, edges.data(), edges.size() * sizeof(float), cudaMemcpyHostToDevice), "a copy");
  Memory<unsigned> counts(of.bins * of.channels);
  size_t bytes = 0;
  const cudaError_t asked = cubCall(cell, nullptr, bytes, counts.at, deviceEdges.at);
  if (asked != cudaSuccess) return cell.missing("cub", cudaGetErrorString(asked));
  Memory<char> temporary(bytes);
  const auto run = [&] { check(cubCall(cell, temporary.at, bytes, counts.at, deviceEdges.at), "CUB"); };
  run();
  std::vector<unsigned> found(of.bins * of.channels);
  check(cudaMemcpy(found.data(), counts.at, found.size() * sizeof(unsigned), cudaMemcpyDeviceToHost), "a copy");
  const bool exact = std::equal(found.begin(), found.end(), cell.expected.begin(),
                                [](unsigned a, Count b) { return a == static_cast<unsigned>(b); });
  // Reported even if counts wrapped, because CUB's speed does not depend on that.
  print(cell, "cub", "", timed(cell.runs, run), exact);
}

// -- Ours -------------------------------------------------------------------------------------------------------

/** Whether the counts of each channel are exact and without underflow, overflow or NaN. They are on the host. */
bool isExact(const Cell &cell, const polybin::Pixels &pixels) {
  check(cudaDeviceSynchronize(), "per-lane");
  const size_t stride = cell.of.bins + polybin::limits::FLOW_ROWS;
  std::vector<Count> found(stride * cell.of.channels);
  const void *const home = pixels.delivery.home;
  if (pixels.narrow) std::copy_n(static_cast<const uint32_t *>(home), found.size(), found.begin());
  else std::copy_n(static_cast<const Count *>(home), found.size(), found.begin());
  for (uint32_t c = 0; c < cell.of.channels; c++) {
    for (uint32_t i = 0; i < stride; i++) {
      if (found[c * stride + i] != (i < cell.of.bins ? cell.expected[c * cell.of.bins + i] : 0)) return false;
    }
  }
  return true;
}

void measureOurs(const Cell &cell, const std::string &path) {
  const Case &of = cell.of;
  const Job job(path);
  const polybin::Plan &plan = job.plan;

  // One launch: its last block copies the counts to the host and resets the table for the next call.
  const size_t size = (of.bins + 3) * of.channels;
  Memory<Count> table(size);
  Memory<uint32_t> through(1);
  check(cudaMemset(table.at, 0, size * sizeof(Count)), "cudaMemset");
  check(cudaMemset(through.at, 0, sizeof(uint32_t)), "cudaMemset");
  void *home = nullptr;
  check(cudaHostAlloc(&home, (size + 1) * sizeof(Count), cudaHostAllocMapped), "cudaHostAlloc");
  polybin::Pixels pixels{};
  pixels.data = cell.data;
  pixels.count = cell.n;
  pixels.interleaved = of.interleaved;
  pixels.channels = of.channels;
  for (uint32_t i = 0; i < of.channels; i++) pixels.channel[i] = i;
  pixels.counts = table.at;
  // As in the library: 32 bits if they hold the counts. CUB always has 32 bits.
  pixels.narrow = cell.n <= polybin::limits::U32_MAX;
  auto *const flag = reinterpret_cast<uint32_t *>(static_cast<Count *>(home) + size);
  pixels.delivery = {table.at, static_cast<uint32_t>(size), pixels.narrow, home, nullptr, through.at, flag, 1};
  const auto run = [&] {
    check(polybin::perLane(pixels, job.lowering, plan, job.own, nullptr), "per-lane");
  };
  run();
  bool exact = isExact(cell, pixels);
  // The second call shows whether the first one reset the table.
  run();
  exact = exact && isExact(cell, pixels);
  if (!exact) return cell.missing("per-lane", "NOT EXACT");
  const auto ms = timed(cell.runs, run);
  const std::string variant = std::to_string(plan.threads) + " threads x " + std::to_string(plan.blocks) + " blocks, " +
                              std::to_string(plan.replicas) + " replicas";
  print(cell, "per-lane", variant, ms, isExact(cell, pixels));
  check(cudaFreeHost(home), "cudaFreeHost");
}

// -- The ceiling ------------------------------------------------------------------------------------------------

/** Measures the fastest way to only read, found in a few runs of each way. */
void measureRead(const Cell &cell) {
  const uint32_t units = attribute(cudaDevAttrMultiProcessorCount);
  Memory<uint32_t> sink(1);
  check(cudaMemset(sink.at, 0, sizeof(uint32_t)), "cudaMemset");
  const auto reader = [&](const WayToRead &way, uint32_t perUnit) {
    return [&, perUnit] {
      way.launch(cell.data, cell.bytes(), units * perUnit, sink.at);
      check(cudaGetLastError(), way.name);
    };
  };
  float best = INFINITY;
  const WayToRead *fastest = nullptr;
  uint32_t perUnit = 0;
  for (const WayToRead &way : waysToRead) {
    for (const uint32_t blocks : {2, 4, 8, 16, 32}) {
      const float ms = median(timed(5, reader(way, blocks)));
      if (ms < best) best = ms, fastest = &way, perUnit = blocks;
    }
  }
  const std::string name = std::string(fastest->name) + ", " + std::to_string(perUnit) + " blocks";
  print(cell, "read", name, timed(cell.runs, reader(*fastest, perUnit)), true);
}

// -- The run ----------------------------------------------------------------------------------------------------

/** Makes the samples on the device, and counts them with the simplest kernel. */
template <typename Sample>
std::vector<Count> prepare(void *data, const Case &of, uint64_t n, Distribution distribution, const Picture &from) {
  auto *samples = static_cast<Sample *>(data);
  const uint32_t blocks = attribute(cudaDevAttrMultiProcessorCount) * 8;
  fill<<<blocks, 256>>>(samples, n * of.interleaved, distribution, of.top, from);
  Memory<Count> counts(of.bins * of.channels);
  check(cudaMemset(counts.at, 0, of.bins * of.channels * sizeof(Count)), "cudaMemset");
  for (uint32_t i = 0; i < of.channels; i++) {
    countPlainly<<<blocks, 256>>>(samples, n, of.bins / of.top, of.interleaved, i, counts.at + i * of.bins);
  }
  std::vector<Count> expected(of.bins * of.channels);
  check(cudaMemcpy(expected.data(), counts.at, expected.size() * sizeof(Count), cudaMemcpyDeviceToHost), "the data");
  return expected;
}

[[noreturn]] void wrongUse(const std::string &what) {
  std::fprintf(stderr, "unknown: %s\n", what.c_str());
  std::exit(2);
}

Options parse(int argc, char **argv) {
  Options to;
  for (int i = 1; i < argc; i++) {
    const std::string argument = argv[i];
    const size_t equals = std::min(argument.find('='), argument.size() - 1);
    const std::string name = argument.substr(0, equals), value = argument.substr(equals + 1);
    if (name == "--modes") to.modes = split(value, ',');
    else if (name == "--types") to.types = split(value, ',');
    else if (name == "--distributions") to.distributions = split(value, ',');
    else if (name == "--log2n") to.log2n = split(value, ',');
    else if (name == "--runs") to.runs = std::max(1, std::atoi(value.c_str()));
    else if (name == "--seconds") to.seconds = std::atof(value.c_str());
    else if (name == "--picture") to.picture = value;
    else if (name == "--job") {
      const size_t at = value.find('=');
      to.jobs[value.substr(0, at)] = value.substr(at + 1);
    } else wrongUse(argument);
  }
  return to;
}

/** Chooses the number of runs. Small data are so fast that many runs cost little. */
int runsFor(int runs, uint64_t bytes) { return bytes <= 1u << 24 ? runs * 5 : runs; }

}  // namespace

int main(int argc, char **argv) {
  const auto start = std::chrono::steady_clock::now();
  const Options options = parse(argc, argv);
  const auto has = [&](const char *mode) {
    return std::find(options.modes.begin(), options.modes.end(), mode) != options.modes.end();
  };
  std::vector<char> bytes;
  if (!options.picture.empty()) {
    std::ifstream file(options.picture, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
    if (bytes.empty()) wrongUse(options.picture);
  }
  Memory<uint8_t> pictureBytes(bytes.size());
  check(cudaMemcpy(pictureBytes.at, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "the picture");

  for (const std::string &name : options.types) {
    const auto known = cases.find(name);
    if (known == cases.end()) wrongUse(name);
    const Case &of = known->second;
    for (const std::string &exponent : options.log2n) {
      const uint64_t n = uint64_t{1} << std::atoi(exponent.c_str());
      Memory<char> data(n * of.bytes * of.interleaved);
      bool first = true;
      for (const std::string &distribution : options.distributions) {
        const auto at = std::find(distributions.begin(), distributions.end(), distribution);
        if (at == distributions.end()) wrongUse(distribution);
        const auto which = static_cast<Distribution>(at - distributions.begin());
        std::vector<Count> expected;
        const Cell cell{name, of, data.at, n, distribution, expected, runsFor(options.runs, n * of.bytes * of.interleaved)};
        if (secondsSince(start) > options.seconds) {
          cell.missing("all", "the time was used up");
          continue;
        }
        if (which == picture && bytes.empty()) {
          cell.missing("all", "no --picture was given");
          continue;
        }
        const Picture from{pictureBytes.at, bytes.size()};
        expected = of.bytes == 1   ? prepare<uint8_t>(data.at, of, n, which, from)
                   : of.bytes == 2 ? prepare<uint16_t>(data.at, of, n, which, from)
                                   : prepare<float>(data.at, of, n, which, from);
        // The content of memory does not affect the speed of reading, so one distribution is enough.
        if (first && has("read")) measureRead(cell);
        first = false;
        if (has("cub")) measureCub(cell);
        if (!has("ours")) continue;
        const auto job = options.jobs.find(name + "/" + exponent);
        if (job != options.jobs.end()) measureOurs(cell, job->second);
        else cell.missing("per-lane", "no --job");
      }
    }
  }
  return 0;
}
