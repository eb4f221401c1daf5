// CUDA on the host, with the parts that the weighted kernels, the kernels of segments (segments.cc), of codes (codes.cc,
// reduce.cc) and of columns (columns.cc) need. It replaces CUDA's own header and makes their files plain C++. Each thread
// of a block has its own stack and runs until it waits for others. Then another thread runs, in an order that varies. So
// the tests cover results, bounds and barriers, but races between two barriers only where `races` asks for them.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

#include <setjmp.h>
#include <ucontext.h>

#define __host__
#define __device__
#define __global__
#define __shared__
#define __grid_constant__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)

/** Aligned as on a device, so that a sanitizer detects an unaligned load. */
struct alignas(16) uint4 {
  uint32_t x, y, z, w;
};
struct int2 {
  int32_t x, y;
};
struct int4 {
  int32_t x, y, z, w;
};
struct dim3 {
  uint32_t x, y, z;
  constexpr dim3(uint32_t x = 1, uint32_t y = 1, uint32_t z = 1) : x(x), y(y), z(z) {}
};

enum cudaError_t {
  cudaSuccess,
  cudaErrorInvalidValue,
};
using std::isnan;
struct CUstream_st;
using cudaStream_t = CUstream_st *;
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerMultiProcessor,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor,
  cudaDevAttrReservedSharedMemoryPerBlock
};
enum cudaFuncAttribute {
  cudaFuncAttributePreferredSharedMemoryCarveout,
  cudaFuncAttributeMaxDynamicSharedMemorySize,
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
};

namespace polybin {

/** The shared memory of the running block, and room behind it. */
constexpr size_t sharedBytes = 232448, guardBytes = 4096;
alignas(16) inline uint4 memory[(sharedBytes + guardBytes) / sizeof(uint4)];

}  // namespace polybin

constexpr uint32_t warpThreads = 32;

inline void fail(const char *what) {
  std::fprintf(stderr, "emulated CUDA: %s\n", what);
  std::exit(1);
}

/** The reason why a thread waits. */
enum class State {
  ready,
  block,
  warp,
  ended,
};

struct Thread {
  /** Null until it runs for the first time. */
  std::unique_ptr<char[]> stack;
  /** The barrier at which it waits. */
  jmp_buf place;
  State state;
  /**
   * The values that other threads may read, for two barriers of a warp alternately, so that a slow thread still finds
   * the last one.
   */
  uint64_t box[2];
  uint32_t turn;
};

struct Emulated {
  static constexpr size_t stackBytes = 1 << 16;
  dim3 blockIndex, blockSize, gridSize;
  dim3 threadIndex;
  std::vector<Thread> threads;
  jmp_buf scheduler;
  void (*body)(void *);
  void *argument;
  std::minstd_rand random;
  /** Atomics outside of shared memory, and the times a thread has slept so far. */
  uint64_t globalAtomics = 0, sleeps = 0;
  /** Whether other threads may run between an atomic on shared memory and what follows it. */
  bool races = false;

  /** Runs all blocks one after the other. */
  void run(const cudaLaunchConfig_t &config, void (*kernel)(void *), void *with) {
    body = kernel;
    argument = with;
    blockSize = config.blockDim;
    gridSize = config.gridDim;
    if (blockSize.x % warpThreads != 0) fail("a block of whole warps was expected");
    if (config.dynamicSmemBytes > polybin::sharedBytes) fail("too much shared memory");
    while (threads.size() < blockSize.x) threads.push_back({nullptr, {}, State::ended, {}, 0});
    const dim3 grid = config.gridDim;
    for (blockIndex.z = 0; blockIndex.z < grid.z; blockIndex.z++)
      for (blockIndex.y = 0; blockIndex.y < grid.y; blockIndex.y++)
        for (blockIndex.x = 0; blockIndex.x < grid.x; blockIndex.x++) runBlock(config.dynamicSmemBytes);
  }

  void wait(State until) {
    Thread &own = threads[threadIndex.x];
    own.state = until;
    if (_setjmp(own.place) == 0) _longjmp(scheduler, 1);
  }

 private:
  static constexpr unsigned char garbage = 0xa5;

