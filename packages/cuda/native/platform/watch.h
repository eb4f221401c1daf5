// Waits for a flag that the device raises in the host's memory.
#pragma once
#include <chrono>
#include <cstdint>

#include <cuda_runtime.h>

namespace polybin {

/**
 * Watches one flag after another, first without a pause, later with naps. From time to time it checks whether the
 * device still works, so that nobody waits for a flag that will never be raised.
 */
class Watch {
 public:
  using Clock = std::chrono::steady_clock;

  /** A flag that becomes `number` when it is raised, after the work that was queued on the stream. */
  Watch(const volatile uint32_t *flag, uint32_t number, cudaStream_t stream)
      : flag_(flag), number_(number), stream_(stream), since_(Clock::now()), asked_(since_) {}

  /** Returns whether the flag is raised. The data that it announces are then visible, too. */
  bool isRaised() const;
  /** Waits for a while. @throws Failure if the device failed, or finished without raising the flag */
  bool look();

 private:
  void ask();

  const volatile uint32_t *flag_;
  uint32_t number_;
  cudaStream_t stream_;
  Clock::time_point since_, asked_;
};

/** Tells the processor that this thread waits. */
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace polybin
