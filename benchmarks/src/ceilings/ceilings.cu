// Measures how fast a device reads its memory, and how fast a plain copy brings host memory to it. Histograms are compared
// with these rates. Prints JSON lines, which cuda.ts reads.
//
//   nvcc -std=c++17 -O3 -arch=native -I packages/cuda/native -I benchmarks/peers benchmarks/src/ceilings/ceilings.cu
//   ceilings read BYTES ROUNDS                   one line per way to read and number of blocks
//   ceilings copy BYTES ROUNDS pinned|pageable   one line
//
// A round that is not timed precedes the others.
#include <chrono>
#include <cstring>

#include "data.cuh"
#include "read.cuh"

namespace {

/** Work behind a closed gate waits for the host, so that an idle device does not count the time until the next launch. */
__global__ void gate(const volatile uint32_t *open) {
  while (*open == 0) {
  }
}

void print(const std::vector<double> &ms) {
  std::printf("\"ms\":[");
  for (size_t i = 0; i < ms.size(); i++) std::printf("%s%.6f", i ? "," : "", ms[i]);
  std::puts("]}");
}

void readAll(uint64_t bytes, int rounds) {
  const uint32_t units = attribute(cudaDevAttrMultiProcessorCount);
  Memory<char> data(bytes);
  Memory<uint32_t> sink(1);
  check(cudaMemset(data.at, 0, bytes), "cudaMemset");
  check(cudaMemset(sink.at, 0, sizeof(uint32_t)), "cudaMemset");
  volatile uint32_t *open = nullptr;
  check(cudaHostAlloc(reinterpret_cast<void **>(const_cast<uint32_t **>(&open)), sizeof *open, cudaHostAllocMapped), "memory");
  cudaEvent_t start, end;
  check(cudaEventCreate(&start), "an event");
  check(cudaEventCreate(&end), "an event");
  for (const uint32_t perUnit : {4, 8, 16, 32}) {
    for (const WayToRead &way : waysToRead) {
      std::vector<double> ms;
      for (int round = 0; round <= rounds; round++) {
        // The first launch of a kernel may wait for the device, so the gate stays open.
        *open = round == 0;
        gate<<<1, 1>>>(const_cast<const uint32_t *>(open));
        check(cudaEventRecord(start), "an event");
        way.launch(data.at, bytes, units * perUnit, sink.at);
        check(cudaGetLastError(), way.name);
        check(cudaEventRecord(end), "an event");
        *open = 1;
        check(cudaEventSynchronize(end), way.name);
        float taken = 0;
        check(cudaEventElapsedTime(&taken, start, end), "an event");
        if (round > 0) ms.push_back(taken);
      }
      std::printf("{\"variant\":\"%s\",\"blocks\":%u,", way.name, perUnit);
      print(ms);
    }
  }
}

void copyAll(uint64_t bytes, int rounds, bool pinned) {
  Memory<char> data(bytes);
  // The pages are written first. Pages that were never touched would all map to one physical page.
  std::vector<char> pageable(pinned ? 0 : bytes, 1);
  void *host = pageable.data();
  if (pinned) check(cudaMallocHost(&host, bytes), "page-locked memory");
  std::vector<double> ms;
  for (int round = 0; round <= rounds; round++) {
    check(cudaDeviceSynchronize(), "a copy");
    const auto start = std::chrono::steady_clock::now();
    check(cudaMemcpy(data.at, host, bytes, cudaMemcpyHostToDevice), "a copy");
    check(cudaDeviceSynchronize(), "a copy");
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    if (round > 0) ms.push_back(taken.count());
  }
  std::printf("{");
  print(ms);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  const uint64_t bytes = std::strtoull(argv[2], nullptr, 10);
  const int rounds = std::atoi(argv[3]);
  if (!std::strcmp(argv[1], "read")) readAll(bytes, rounds);
  else copyAll(bytes, rounds, argc > 4 && !std::strcmp(argv[4], "pinned"));
  return 0;
}
