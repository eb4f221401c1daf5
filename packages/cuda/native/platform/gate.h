// A gate in a stream. Work that is queued behind it waits until the host opens it.
#pragma once
#include <cstdint>
#include <mutex>

#include <cuda_runtime.h>

namespace polybin {

/**
 * Between an event and the launch of the next kernel, an idle device waits for the host. These microseconds are not the
 * kernel's. Behind a closed gate, both are queued before either begins. A gate serves one thread.
 */
class Gate {
 public:
  ~Gate();
  /**
   * Closes the gate at the end of the stream, until the same thread opens it. At most as much work as the driver
   * accepts may be queued behind it. @throws Failure
   */
  void close(cudaStream_t);
  /** Opens the gate. Opening it twice does no harm. */
  void open();
  /**
   * Does what polybin::check does, for work behind the gate. The report of an error may query the device, which must not
   * be waiting then. @throws Failure
   */
  void check(cudaError_t, const char *what);

 private:
  /** Page-locked. The gates up to this number are open. */
  volatile uint32_t *opened_ = nullptr;
  /** Lock of wholeDevice(), while the gate is closed. */
  std::unique_lock<std::mutex> quiet_;
  uint32_t closed_ = 0;
};

}  // namespace polybin
