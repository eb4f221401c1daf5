// Checks that per-lane stays within its own counters and lookup.
#include "generated/kernels/per-lane.cuh"
#include "generated/limits.cuh"
#include "generated/messages.h"
#include "platform/expect.h"

namespace polybin {

void checkPerLane(const CountShape &job, const PerLane &own) {
  const Plan &plan = job.plan;
  const LoweringNumbers &lowering = job.lowering.numbers;
  const bool flow = lowering.kind != Kind::raw && lowering.flow;
  exactly("own.rows", own.rows, plan.cells + (flow ? limits::FLOW_ROWS : 0));
  within("own.rowsPerBlock", own.rowsPerBlock, 1, own.rows);
  exactly("plan.passes", plan.passes, ceiling(own.rows, own.rowsPerBlock));
  expect(isPower(plan.replicas) && plan.replicas <= limits::WARP_THREADS, "plan.replicas", "a power of two up to 32",
         plan.replicas);
  const uint32_t channels = job.wanted.channels.size;
  expect(own.channelsPerBlock == 1 || own.channelsPerBlock == channels, "own.channelsPerBlock", "1 or all",
         own.channelsPerBlock);
  const Wide counters = Wide{own.rowsPerBlock} * plan.replicas * limits::WORD_BYTES * own.channelsPerBlock;
  const Wide vectors = (counters + limits::VECTOR_BYTES - 1) / limits::VECTOR_BYTES;
  exactly("own.counterBytes", own.counterBytes, vectors * limits::VECTOR_BYTES);
  Wide lookup = 0;
  if (own.lookupReplicas != 0) {
    expect(lowering.kind == Kind::ranks, "own.lookupReplicas", "0", own.lookupReplicas);
    expect(isPower(own.lookupReplicas) && own.lookupReplicas <= limits::WARP_THREADS, "own.lookupReplicas",
           "a power of two up to 32", own.lookupReplicas);
    const uint32_t keyBytes = lowering.type == Type::f64 ? 2 * limits::WORD_BYTES : limits::WORD_BYTES;
    const uint32_t half = own.lookupReplicas > 1 ? own.lookupReplicas / 2 : 1;
    lookup = Wide{job.lowering.low.size() + limits::RANK_PADDING} * keyBytes * own.lookupReplicas +
             Wide{job.lowering.starts.size()} * limits::WORD_BYTES * half;
  }
  within("plan.sharedBytes", plan.sharedBytes, own.counterBytes + lookup, UINT32_MAX);
}

}  // namespace polybin
