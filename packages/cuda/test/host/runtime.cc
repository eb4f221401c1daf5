// A CUDA runtime without CUDA. Its only device is the host, and every call is complete when it returns. All of the
// addon except its kernels therefore runs without a GPU, and the tests can observe which thread does what, and when
// (hooks.h).
#include <cuda.h>
#include <cuda_runtime.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <set>

#include "hooks.h"

namespace {

std::mutex mutex;
std::set<std::pair<const char *, const char *>> &lockedMemory() {
  static std::set<std::pair<const char *, const char *>> ranges;
  return ranges;
}

cudaError_t take(void **memory, size_t bytes) {
  *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  return *memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}

bool isMainThread() { return getpid() == gettid(); }

}  // namespace

Hooks &hooks() {
  static auto *const one = new Hooks;
  return *one;
}

extern "C" {

const char *cudaGetErrorName(cudaError_t error) { return error == cudaSuccess ? "cudaSuccess" : "cudaErrorOfTheHost"; }
const char *cudaGetErrorString(cudaError_t) { return "no CUDA"; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

cudaError_t cudaGetDeviceCount(int *count) {
  if (isMainThread()) hooks().onMainThread++;
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *of, int) {
  *of = {};
  std::strcpy(of->name, "the host");
  of->multiProcessorCount = 2;
  of->warpSize = 32;
  of->sharedMemPerBlockOptin = 232448;
  of->maxThreadsPerBlock = 1024;
  of->maxThreadsPerMultiProcessor = 2048;
  of->maxBlocksPerMultiProcessor = 32;
  of->sharedMemPerMultiprocessor = 233472;
  of->reservedSharedMemPerBlock = 1024;
  of->totalGlobalMem = size_t{1} << 34;
  of->major = 9;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  if (isMainThread()) hooks().onMainThread++;
  hooks().pass();
  return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr, int) { return *value = 2, cudaSuccess; }
cudaError_t cudaMemGetInfo(size_t *free, size_t *total) { return *free = *total = size_t{1} << 34, cudaSuccess; }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
  return *stream = reinterpret_cast<cudaStream_t>(new int), cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return delete reinterpret_cast<int *>(stream), cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
  return *event = reinterpret_cast<cudaEvent_t>(new int), cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return delete reinterpret_cast<int *>(event), cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t, cudaEvent_t) { return *ms = 1, cudaSuccess; }

cudaError_t cudaMalloc(void **memory, size_t bytes) { return take(memory, bytes); }
cudaError_t cudaFree(void *memory) { return std::free(memory), cudaSuccess; }

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned) {
  const cudaError_t error = take(memory, bytes);
  const std::lock_guard<std::mutex> lock(mutex);
  const auto *const begin = static_cast<const char *>(*memory);
  if (error == cudaSuccess) lockedMemory().insert({begin, begin + bytes});
  return error;
}

cudaError_t cudaFreeHost(void *memory) {
  const std::lock_guard<std::mutex> lock(mutex);
  std::erase_if(lockedMemory(), [&](const auto &range) { return range.first == memory; });
  std::free(memory);
  return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned) { return *device = host, cudaSuccess; }

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *of, const void *memory) {
  const std::lock_guard<std::mutex> lock(mutex);
  *of = {};
  of->type = cudaMemoryTypeUnregistered;
  for (const auto &[begin, end] : lockedMemory()) {
    if (memory >= begin && memory < end) of->type = cudaMemoryTypeHost;
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t) {
  return std::memcpy(to, from, bytes), cudaSuccess;
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
  return std::memcpy(to, from, bytes), cudaSuccess;
}
cudaError_t cudaMemcpy2DAsync(void *to, size_t pitch, const void *from, size_t fromPitch, size_t width, size_t rows,
                              cudaMemcpyKind, cudaStream_t) {
  for (size_t row = 0; row < rows; row++) {
    std::memcpy(static_cast<char *>(to) + row * pitch, static_cast<const char *>(from) + row * fromPitch, width);
  }
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t) {
  return std::memset(memory, value, bytes), cudaSuccess;
}

/** No function of the driver exists. */
cudaError_t cudaGetDriverEntryPointByVersion(const char *, void **found, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult *) {
  return *found = nullptr, cudaSuccess;
}

}  // extern "C"
