// per-lane (ours): a replica of the histogram for each bank of shared memory, so that no two lanes of a warp meet,
// neither in a counter nor in a bank, whatever the data.
//
//   dynamic shared memory          R = replicas, a power of two
//     for each channel             u32 h[rows * R]: row r of lane l at r * R + l mod R
//     keys that fit beside them    thresholds and starts (lowering.cuh)
//
//   rows:  0 … cells-1 | underflow | overflow | NaN: flow is counted like any bin, at the same price
//   grid:  x blocks over the samples, y windows of rows where not all fit, z channels where not all fit
//
// Bound: one 32-bit shared atomic a sample, conflict-free, and the bytes of the samples: the memory's bandwidth from
// 8-bit samples on. A row of a block cannot overflow: a launch has at most limits::U32_MAX samples of a channel.
#include <algorithm>
#include <iterator>

#include "../limits.cuh"
#include "lowering.cuh"

namespace polybin {
namespace {

/** A position in the pixel that is not counted. */
constexpr uint32_t none = ~0u;
/** Behind the cells, a channel's counts have the flow. */
__host__ __device__ constexpr uint32_t channelCounts(uint32_t cells) { return cells + flows; }

/** What the launch works out once for all threads. */
struct Shape {
  uint32_t cells, rows, rowsPerWindow, replicas;
  /** Words from one channel's table to the next. */
  uint32_t tableWords;
  /** For each position in the pixel, which table counts it. */
  uint32_t table[std::extent_v<decltype(Pixels::channel)>];
  /** blockIdx.z is the only channel that this block counts. */
  bool split;
  /** Samples before the first and behind the last whole vector. */
  uint32_t head, tail;
  uint64_t vectors;
  Lookup lookup;
};

/** Blocks of 1024 threads that a multiprocessor runs at once; registers are shared out accordingly. */
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 750 || __CUDA_ARCH__ >= 1200)
constexpr uint32_t blocksPerUnit = 1;
#else
constexpr uint32_t blocksPerUnit = 2;
#endif

/** 16-byte loads that a thread has in flight, before it counts: as many as its registers hold. */
#ifndef POLYBIN_IN_FLIGHT
#define POLYBIN_IN_FLIGHT 0
#endif
template <typename Find, uint32_t interleaved>
constexpr uint32_t inFlight = POLYBIN_IN_FLIGHT != 0 ? POLYBIN_IN_FLIGHT : Find::closed && interleaved != 3 ? 4 : 2;

/** The counters of a block, as one of its threads sees them. `interleaved`: samples a pixel; 0: see `pixels`. */
template <typename Find, uint32_t interleaved>
struct Counters {
  using Bits = typename Find::Bits;
  const Pixels &pixels;
  const Shape &shape;
  const Find &find;
  uint32_t *lane;
  uint32_t first, rows, stride;

  /** Offset of the table that counts a position in the pixel. */
  __device__ __forceinline__ uint32_t tableOf(uint32_t position) const {
    if (shape.split) return position == pixels.channel[blockIdx.z] ? 0 : none;
    const uint32_t table = shape.table[position];
    return table == none ? none : table * shape.tableWords;
  }

  __device__ __forceinline__ uint32_t positionOf(uint64_t sample) const {
    if constexpr (interleaved != 0) return static_cast<uint32_t>(sample % interleaved);
    // 2, 3 or 4, of which a division by a variable would make much more work.
    else return pixels.interleaved == 3 ? sample % 3 : sample & (pixels.interleaved - 1);
  }

  __device__ __forceinline__ void count(Bits bits, uint32_t table) const {
    const uint32_t row = find(bits) - first;
    if (Find::closed || row < rows) atomicAdd(lane + table + row * stride, 1);
  }

  __device__ __forceinline__ void countVector(const uint4 &samples, uint64_t vector) const {
    constexpr uint32_t many = perVector<Bits>;
    if constexpr (interleaved == 1) {
#pragma unroll
      for (uint32_t i = 0; i < many; i++) count(sampleOf<Bits>(samples, i), 0);
    } else if constexpr (interleaved != 0) {
      const uint32_t position = positionOf(shape.head + vector * many);
      uint32_t tables[interleaved];
#pragma unroll
      for (uint32_t i = 0; i < interleaved; i++) tables[i] = tableOf((position + i) % interleaved);
#pragma unroll
      for (uint32_t i = 0; i < many; i++) {
        const uint32_t table = tables[i % interleaved];
        if (table != none) count(sampleOf<Bits>(samples, i), table);
      }
    } else {
      uint32_t position = positionOf(shape.head + vector * many);
#pragma unroll
      for (uint32_t i = 0; i < many; i++) {
        const uint32_t table = tableOf(position);
        if (table != none) count(sampleOf<Bits>(samples, i), table);
        if (++position == pixels.interleaved) position = 0;
      }
    }
  }

