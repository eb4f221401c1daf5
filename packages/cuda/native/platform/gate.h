// A gate in a stream: what is queued behind it waits until the host opens it.
#pragma once
#include <cstdint>
#include <mutex>

#include <cuda_runtime.h>

namespace polybin {

/**
 * Between an event and the kernel that is launched after it an idle device waits for the host, some microseconds that
 * are not the kernel's. Behind a closed gate both are queued before either begins. Not for several threads.
 */
class Gate {
 public:
  ~Gate() { release(); }
  /** Closes the gate at the end of the stream, until the same thread opens it. Only so much may be queued behind it as the driver takes in. @throws Failure */
  void close(cudaStream_t);
  /** Opens it; again is harmless. */
  void open();
  void release();

 private:
  /** Page-locked; the gates up to this number are open. */
  volatile uint32_t *opened_ = nullptr;
  /** Of wholeDevice(), while the gate is closed. */
  std::unique_lock<std::mutex> quiet_;
  uint32_t closed_ = 0;
};

}  // namespace polybin
