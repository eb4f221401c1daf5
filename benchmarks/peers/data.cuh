// Makes the data of cub.cu on the device, and counts them with the simplest kernel.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "kernels/polybin.cuh"

namespace {

using polybin::Count;

void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

template <typename T>
struct Memory {
  T *at = nullptr;
  explicit Memory(size_t count) { check(cudaMalloc(&at, std::max<size_t>(count, 1) * sizeof(T)), "memory"); }
  ~Memory() { cudaFree(at); }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
};

int attribute(cudaDeviceAttr of) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, of, 0), "the device");
  return value;
}

enum Distribution : uint32_t { uniform,
                               zeros,
                               gauss,
                               ramp,
                               two,
                               smooth,
                               zipf,
                               sorted,
                               picture,
                               apart };
const std::vector<std::string> distributions = {"uniform", "zeros", "gauss", "ramp", "two",
                                                "smooth", "zipf", "sorted", "picture", "no conflicts"};
constexpr double levels = 256;

/** The bytes that `picture` repeats, on the device. */
struct Picture {
  const uint8_t *bytes;
  uint64_t size;
};

/** Splitmix64's output function. */
__host__ __device__ uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

__device__ double unit(uint64_t i) { return static_cast<double>(mixed(i) >> 40) / (1u << 24); }

/** Sample i of n as a number in [0, 1). */
__device__ double position(Distribution of, uint64_t i, uint64_t n, const Picture &from) {
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
    case sorted: return static_cast<double>(i) / static_cast<double>(n);
    // The bytes that a warp bins at once, a word apart, lie in 32 bins and banks, and the four of a word in four bins.
    case apart: return static_cast<double>((i / 4 + 64 * (i % 4)) % 256) / levels;
    default: return from.bytes[i % from.size] / levels;
  }
}

template <typename Sample>
__global__ void fill(Sample *to, uint64_t n, Distribution of, double scale, Picture from) {
  const uint64_t step = uint64_t{gridDim.x} * blockDim.x;
  for (uint64_t i = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    to[i] = static_cast<Sample>(position(of, i, n, from) * scale);
  }
}

/** Computes the reference counts: bin = sample * scale, with one global counter per bin. */
template <typename Sample>
__global__ void countPlainly(const Sample *samples, uint64_t n, double scale, uint32_t interleaved, uint32_t channel,
                             Count *counts) {
  // A thread first adds runs of one bin, so that equal samples do not wait for one another.
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

}  // namespace
