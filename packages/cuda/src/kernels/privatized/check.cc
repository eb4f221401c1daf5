// Checks that privatized's spills lie within the block's shared memory.
#include "generated/kernels/privatized.cuh"
#include "generated/limits.cuh"
#include "generated/messages.h"
#include "platform/expect.h"

namespace polybin {

void checkPrivatized(const CountShape &job, const Privatized &own) {
  constexpr Wide COUNTERS = Wide{limits::PRIVATIZED_THREADS} * limits::PRIVATIZED_BINS;
  const Wide spills = own.merge == Merge::checkShared ? Wide{limits::PRIVATIZED_BINS} * limits::WORD_BYTES : 0;
  within("plan.sharedBytes", job.plan.sharedBytes, COUNTERS + spills, UINT32_MAX);
}

}  // namespace polybin
