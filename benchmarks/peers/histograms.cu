// A peer: CUB's DeviceHistogram.
//
//   nvcc -std=c++17 -O3 -arch=native benchmarks/peers/histograms.cu -o histograms
//
// usage: histograms FILE N TYPE BINS LO HI     answers lines on stdin:
//   load              reads N samples of the type from the file and copies them to the GPU
//   data N FILE       switches to other samples, and copies them to the GPU
//   run               counts once into BINS equal bins over [LO, HI), prints the milliseconds until the GPU is done
//   calls MOST S [W]  counts at most MOST times for at most S seconds, prints the milliseconds of each call until the counts
//                     are in host memory, or with the word `done` until the GPU is done
//   segments E M S    does the same with one call of CUB per E samples, in one stream, until the GPU is done with all
//   counts            prints the counts of the last run
//   row I             prints the counts of segment I
//   where             prints the GPU's name
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
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
  std::string path;
  int64_t n;
  int bins;
  double lo, hi;
};

using Clock = std::chrono::steady_clock;

double msSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/** Samples on the GPU, and all that CUB needs to count them. */
template <typename Sample, typename Level>
class Histogram {
 public:
  explicit Histogram(const Job &job) : job(job) {
    check(cudaMalloc(&counts, job.bins * sizeof(unsigned)), "memory");
    check(cudaMallocHost(&home, job.bins * sizeof(unsigned)), "memory");
  }

  /** Reads the file through one piece of host memory, because it may be larger than free memory. */
  void load(const std::string &path, int64_t n) {
    cudaFree(samples);
    cudaFree(temporary);
    samples = nullptr;
    temporary = nullptr;
    job.path = path;
    job.n = n;
    check(cudaMalloc(&samples, std::max<int64_t>(n, 1) * sizeof(Sample)), "memory");
    // Without temporary memory CUB returns the size that it needs.
    check(launch(), "CUB");
    check(cudaMalloc(&temporary, std::max<size_t>(bytes, 1)), "memory");
    std::FILE *const file = std::fopen(path.c_str(), "rb");
    std::vector<Sample> piece(std::min<int64_t>(n, 1 << 24));
    for (int64_t at = 0; at < n;) {
      const size_t count = std::min<int64_t>(piece.size(), n - at);
      if (!file || std::fread(piece.data(), sizeof(Sample), count, file) != count) {
        std::fprintf(stderr, "expected more samples in the file\n");
        std::exit(1);
      }
      check(cudaMemcpy(samples + at, piece.data(), count * sizeof(Sample), cudaMemcpyHostToDevice), "a copy");
      at += count;
    }
    std::fclose(file);
  }

  /** Counts, and waits until the GPU is done, or until the counts are on the host. */
  void run(bool bring) {
    check(launch(), "CUB");
    if (bring) check(cudaMemcpyAsync(home, counts, job.bins * sizeof(unsigned), cudaMemcpyDeviceToHost), "a copy");
    check(cudaDeviceSynchronize(), "CUB");
  }

  /** Allocates one histogram per `each` samples. */
  void cut(int64_t size) {
    each = size;
    cudaFree(matrix);
    check(cudaMalloc(&matrix, job.n / each * job.bins * sizeof(unsigned)), "memory");
  }

  void runSegments() {
    for (int64_t i = 0; i < job.n / each; i++) {
      check(cub::DeviceHistogram::HistogramEven(temporary, bytes, samples + i * each, matrix + i * job.bins, job.bins + 1,
                                                static_cast<Level>(job.lo), static_cast<Level>(job.hi), each),
            "CUB");
    }
    check(cudaDeviceSynchronize(), "CUB");
  }

  void print(const unsigned *from) {
    check(cudaMemcpy(home, from, job.bins * sizeof(unsigned), cudaMemcpyDeviceToHost), "a copy");
    for (int bin = 0; bin < job.bins; bin++) std::printf("%u ", home[bin]);
    std::puts("");
  }

  void row(int64_t i) { print(matrix + i * job.bins); }

  /** Returns the counts of the last run. */
  void print() { print(counts); }

  Job job;

 private:
  cudaError_t launch() {
    return cub::DeviceHistogram::HistogramEven(temporary, bytes, samples, counts, job.bins + 1,
                                               static_cast<Level>(job.lo), static_cast<Level>(job.hi), job.n);
  }

  Sample *samples = nullptr;
  unsigned *counts = nullptr, *home = nullptr, *matrix = nullptr;
  int64_t each = 0;
  void *temporary = nullptr;
  size_t bytes = 0;
};

/** Answers until stdin ends. `Level` is the type in which CUB computes a sample's bin. */
template <typename Sample, typename Level>
void serve(const Job &job) {
  Histogram<Sample, Level> of(job);
  char buffer[4096];
  while (std::fgets(buffer, sizeof buffer, stdin)) {
    std::istringstream line(buffer);
    std::string word, rest;
    line >> word;
    if (word == "load") {
      of.load(of.job.path, of.job.n);
      std::puts("0");
    } else if (word == "data") {
      int64_t n;
      line >> n >> std::ws;
      std::getline(line, rest);
      of.load(rest, n);
      std::puts("0");
    } else if (word == "run") {
      const auto start = Clock::now();
      of.run(false);
      std::printf("%.6f\n", msSince(start));
    } else if (word == "calls") {
      int64_t most;
      double seconds;
      line >> most >> seconds >> rest;
      const auto begin = Clock::now();
      do {
        const auto start = Clock::now();
        of.run(rest != "done");
        std::printf("%.6f ", msSince(start));
      } while (--most > 0 && msSince(begin) < seconds * 1e3);
      std::puts("");
    } else if (word == "segments") {
      int64_t each, most;
      double seconds;
      line >> each >> most >> seconds;
      of.cut(each);
      const auto begin = Clock::now();
      do {
        const auto start = Clock::now();
        of.runSegments();
        std::printf("%.6f ", msSince(start));
      } while (--most > 0 && msSince(begin) < seconds * 1e3);
      std::puts("");
    } else if (word == "row") {
      int64_t i;
      line >> i;
      of.row(i);
    } else if (word == "where") {
      cudaDeviceProp device;
      check(cudaGetDeviceProperties(&device, 0), "the device");
      std::puts(device.name);
    } else {
      of.print();
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