  void runBlock(size_t bytes) {
    auto *const shared = reinterpret_cast<unsigned char *>(polybin::memory);
    std::memset(shared, garbage, bytes + polybin::guardBytes);
    std::vector<uint32_t> order(blockSize.x);
    for (uint32_t t = 0; t < blockSize.x; t++) {
      order[t] = t;
      threads[t].state = State::ready;
      threads[t].turn = 0;
    }
    do {
      std::shuffle(order.begin(), order.end(), random);
      for (const uint32_t t : order) {
        if (threads[t].state != State::ready) continue;
        threadIndex = dim3(t, 0, 0);
        resume(threads[t]);
      }
    } while (release());
    for (size_t at = bytes; at < bytes + polybin::guardBytes; at++) {
      if (shared[at] != garbage) fail("shared memory past its end was written");
    }
  }

  /**
   * Runs a thread until it waits. Only the first switch uses `setcontext`, because it queries the system for the signal
   * mask. That took most of the time.
   */
  void resume(Thread &thread) {
    if (_setjmp(scheduler) != 0) return;
    if (thread.stack != nullptr) _longjmp(thread.place, 1);
    thread.stack.reset(new char[stackBytes]);
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = thread.stack.get();
    context.uc_stack.ss_size = stackBytes;
    context.uc_link = nullptr;
    makecontext(&context, &main, 0);
    setcontext(&context);
  }

  /** Runs a thread's work in one block after the other. */
  static void main();

  /** Releases the threads of a warp or block that has arrived as a whole. False: all threads have ended. */
  bool release() {
    const auto all = [&](uint32_t from, uint32_t to, State is) {
      return std::all_of(threads.begin() + from, threads.begin() + to, [=](const Thread &of) { return of.state == is; });
    };
    const auto go = [&](uint32_t from, uint32_t to) {
      for (uint32_t t = from; t < to; t++) threads[t].state = State::ready;
    };
    bool released = false;
    for (uint32_t from = 0; from < blockSize.x; from += warpThreads) {
      if (!all(from, from + warpThreads, State::warp)) continue;
      go(from, from + warpThreads);
      released = true;
    }
    if (released || std::any_of(threads.begin(), threads.begin() + blockSize.x,
                                [](const Thread &of) { return of.state == State::ready; }))
      return true;
    if (all(0, blockSize.x, State::ended)) return false;
    if (!all(0, blockSize.x, State::block)) fail("threads wait for some that do not come");
    go(0, blockSize.x);
    return true;
  }
};

inline Emulated emulated;
inline const dim3 &threadIdx = emulated.threadIndex, &blockIdx = emulated.blockIndex, &blockDim = emulated.blockSize,
                  &gridDim = emulated.gridSize;

inline void Emulated::main() {
  for (;;) {
    emulated.body(emulated.argument);
    emulated.wait(State::ended);
  }
}

inline void __syncthreads() { emulated.wait(State::block); }
inline void __syncwarp() { emulated.wait(State::warp); }

template <typename T>
T __shfl_xor_sync(unsigned, T value, uint32_t by) {
  Thread &own = emulated.threads[threadIdx.x];
  const Thread &other = emulated.threads[threadIdx.x ^ by];
  const uint32_t turn = own.turn++ % 2;
  std::memcpy(&own.box[turn], &value, sizeof value);
  __syncwarp();
  std::memcpy(&value, &other.box[turn], sizeof value);
  return value;
}

/** Only threads that have waited have taken time. */
inline long long clock64() { return emulated.threads[threadIdx.x].turn; }

template <typename T>
T atomicAdd(T *to, T amount) {
  const void *const end = polybin::memory + std::size(polybin::memory);
  if (to < static_cast<const void *>(polybin::memory) || to >= end) emulated.globalAtomics++;
  const T before = *to;
  *to += amount;
  if (emulated.races && emulated.random() % 4 == 0) emulated.wait(State::ready);
  return before;
}

inline void __nanosleep(unsigned) {
  constexpr uint64_t most = 1'000'000;
  if (++emulated.sleeps == most) fail("threads wait for one another");
  emulated.wait(State::ready);
}

template <typename T>
T __ldg(const T *from) {
  return *from;
}

