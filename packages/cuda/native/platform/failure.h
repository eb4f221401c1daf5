// What a call fails with, and what CUDA's errors mean to the calls after it.
#pragma once
#include <string>

#include <cuda_runtime.h>

namespace polybin {

/** What a call failed with; `code` is one of core's error codes, or ERR_STOPPED for a call that was told to stop. */
struct Failure {
  std::string code;
  std::string message;
};

/** What of C++ is being caught, as a failure. */
Failure failureCaught();

/** Does nothing where there is no error. @throws Failure that names the error and what was being done */
void check(cudaError_t error, const char *what);

/**
 * Fails where an earlier call, of whatever engine, saw an error that stays: CUDA then answers nothing but that error
 * until the process ends. @throws Failure ERR_DEVICE_LOST
 */
void checkNotLost();

}  // namespace polybin
