// The devices of this machine.
#pragma once
#include <string>
#include <vector>

#include <cuda_runtime.h>

namespace polybin {

struct Devices {
  std::vector<cudaDeviceProp> devices;
  /** Why there are none. Empty if there are devices. */
  std::string why;
};

/** Starts CUDA if it is not running yet, which takes a few tenths of a second. */
Devices findDevices();

struct DeviceMemory {
  size_t free, total;
};

/** @throws Failure */
DeviceMemory memoryOf(uint32_t device);

}  // namespace polybin
