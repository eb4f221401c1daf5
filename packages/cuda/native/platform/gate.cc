#include "gate.h"

#include <cuda.h>

#include "cuda-errors.h"
#include "memory.h"

namespace polybin {
namespace {

using WaitValue = CUresult (*)(CUstream, CUdeviceptr, cuuint32_t, unsigned);

/** Returns the driver's function. The runtime has none, and the addon is not linked with the driver. */
WaitValue waitValue() {
  static const WaitValue function = [] {
    void *found = nullptr;
    cudaDriverEntryPointQueryResult result;
    constexpr unsigned since = 11070;
    check(cudaGetDriverEntryPointByVersion("cuStreamWaitValue32", &found, since, cudaEnableDefault, &result),
          "cuStreamWaitValue32");
    if (found == nullptr) throw Failure{"ERR_UNSUPPORTED", "this driver cannot make a stream wait for the host"};
    return reinterpret_cast<WaitValue>(found);
  }();
  return function;
}

}  // namespace

void Gate::close(cudaStream_t stream) {
  if (opened_ == nullptr) {
    opened_ = static_cast<uint32_t *>(takeHost(sizeof(uint32_t)));
    *opened_ = closed_;
  }
  quiet_ = std::unique_lock<std::mutex>(wholeDevice());
  const WaitValue wait = waitValue();
  void *device = nullptr;
  polybin::check(cudaHostGetDevicePointer(&device, const_cast<uint32_t *>(opened_), 0), "cudaHostGetDevicePointer");
  // Nothing is queued yet when this throws. The caller opens the gate in any case.
  const CUresult result =
      wait(stream, reinterpret_cast<CUdeviceptr>(device), closed_ + 1, CU_STREAM_WAIT_VALUE_GEQ);
  if (result != CUDA_SUCCESS) {
    throw Failure{"ERR_UNSUPPORTED", "cuStreamWaitValue32 failed with " + std::to_string(result)};
  }
  closed_++;
}

void Gate::open() {
  if (opened_ != nullptr) *opened_ = closed_;
  if (quiet_.owns_lock()) quiet_.unlock();
}

void Gate::check(cudaError_t error, const char *what) {
  if (error != cudaSuccess) open();
  polybin::check(error, what);
}

Gate::~Gate() {
  open();
  giveHost(const_cast<uint32_t *>(opened_));
}

}  // namespace polybin
