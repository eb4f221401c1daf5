#include "instructions.h"

#include "platform/failure.h"

namespace polybin {

Instructions widest() {
#if defined(__x86_64__)
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx512 && avx2) return Instructions::avx512;
  if (avx2) return Instructions::avx2;
#endif
  return Instructions::plain;
}

Instructions supported(Instructions wanted) {
  const Instructions most = widest();
  if (wanted == Instructions::best) return most;
  if (wanted > most) throw Failure{"ERR_UNSUPPORTED", "this processor has no such instructions"};
  return wanted;
}

}  // namespace polybin