  __device__ __forceinline__ void countSample(uint64_t at) const {
    const uint32_t table = interleaved == 1 ? 0 : tableOf(positionOf(at));
    if (table != none) count(__ldg(static_cast<const Bits *>(pixels.data) + at), table);
  }

  /** This block's share: whole vectors, several in flight; then what is left of them, and the odd samples. */
  __device__ __forceinline__ void countShare() const {
    constexpr uint32_t many = inFlight<Find, interleaved>;
    const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t threads = gridDim.x * blockDim.x;
    const uint4 *const vectors = reinterpret_cast<const uint4 *>(static_cast<const Bits *>(pixels.data) + shape.head);
    uint4 held[many];
    uint64_t at = thread;
    for (; at + uint64_t{many - 1} * threads < shape.vectors; at += uint64_t{many} * threads) {
#pragma unroll
      for (uint32_t i = 0; i < many; i++) held[i] = streamed(vectors + at + uint64_t{i} * threads);
#pragma unroll
      for (uint32_t i = 0; i < many; i++) countVector(held[i], at + uint64_t{i} * threads);
    }
    for (; at < shape.vectors; at += threads) countVector(streamed(vectors + at), at);
    if (thread < shape.head) countSample(thread);
    if (thread < shape.tail) countSample(shape.head + shape.vectors * perVector<Bits> + thread);
  }
};

/** Adds a block's replicas up. Neighbouring threads begin their rows at different banks. */
__device__ void addReplicas(const uint32_t *table, uint32_t rows, uint32_t replicas, Count *to) {
  for (uint32_t row = threadIdx.x; row < rows; row += blockDim.x) {
    const uint32_t stagger = row * replicas / limits::WARP_THREADS;
    uint32_t sum = 0;
#pragma unroll 8
    for (uint32_t i = 0; i < replicas; i++) sum += table[row * replicas + ((i + stagger) & (replicas - 1))];
    if (sum != 0) atomicAdd(to + row, static_cast<Count>(sum));
  }
}

/** Zeroes the counts of the next call, so that nothing has to be launched for it. */
__device__ void zeroNext(const Pixels &pixels, uint32_t cells) {
  const bool first = blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0;
  if (pixels.next == nullptr || !first) return;
  const uint32_t all = pixels.channels * channelCounts(cells);
  for (uint32_t i = threadIdx.x; i < all; i += blockDim.x) pixels.next[i] = 0;
}

template <typename Find, uint32_t interleaved>
__global__ void __launch_bounds__(limits::PER_LANE_THREADS, blocksPerUnit)
    countPerLane(const __grid_constant__ Pixels pixels, const __grid_constant__ Lowering lowering,
                 const __grid_constant__ Shape shape) {
  extern __shared__ uint4 memory[];
  uint32_t *const tables = reinterpret_cast<uint32_t *>(memory);
  for (uint32_t i = threadIdx.x; i < shape.lookup.offset / sizeof(uint4); i += blockDim.x) memory[i] = {};
  const Find find(lowering, shape.lookup, reinterpret_cast<char *>(memory));
  __syncthreads();

  const uint32_t first = blockIdx.y * shape.rowsPerWindow;
  const uint32_t rows = min(shape.rowsPerWindow, shape.rows - first);
  uint32_t *const lane = tables + (threadIdx.x & (shape.replicas - 1));
  Counters<Find, interleaved>{pixels, shape, find, lane, first, rows, shape.replicas}.countShare();
  __syncthreads();

  for (uint32_t i = 0; i < (shape.split ? 1 : pixels.channels); i++) {
    const uint32_t channel = shape.split ? blockIdx.z : i;
    const uint32_t table = shape.split ? 0 : shape.table[pixels.channel[i]] * shape.tableWords;
    addReplicas(tables + table, rows, shape.replicas, pixels.counts + channel * channelCounts(shape.cells) + first);
  }
  zeroNext(pixels, shape.cells);
}

/** What this device has room for. */
struct Room {
  int device, unit, reserved, unitThreads, block;

