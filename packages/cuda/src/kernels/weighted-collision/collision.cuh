// weighted-collision: one histogram per block, to which all of its threads add with atomics (Xu et al., 4.3, Figure 2).
//
//   dynamic shared memory   the table of shared-table.cuh
//   thread: takes own.unroll documents at a time (kernels/segment.cuh)
//
// Bound: the frequency with which threads meet in a bin. Lanes of a warp that add to one word wait for each other. For
// integers these are a count and a sum, for floats a count and a loop of compare-and-swap.
#pragma once
#include "generated/kernels/weighted-collision.cuh"
#include "kernels/shared-table.cuh"

namespace polybin {
namespace {

template <typename Of, uint32_t most, typename Adds = Atomics>
__global__ void __launch_bounds__(limits::BLOCK_THREADS_MAX)
    sumCollision(const __grid_constant__ WeightedInput in, const __grid_constant__ WeightedPlan plan,
                 const __grid_constant__ WeightedCollision own) {
  const Segment<Of> segment(in, plan);
  // This is the same for all threads.
  if (segment.length == 0) return;
  const Stopwatch watch(in);
  const SharedTable<Of, Adds> table(sharedWords(), plan);
  table.clear();
  __syncthreads();
  inRounds(
      segment.length, own.unroll * plan.threads, plan.flushDocuments,
      [&](uint32_t begin, uint32_t left) {
        Batch<Of, most> batch;
        batch.read(segment, begin, left, own.unroll, own.words);
        batch.each(segment, [&](uint32_t bin, auto weight, auto square) { table.add(bin, 1, weight, square); });
      },
      [&] { table.flush(segment); });
  watch.stop();
}

}  // namespace
}  // namespace polybin
