// Waiting for a flag that the device raises in the host's memory.
#pragma once
#include <chrono>
#include <cstdint>

#include <cuda_runtime.h>

namespace polybin {

/**
 * Watches one flag after the other: at first without a pause, later with naps. Whether the device still works is asked
 * now and then, so that nobody waits for a flag that will never be raised.
 */
class Watch {
 public:
  using Clock = std::chrono::steady_clock;

  /** A flag that is `number` once it is raised, behind what was queued on the stream. */
  Watch(const volatile uint32_t *flag, uint32_t number, cudaStream_t stream)
      : flag_(flag), number_(number), stream_(stream), since_(Clock::now()), asked_(since_) {}

  /** What the flag stands for is then there, too. */
  bool isRaised() const;
  /** Looks for a while. @throws Failure where the device failed, or is done and did not raise it */
  bool look();

 private:
  void ask();

  const volatile uint32_t *flag_;
  uint32_t number_;
  cudaStream_t stream_;
  Clock::time_point since_, asked_;
};

/** Lets the processor know that this thread waits. */
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace polybin
