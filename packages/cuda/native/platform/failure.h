// The failures of calls, and what CUDA's errors mean for later calls.
#pragma once
#include <string>

#include <cuda_runtime.h>

namespace polybin {

/** The failure of a call. `code` is one of core's error codes, or ERR_STOPPED for a call that was asked to stop. */
struct Failure {
  std::string code;
  std::string message;
};

/** Converts the C++ exception that is being caught to a failure. */
Failure failureCaught();

/** Does nothing if there is no error. @throws Failure with the error's name and the action that failed */
void check(cudaError_t error, const char *what);

/**
 * Fails if an earlier call of any engine saw a permanent error. CUDA then answers every call with that error until the
 * process ends. @throws Failure ERR_DEVICE_LOST
 */
void checkNotLost();

}  // namespace polybin
