// Reads core's plan and lowering from text, one "name number …" per line, written by src/peers/job.ts. A program without
// Node then launches what the library launches.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "generated/kernels/per-lane.cuh"
#include "kernels/polybin.cuh"

struct Job {
  polybin::Lowering lowering{};
  polybin::Plan plan{};
  polybin::PerLane own{};
  std::vector<void *> memory;

  explicit Job(const std::string &path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::map<std::string, std::vector<uint32_t>> of;
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string name;
      words >> name;
      for (uint32_t value; words >> value;) of[name].push_back(value);
    }
    unpack(of["numbers"], static_cast<polybin::LoweringNumbers &>(lowering));
    unpack(of["plan"], plan);
    unpack(of["own"], own);
    lowering.thresholds = static_cast<uint32_t>(of["low"].size());
    lowering.low = copy(of["low"]);
    lowering.high = copy(of["high"]);
    lowering.starts = copy(of["starts"]);
  }

 private:
  /** Makes a struct from its bytes. */
  template <typename Struct>
  static void unpack(const std::vector<uint32_t> &from, Struct &to) {
    if (from.size() != sizeof to) throw std::runtime_error("a struct of another length");
    const std::vector<uint8_t> bytes(from.begin(), from.end());
    std::memcpy(&to, bytes.data(), sizeof to);
  }

  const uint32_t *copy(const std::vector<uint32_t> &words) {
    if (words.empty()) return nullptr;
    void *to = nullptr;
    const size_t bytes = words.size() * sizeof(uint32_t);
    if (cudaMalloc(&to, bytes) != cudaSuccess || cudaMemcpy(to, words.data(), bytes, cudaMemcpyHostToDevice) != cudaSuccess) {
      throw std::runtime_error("cannot copy a lowering to the device");
    }
    memory.push_back(to);
    return static_cast<const uint32_t *>(to);
  }
};
