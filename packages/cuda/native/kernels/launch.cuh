// How to launch kernels that use much shared memory.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include <cuda_runtime.h>

namespace polybin {

/**
 * Allows a kernel this number of bytes of dynamic shared memory on the current device, for as many blocks per
 * multiprocessor as their threads allow. The rest stays first-level cache, through which samples are read. Settings
 * that were made before are not made again, because the driver takes longer for them than for a launch.
 */
inline cudaError_t allowShared(const void *kernel, uint32_t threads, uint32_t bytes) {
  if (bytes == 0) return cudaSuccess;
  int device = 0;
  if (const cudaError_t error = cudaGetDevice(&device); error != cudaSuccess) return error;
  static std::mutex mutex;
  struct Settled {
    uint32_t threads, bytes, most;
  };
  static std::map<std::pair<int, const void *>, Settled> settled;
  const std::lock_guard<std::mutex> lock(mutex);
  Settled &last = settled[{device, kernel}];
  if (last.threads == threads && last.bytes == bytes) return cudaSuccess;
  int unitThreads = 0, unitBytes = 0, reserved = 0;
  cudaError_t error = cudaDeviceGetAttribute(&unitThreads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&unitBytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, device);
  if (error != cudaSuccess) return error;
  const uint64_t block = uint64_t{bytes} + reserved;
  const uint64_t blocks = std::max<uint64_t>(1, std::min<uint64_t>(unitThreads / threads, unitBytes / block));
  const auto percent = static_cast<int>(std::min<uint64_t>(100, (100 * blocks * block + unitBytes - 1) / unitBytes));
  error = cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, percent);
  // This never allows less than before, because another engine may be about to launch with it.
  const uint32_t most = std::max(last.most, bytes);
  if (error == cudaSuccess && most > last.most) {
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(most));
  }
  if (error == cudaSuccess) last = {threads, bytes, most};
  return error;
}

}  // namespace polybin
