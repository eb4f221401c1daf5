#pragma once

// Launches a kernel through the runtime's function, because a compiler of the host has no <<< >>>. A file of kernels must be
// included before, which brings the emulated runtime.
#include <cstdint>

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), uint32_t blocks, uint32_t threads, uint32_t bytes, Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = bytes;
  cudaLaunchKernelEx(&config, kernel, arguments...);
}
