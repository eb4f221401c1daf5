// A plan and a lowering that core made, read from text: one "name value …" a line, written by src/peers/job.ts. So a
// program without Node launches what the library would.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "../../packages/cuda/native/polybin.cuh"

struct Job {
  polybin::Lowering lowering{};
  polybin::Plan plan{};
  std::vector<void *> memory;

  explicit Job(const std::string &path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::map<std::string, std::vector<double>> of;
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string name;
      words >> name;
      for (double value; words >> value;) of[name].push_back(value);
    }
    const auto one = [&](const std::string &name) { return of[name].empty() ? 0 : of[name][0]; };
    const auto number = [&](const std::string &name) { return static_cast<uint32_t>(one(name)); };
    lowering.kind = static_cast<polybin::Kind>(number("lowering.kind"));
    lowering.type = static_cast<polybin::Type>(number("lowering.type"));
    lowering.bins = number("lowering.bins");
    lowering.flow = one("lowering.flow") != 0;
    lowering.start = static_cast<int64_t>(one("lowering.start"));
    lowering.first = number("lowering.first");
    lowering.last = number("lowering.last");
    lowering.scale = number("lowering.scale");
    lowering.thresholds = static_cast<uint32_t>(of["lowering.low"].size());
    lowering.low = copy(of["lowering.low"]);
    lowering.high = copy(of["lowering.high"]);
    lowering.starts = copy(of["lowering.starts"]);
    lowering.steps = number("lowering.steps");
    lowering.cells = number("lowering.cells");
    lowering.line = one("lowering.line") != 0;
    lowering.origin = one("lowering.origin");
    lowering.inverse = one("lowering.inverse");
    lowering.base = number("lowering.base");
    lowering.shift = number("lowering.shift");
    plan.cells = number("plan.cells");
    plan.cellsPerPass = number("plan.cellsPerPass");
    plan.passes = number("plan.passes");
    plan.threads = number("plan.threads");
    plan.blocks = number("plan.blocks");
    plan.replicas = number("plan.replicas");
    plan.sharedBytes = number("plan.sharedBytes");
    plan.rows = number("plan.rows");
    plan.rowsPerBlock = number("plan.rowsPerBlock");
    plan.channelsPerBlock = number("plan.channelsPerBlock");
    plan.counterBytes = number("plan.counterBytes");
    plan.lookupReplicas = number("plan.lookupReplicas");
    plan.inFlight = number("plan.inFlight");
  }

 private:
  const uint32_t *copy(const std::vector<double> &from) {
    if (from.empty()) return nullptr;
    const std::vector<uint32_t> words(from.begin(), from.end());
    void *to = nullptr;
    const size_t bytes = words.size() * sizeof(uint32_t);
    if (cudaMalloc(&to, bytes) != cudaSuccess || cudaMemcpy(to, words.data(), bytes, cudaMemcpyHostToDevice) != cudaSuccess) {
      throw std::runtime_error("cannot copy a lowering to the device");
    }
    memory.push_back(to);
    return static_cast<const uint32_t *>(to);
  }
};
