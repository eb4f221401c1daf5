#include "watch.h"

#include <atomic>
#include <thread>

#include "cuda-errors.h"
#include "generated/limits.cuh"

namespace polybin {
namespace {

/** Checks of the flag between two checks of the clock. */
constexpr int looks = 64;

using std::chrono::microseconds;

}  // namespace

bool Watch::isRaised() const {
  if (*flag_ != number_) return false;
  std::atomic_thread_fence(std::memory_order_acquire);
  return true;
}

bool Watch::look() {
  for (int i = 0; i < looks; i++) {
    if (isRaised()) return true;
    relax();
  }
  const auto now = Clock::now();
  if (now - asked_ > microseconds(limits::ASK_US)) {
    asked_ = now;
    ask();
  }
  if (now - since_ > microseconds(limits::SPIN_US)) std::this_thread::sleep_for(microseconds(limits::NAP_US));
  return isRaised();
}

void Watch::ask() {
  const cudaError_t error = cudaStreamQuery(stream_);
  if (error == cudaErrorNotReady) {
    cudaGetLastError();
    return;
  }
  check(error, "a count");
  // Everything is done, so the flag, which is written last, must be raised now.
  if (!isRaised()) throw Failure{"ERR_INTERNAL", "expected the device to raise its flag but it finished without"};
}

}  // namespace polybin
