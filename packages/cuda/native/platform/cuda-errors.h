// The meaning of CUDA's errors, for a call and for later ones.
#pragma once
#include <cuda_runtime.h>

#include "platform/failure.h"

namespace polybin {

/** Does nothing if there is no error. @throws Failure with the error's name and the action that failed */
void check(cudaError_t error, const char *what);

/**
 * Fails if an earlier call of any engine saw a permanent error. CUDA then answers every call with that error until the
 * process ends. @throws Failure ERR_DEVICE_LOST
 */
void checkNotLost();

}  // namespace polybin