  cudaError_t ask() {
    int id = 0;
    cudaError_t error = cudaGetDevice(&id);
    const auto get = [&](int *value, cudaDeviceAttr of) {
      if (error == cudaSuccess) error = cudaDeviceGetAttribute(value, of, id);
    };
    device = id;
    get(&block, cudaDevAttrMaxSharedMemoryPerBlockOptin);
    get(&unit, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    get(&reserved, cudaDevAttrReservedSharedMemoryPerBlock);
    get(&unitThreads, cudaDevAttrMaxThreadsPerMultiProcessor);
    return error;
  }

  /** Bytes that a block can take without fewer blocks on a multiprocessor than `bytes` would allow. */
  uint32_t sameOccupancy(uint32_t bytes, uint32_t threads) const {
    const uint32_t byThreads = unitThreads / threads, byBytes = unit / (bytes + reserved);
    const uint32_t blocks = std::max(1u, std::min(byThreads, byBytes));
    return std::min<uint32_t>(block, unit / blocks - reserved);
  }
};

uint32_t aligned(uint64_t bytes) { return static_cast<uint32_t>((bytes + sizeof(uint4) - 1) / sizeof(uint4) * sizeof(uint4)); }

/** As many copies of the lookup tables as find room behind the counters; none: they stay where they are. */
Lookup placeLookup(const Lowering &of, uint32_t offset, uint32_t most) {
  if (of.kind != Kind::keys) return {0, offset, 0};
  const uint32_t key = of.type == Type::f64 ? sizeof(uint64_t) : sizeof(uint32_t);
  for (uint32_t replicas = limits::WARP_THREADS * limits::WORD_BYTES / key; replicas > 0; replicas /= 2) {
    const uint32_t bytes = lookupBytes(of, replicas);
    if (offset + bytes <= most) return {replicas, offset, bytes};
  }
  return {0, offset, 0};
}

template <typename Find, uint32_t interleaved>
cudaError_t launch(const Pixels &pixels, const Lowering &lowering, const Plan &plan, const Shape &shape, dim3 grid,
                   cudaStream_t stream) {
  const auto kernel = countPerLane<Find, interleaved>;
  const uint32_t bytes = shape.lookup.offset + shape.lookup.bytes;
  const cudaError_t error =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  if (error != cudaSuccess) return error;
  kernel<<<grid, plan.threads, bytes, stream>>>(pixels, lowering, shape);
  return cudaGetLastError();
}

}  // namespace

cudaError_t perLane(const Pixels &pixels, const Lowering &lowering, const Plan &plan, cudaStream_t stream) {
  Room room{};
  if (const cudaError_t error = room.ask(); error != cudaSuccess) return error;

  Shape shape{};
  shape.cells = plan.cells;
  shape.replicas = plan.replicas;
  const bool hasFlow = lowering.kind != Kind::raw && lowering.flow;
  shape.rows = plan.cells + (hasFlow ? static_cast<uint32_t>(flows) : 0);
  const uint64_t rowBytes = uint64_t{plan.replicas} * sizeof(uint32_t);
  // Three rows of flow rarely cost a window of their own.
  const bool whole = plan.passes == 1 && aligned(shape.rows * rowBytes) <= static_cast<uint32_t>(room.block);
  shape.rowsPerWindow = whole ? shape.rows : plan.cellsPerPass;
  shape.tableWords = shape.rowsPerWindow * plan.replicas;
  const uint64_t tableBytes = shape.rowsPerWindow * rowBytes;
  shape.split = pixels.channels > 1 && tableBytes * pixels.channels > static_cast<uint64_t>(room.block);

  std::fill(std::begin(shape.table), std::end(shape.table), none);
  for (uint32_t i = 0; i < pixels.channels; i++) shape.table[pixels.channel[i]] = i;

  const uint32_t sampleBytes = lowering.type <= Type::i8    ? sizeof(uint8_t)
                               : lowering.type <= Type::i16 ? sizeof(uint16_t)
                               : lowering.type <= Type::f32 ? sizeof(uint32_t)
                                                            : sizeof(uint64_t);
  const uint32_t many = sizeof(uint4) / sampleBytes;
  const uint64_t samples = pixels.count * pixels.interleaved;
  const uint64_t past = reinterpret_cast<uintptr_t>(pixels.data) % sizeof(uint4);
  shape.head = static_cast<uint32_t>(std::min<uint64_t>(samples, past == 0 ? 0 : (sizeof(uint4) - past) / sampleBytes));
  shape.vectors = (samples - shape.head) / many;
  shape.tail = static_cast<uint32_t>((samples - shape.head) % many);

  const uint32_t counters = aligned(tableBytes * (shape.split ? 1 : pixels.channels));
  shape.lookup = placeLookup(lowering, counters, room.sameOccupancy(counters, plan.threads));
  const dim3 grid(plan.blocks, (shape.rows + shape.rowsPerWindow - 1) / shape.rowsPerWindow,
                  shape.split ? pixels.channels : 1);

  const auto run = [&](auto *find) {
    using Find = std::remove_pointer_t<decltype(find)>;
    if (pixels.interleaved == 1) return launch<Find, 1>(pixels, lowering, plan, shape, grid, stream);
    if constexpr (Find::closed) {
      if (pixels.interleaved == 3) return launch<Find, 3>(pixels, lowering, plan, shape, grid, stream);
      if (pixels.interleaved == 4) return launch<Find, 4>(pixels, lowering, plan, shape, grid, stream);
    }
    return launch<Find, 0>(pixels, lowering, plan, shape, grid, stream);
  };
  return shape.lookup.replicas > 0 ? withFunctor<true>(lowering, run) : withFunctor<false>(lowering, run);
}

}  // namespace polybin
