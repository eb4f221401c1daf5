// A plan and a lowering that core made, read from text: one "name value …" a line, written by src/gpu/job.ts. So a
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
    const auto one = [&](const char *name) { return of[name].empty() ? 0 : of[name][0]; };
    const auto number = [&](const char *name) { return static_cast<uint32_t>(one(name)); };
    lowering.kind = static_cast<polybin::Kind>(number("kind"));
    lowering.type = static_cast<polybin::Type>(number("type"));
    lowering.bins = number("bins");
    lowering.flow = one("flow") != 0;
    lowering.start = static_cast<int64_t>(one("start"));
    lowering.first = number("first");
    lowering.last = number("last");
    lowering.scale = number("scale");
    lowering.thresholds = static_cast<uint32_t>(of["low"].size());
    lowering.low = copy(of["low"]);
    lowering.high = copy(of["high"]);
    lowering.starts = copy(of["starts"]);
    lowering.steps = number("steps");
    lowering.cells = number("cells");
    lowering.line = one("line") != 0;
    lowering.origin = one("origin");
    lowering.inverse = one("inverse");
    lowering.base = number("base");
    lowering.shift = number("shift");
    plan.cells = number("planCells");
    plan.cellsPerPass = number("cellsPerPass");
    plan.passes = number("passes");
    plan.threads = number("threads");
    plan.blocks = number("blocks");
    plan.replicas = number("replicas");
    plan.sharedBytes = number("sharedBytes");
    plan.rows = number("rows");
    plan.rowsPerBlock = number("rowsPerBlock");
    plan.channelsPerBlock = number("channelsPerBlock");
    plan.counterBytes = number("counterBytes");
    plan.lookupReplicas = number("lookupReplicas");
    plan.inFlight = number("inFlight");
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
