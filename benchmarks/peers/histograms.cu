// CUB's DeviceHistogram, a peer to measure against.
//
//   nvcc -std=c++17 -O3 -arch=native benchmarks/peers/histograms.cu -o histograms
//
// usage: histograms FILE N TYPE BINS LO HI     answers lines on stdin:
//   load    reads N samples of the type from the file and brings them to the GPU
//   run     counts once into BINS equal bins over [LO, HI), prints milliseconds, until the GPU is done
//   counts  prints the counts of the last run
//   where   prints the GPU's name
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cub/device/device_histogram.cuh>

namespace {

void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

struct Job {
  const char *path;
  int64_t n;
  int bins;
  double lo, hi;
};

/** The samples' file, through one piece of host memory: it may be larger than what is free. */
template <typename Sample>
void load(const Job &job, Sample *to) {
  std::FILE *const file = std::fopen(job.path, "rb");
  std::vector<Sample> piece(std::min<int64_t>(job.n, 1 << 24));
  for (int64_t at = 0; at < job.n;) {
    const size_t count = std::min<int64_t>(piece.size(), job.n - at);
    if (!file || std::fread(piece.data(), sizeof(Sample), count, file) != count) {
      std::fprintf(stderr, "the file has too few samples\n");
      std::exit(1);
    }
    check(cudaMemcpy(to + at, piece.data(), count * sizeof(Sample), cudaMemcpyHostToDevice), "a copy");
    at += count;
  }
  std::fclose(file);
}

/** Answers until stdin ends. Levels are of the type in which CUB works out a sample's bin. */
template <typename Sample, typename Level>
void serve(const Job &job) {
  Sample *samples = nullptr;
  unsigned *counts = nullptr;
  void *temporary = nullptr;
  size_t bytes = 0;
  const auto count = [&] {
    return cub::DeviceHistogram::HistogramEven(temporary, bytes, samples, counts, job.bins + 1,
                                               static_cast<Level>(job.lo), static_cast<Level>(job.hi), job.n);
  };
  char line[16];
  while (std::fgets(line, sizeof line, stdin)) {
    if (!std::strcmp(line, "load\n")) {
      check(cudaMalloc(&samples, std::max<int64_t>(job.n, 1) * sizeof(Sample)), "memory");
      check(cudaMalloc(&counts, job.bins * sizeof(unsigned)), "memory");
      // Without temporary memory it says how much it wants.
      check(count(), "CUB");
      check(cudaMalloc(&temporary, std::max<size_t>(bytes, 1)), "memory");
      load(job, samples);
      std::puts("0");
    } else if (!std::strcmp(line, "run\n")) {
      const auto start = std::chrono::steady_clock::now();
      check(count(), "CUB");
      check(cudaDeviceSynchronize(), "CUB");
      const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
      std::printf("%.6f\n", took.count());
    } else if (!std::strcmp(line, "where\n")) {
      cudaDeviceProp device;
      check(cudaGetDeviceProperties(&device, 0), "the device");
      std::puts(device.name);
    } else {
      std::vector<unsigned> found(job.bins);
      check(cudaMemcpy(found.data(), counts, found.size() * sizeof(unsigned), cudaMemcpyDeviceToHost), "a copy");
      for (const unsigned one : found) std::printf("%u ", one);
      std::puts("");
    }
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 7) return 2;
  const Job job{argv[1], std::atoll(argv[2]), std::atoi(argv[4]), std::atof(argv[5]), std::atof(argv[6])};
  const std::string type = argv[3];
  if (type == "u8") serve<uint8_t, int>(job);
  if (type == "u16") serve<uint16_t, int>(job);
  if (type == "u32") serve<uint32_t, int64_t>(job);
  if (type == "f32") serve<float, float>(job);
  if (type == "f64") serve<double, double>(job);
  return 0;
}
