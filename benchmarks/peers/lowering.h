// How per-lane is told to find bins and to launch, for the comparison in cub.cu: what @polybin/core's lowering.ts and
// plan.ts hand to the addon. Nothing else of cub.cu knows these structs.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

#include "../../packages/cuda/native/limits.cuh"
#include "../../packages/cuda/native/polybin.cuh"

/** As core's GUESS_CELLS. */
constexpr uint32_t guessCells = 2048;

inline uint32_t keyOfFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits >> 31 ? ~bits : bits | 1u << 31;
}

/** As core's keysLowering for f32 samples and edges i / bins; the arrays are on the host. */
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

/** As core's lowering of integers over integer(0, bins). */
inline polybin::Lowering integerLowering(uint32_t sampleBytes, uint32_t bins) {
  polybin::Lowering of{};
  of.kind = sampleBytes == 1 ? polybin::Kind::raw : polybin::Kind::direct;
  of.type = sampleBytes == 1 ? polybin::Type::u8 : polybin::Type::u16;
  of.bins = bins;
  of.flow = sampleBytes == 2 && bins < polybin::limits::HALF_VALUES;
  return of;
}

/** A plan as `--plan` gives it: cells, cellsPerPass, passes, threads, blocks, replicas, sharedBytes of core's plan. */
inline polybin::Plan planOf(const std::vector<uint64_t> &numbers) {
  polybin::Plan plan{};
  uint32_t *const fields[] = {&plan.cells,  &plan.cellsPerPass, &plan.passes,     &plan.threads,
                              &plan.blocks, &plan.replicas,     &plan.sharedBytes};
  for (size_t i = 0; i < std::min(numbers.size(), std::size(fields)); i++) {
    *fields[i] = static_cast<uint32_t>(numbers[i]);
  }
  return plan;
}

/** About what core plans, for tuning a kernel without Node. */
inline polybin::Plan guessedPlan(uint32_t bins, uint64_t n, uint32_t units, uint32_t sharedBytes) {
  namespace limits = polybin::limits;
  polybin::Plan plan{};
  plan.cells = bins;
  plan.threads = limits::PER_LANE_THREADS;
  plan.replicas = limits::WARP_THREADS;
  while (plan.replicas > 1 && bins * plan.replicas * 4 > sharedBytes / 2) plan.replicas /= 2;
  plan.cellsPerPass = std::min<uint32_t>(bins, sharedBytes / (plan.replicas * 4));
  plan.passes = (bins + plan.cellsPerPass - 1) / plan.cellsPerPass;
  plan.sharedBytes = plan.cellsPerPass * plan.replicas * 4;
  const uint32_t perUnit = plan.sharedBytes > sharedBytes / 2 ? 1 : 2;
  const uint64_t wanted = (n + plan.threads * 4 - 1) / (plan.threads * 4);
  plan.blocks = static_cast<uint32_t>(std::max<uint64_t>(1, std::min<uint64_t>(units * perUnit, wanted)));
  return plan;
}
