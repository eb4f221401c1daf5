// Times work on the device between two events.
#pragma once
#include <chrono>
#include <functional>
#include <vector>

#include "data.cuh"

namespace {

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/** Times `run` between two events: `runs` times, or for a second if it is slow, but at least five times. */
std::vector<float> timed(int runs, const std::function<void()> &run) {
  cudaEvent_t start, end;
  check(cudaEventCreate(&start), "event");
  check(cudaEventCreate(&end), "event");
  for (int i = 0; i < 3; i++) run();
  check(cudaDeviceSynchronize(), "warming up");
  std::vector<float> ms;
  const auto since = std::chrono::steady_clock::now();
  while (static_cast<int>(ms.size()) < runs && (ms.size() < 5 || secondsSince(since) < 1)) {
    cudaEventRecord(start);
    run();
    cudaEventRecord(end);
    check(cudaEventSynchronize(end), "a run");
    cudaEventElapsedTime(&ms.emplace_back(), start, end);
  }
  cudaEventDestroy(start);
  cudaEventDestroy(end);
  return ms;
}

}  // namespace
