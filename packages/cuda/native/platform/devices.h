// The devices of this machine.
#pragma once
#include <string>
#include <vector>

#include <cuda_runtime.h>

namespace polybin {

struct Devices {
  std::vector<cudaDeviceProp> devices;
  /** Why there are none; empty where there are. */
  std::string why;
};

/** Starts CUDA where nothing did before, which takes a few tenths of a second. */
Devices findDevices();

struct DeviceMemory {
  size_t free, total;
};

/** @throws Failure */
DeviceMemory memoryOf(uint32_t device);

}  // namespace polybin