template <typename T>
T __ldcg(const T *from) {
  return *from;
}
template <typename T>
T __ldcs(const T *from) {
  return *from;
}

template <typename T>
T __shfl_sync(unsigned, T value, uint32_t from) {
  Thread &own = emulated.threads[threadIdx.x];
  const Thread &other = emulated.threads[threadIdx.x / warpThreads * warpThreads + from % warpThreads];
  const uint32_t turn = own.turn++ % 2;
  std::memcpy(&own.box[turn], &value, sizeof value);
  __syncwarp();
  std::memcpy(&value, &other.box[turn], sizeof value);
  return value;
}

inline uint32_t __ballot_sync(unsigned all, bool own) {
  uint32_t votes = uint32_t{own} << threadIdx.x % warpThreads;
  for (uint32_t by = 1; by < warpThreads; by *= 2) votes |= __shfl_xor_sync(all, votes, by);
  return votes;
}

inline uint32_t __popc(uint32_t word) { return __builtin_popcount(word); }
inline int __ffs(uint32_t word) { return __builtin_ffs(word); }
inline uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t by) {
  return static_cast<uint32_t>((uint64_t{high} << 32 | low) << by % 32 >> 32);
}

/** Adds the products of two halves with two bytes to a sum: the lower bytes, or the upper ones. */
inline uint32_t __dp2a_lo(uint32_t halves, uint32_t bytes, uint32_t sum) {
  return sum + (halves & 0xffff) * (bytes & 0xff) + (halves >> 16) * (bytes >> 8 & 0xff);
}
inline uint32_t __dp2a_hi(uint32_t halves, uint32_t bytes, uint32_t sum) { return __dp2a_lo(halves, bytes >> 16, sum); }

inline bool __any_sync(unsigned all, bool own) {
  uint32_t any = own;
  for (uint32_t by = 1; by < warpThreads; by *= 2) any |= __shfl_xor_sync(all, any, by);
  return any != 0;
}

/** Adds the products of the bytes of two words to a sum. */
inline uint32_t __dp4a(uint32_t a, uint32_t b, uint32_t sum) {
  for (uint32_t shift = 0; shift < 32; shift += 8) sum += (a >> shift & 0xff) * (b >> shift & 0xff);
  return sum;
}

/** Returns four of the eight bytes of two words. Each half byte of `which` names one, without its sign. */
inline uint32_t __byte_perm(uint32_t low, uint32_t high, uint32_t which) {
  const uint64_t bytes = uint64_t{high} << 32 | low;
  uint32_t out = 0;
  for (uint32_t i = 0; i < 4; i++) out |= static_cast<uint32_t>(bytes >> (which >> 4 * i & 7) * 8 & 0xff) << 8 * i;
  return out;
}

template <typename A, typename B>
constexpr std::common_type_t<A, B> min(A a, B b) {
  return a < b ? a : b;
}
template <typename A, typename B>
constexpr std::common_type_t<A, B> max(A a, B b) {
  return a > b ? a : b;
}

template <typename To, typename From>
To bitsAs(From from) {
  static_assert(sizeof(To) == sizeof from);
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
inline float __uint_as_float(uint32_t bits) { return bitsAs<float>(bits); }
inline uint32_t __float_as_uint(float value) { return bitsAs<uint32_t>(value); }
inline double __longlong_as_double(long long bits) { return bitsAs<double>(bits); }
inline float __uint2float_rn(uint32_t value) { return static_cast<float>(value); }
inline float __saturatef(float value) { return value > 0 ? value < 1 ? value : 1 : 0; }
/** Declared only. No emulated kernel calls it. */
size_t __cvta_generic_to_shared(const void *);
inline int32_t __mulhi(int32_t a, int32_t b) { return static_cast<int32_t>(int64_t{a} * b >> 32); }

template <typename... Parameters, typename... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...), const Arguments &...given) {
  auto call = [&] { kernel(given...); };
  emulated.run(*config, [](void *with) { (*static_cast<decltype(call) *>(with))(); }, &call);
  return cudaSuccess;
}

inline cudaError_t cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr, int) { return *value = 1 << 16, cudaSuccess; }
inline cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int) { return cudaSuccess; }
