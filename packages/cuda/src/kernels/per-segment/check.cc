// Checks that a plan keeps per-segment inside its own counters and that no counter overflows.
#include "generated/kernels/per-segment.cuh"
#include "generated/limits.cuh"
#include "generated/messages.h"
#include "platform/expect.h"

namespace polybin {

void checkPerSegment(const CountShape &job, const PerSegment &own) {
  const Plan &plan = job.plan;
  const LoweringNumbers &lowering = job.lowering.numbers;
  const bool isRaw = lowering.kind == Kind::raw;
  expect(own.threadsPerSegment >= limits::WARP_THREADS && isPower(own.threadsPerSegment), "own.threadsPerSegment",
         "a power of two from 32", own.threadsPerSegment);
  within("own.segmentsPerBlock", own.segmentsPerBlock, 1,
         own.threadsPerSegment == limits::WARP_THREADS ? limits::SEGMENT_WARPS : 1);
  exactly("plan.threads", plan.threads, Wide{own.threadsPerSegment} * own.segmentsPerBlock);
  within("plan.threads", plan.threads, limits::WARP_THREADS, limits::SEGMENT_THREADS);
  within("own.partSamples", own.partSamples, 1, limits::U32_MAX);
  exactly("own.rows", own.rows, plan.cells + (!isRaw && lowering.flow ? limits::FLOW_ROWS : 0));
  within("own.rowsPerBlock", own.rowsPerBlock, 1, own.rows);
  exactly("plan.passes", plan.passes, ceiling(own.rows, own.rowsPerBlock));
  expect(isPower(plan.replicas) && plan.replicas <= limits::WARP_THREADS, "plan.replicas", "a power of two up to 32",
         plan.replicas);
  Wide table = Wide{own.rowsPerBlock} * plan.replicas * limits::WORD_BYTES;
  if (plan.wordsPerThread != 0) {
    expect(isRaw, "plan.wordsPerThread", "0", plan.wordsPerThread);
    exactly("plan.wordsPerThread", plan.wordsPerThread, limits::SEGMENT_FOLD_WORDS);
    exactly("own.threadsPerSegment", own.threadsPerSegment, limits::WARP_THREADS);
    exactly("own.rowsPerBlock", own.rowsPerBlock, limits::BYTE_VALUES);
    table = Wide{limits::BYTE_VALUES} * limits::WARP_THREADS;
  }
  within("plan.sharedBytes", plan.sharedBytes, table * own.segmentsPerBlock, UINT32_MAX);
  exactly("plan.sharedBytes", plan.sharedBytes % (Wide{limits::VECTOR_BYTES} * own.segmentsPerBlock), 0);
}

}  // namespace polybin
