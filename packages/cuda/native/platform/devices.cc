#include "devices.h"

#include "cuda-errors.h"

namespace polybin {

Devices findDevices() {
  const auto none = [](cudaError_t error) -> Devices {
    cudaGetLastError();
    return {{}, std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error)};
  };
  try {
    checkNotLost();
  } catch (const Failure &failure) {
    return {{}, failure.message};
  }
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) return none(error);
  std::vector<cudaDeviceProp> devices(count);
  for (int i = 0; i < count; i++) {
    if (const cudaError_t error = cudaGetDeviceProperties(&devices[i], i); error != cudaSuccess) return none(error);
  }
  return {devices, ""};
}

DeviceMemory memoryOf(uint32_t device) {
  DeviceMemory bytes{};
  checkNotLost();
  check(cudaSetDevice(static_cast<int>(device)), "cudaSetDevice");
  check(cudaMemGetInfo(&bytes.free, &bytes.total), "cudaMemGetInfo");
  return bytes;
}

}  // namespace polybin
