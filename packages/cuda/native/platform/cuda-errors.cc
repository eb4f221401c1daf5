#include "cuda-errors.h"

#include <exception>
#include <mutex>
#include <new>

#include "forever.h"

namespace polybin {
namespace {

/** Why no engine of this process can use CUDA any more. Empty as long as they can. */
struct Loss {
  std::mutex mutex;
  std::string why;
};

/** Errors after which, according to CUDA's reference, the process must be ended and started again. */
bool stays(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorMpsClientTerminated:
    case cudaErrorContextIsDestroyed:
    case cudaErrorExternalDevice:
    case cudaErrorUnknown: return true;
    default: return false;
  }
}

const char *codeOf(cudaError_t error) {
  switch (error) {
    case cudaErrorMemoryAllocation: return "ERR_OUT_OF_MEMORY";
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorInvalidDevice:
    case cudaErrorDevicesUnavailable:
    case cudaErrorInitializationError:
    case cudaErrorStubLibrary:
    case cudaErrorSystemNotReady:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
    case cudaErrorOperatingSystem:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorNoKernelImageForDevice: return "ERR_UNAVAILABLE";
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorLaunchOutOfResources: return "ERR_LIMIT";
    default: return "ERR_UNSUPPORTED";
  }
}

}  // namespace

void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  // Otherwise the next launch on this thread would report it again.
  cudaGetLastError();
  const std::string message =
      std::string(cudaGetErrorName(error)) + " in " + what + ": " + cudaGetErrorString(error);
  // An error that is not listed is permanent if the device still answers with it.
  const std::string code = codeOf(error);
  const bool lost = stays(error) || (code == "ERR_UNSUPPORTED" && cudaDeviceSynchronize() == error);
  if (lost) {
    auto &[mutex, why] = forever<Loss>();
    const std::lock_guard<std::mutex> lock(mutex);
    if (why.empty()) why = message;
  }
  cudaGetLastError();
  throw Failure{lost ? "ERR_DEVICE_LOST" : code, message};
}

void checkNotLost() {
  auto &[mutex, why] = forever<Loss>();
  const std::lock_guard<std::mutex> lock(mutex);
  if (!why.empty()) {
    throw Failure{"ERR_DEVICE_LOST", "the device was lost to this process, which must be started again: " + why};
  }
}

}  // namespace polybin
