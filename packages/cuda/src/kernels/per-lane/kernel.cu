// per-lane (polybin's own): a replica of the histogram for each bank of shared memory. No two lanes of a warp meet in a
// counter or in a bank, whatever the data.
//
//   dynamic shared memory          R = replicas, a power of two
//     for each channel             u32 h[rows * R]: row r of lane l at r * R + l mod R
//     the lookup, if it fits       copies of thresholds and starts (lowering.cuh)
//
//   rows:  lowering.cuh; flow is counted like any bin, at the same cost
//   grid:  x blocks over the samples; y windows of rows and z channels if not all fit in a block
//
// Bound: one 32-bit shared atomic per sample, conflict-free, and the samples' bytes. From 8-bit samples on, the
// memory's bandwidth is the bound. A row of a block cannot overflow, because a launch has at most limits::U32_MAX
// samples per channel.
#include <algorithm>
#include <iterator>

#include "generated/kernels/per-lane.cuh"
#include "generated/limits.cuh"
#include "kernels/delivery.cuh"
#include "kernels/launch.cuh"
#include "kernels/lowering.cuh"

namespace polybin {
namespace {

/** A position in the pixel that is not counted. */
constexpr uint32_t none = ~0u;

/** Values that the launch computes once for all threads. */
struct Shape {
  uint32_t cells, rows, rowsPerBlock, replicas, counterBytes;
  /** Bytes from one channel's table to the next. */
  uint32_t tableBytes;
  /** The table of each position in the pixel. */
  uint32_t table[std::extent_v<decltype(Pixels::channel)>];
  /** Whether blockIdx.z is the only channel that this block counts. */
  bool split;
  /** The rank of the first row. It is 1 if nothing can underflow. */
  uint32_t firstRank;
  /** Samples after the last whole vector. */
  uint32_t tail;
  uint64_t vectors;
  Lookup lookup;
};

/** Blocks of 1,024 threads that a multiprocessor runs at the same time. The registers are divided accordingly. */
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 750 || __CUDA_ARCH__ >= 1200)
constexpr uint32_t blocksPerUnit = 1;
#else
constexpr uint32_t blocksPerUnit = 2;
#endif

/** The remainder modulo 3 of a sample's number. 2^32 modulo 3 is 1. */
__device__ __forceinline__ uint32_t remainderOfThree(uint64_t of) {
  return (static_cast<uint32_t>(of) % 3 + static_cast<uint32_t>(of >> 32) % 3) % 3;
}

/**
 * The counters of a block, as one of its threads sees them. period: the channels repeat after this number of samples:
 * 1, 3, or 4, which also serves 2. all: this block counts all channels. inFlight: 16-byte loads before the first is
 * used.
 */
template <typename Find, uint32_t period, bool all, uint32_t inFlight>
struct Counters {
  using Bits = typename Find::Bits;
  static constexpr uint32_t many = perVector<Bits>;
  /** Samples whose rows are in registers at a time. */
  static constexpr uint32_t few = many < 4 ? many : 4;
  const Pixels &pixels;
  const Shape &shape;
  const Find &find;
  uint32_t rowBytes;
  /** Address of this lane's counter in the first row of the first table. */
  uint32_t lane;
  /** The rows that this block counts, if it does not count all. */
  uint32_t first, rows;
  /** For sample i of the first vector, the address of this lane's counter in row 0, if row 0 existed. */
  uint32_t table[period];
  /** For sample i of the first vector, whether it is counted. */
  bool wanted[period];

  __device__ __forceinline__ Counters(const Pixels &pixels, const Shape &shape, const Find &find, uint32_t *tables)
      : pixels(pixels), shape(shape), find(find), rowBytes(shape.replicas * sizeof(uint32_t)),
        lane(static_cast<uint32_t>(__cvta_generic_to_shared(tables + (threadIdx.x & (shape.replicas - 1))))),
        first(blockIdx.y * shape.rowsPerBlock), rows(min(shape.rowsPerBlock, shape.rows - first)) {
    if (Find::ranked) first += shape.firstRank;
    if (Find::ranked && Find::whole) lane -= shape.firstRank * rowBytes;
    if constexpr (Find::rowScale != 1) lane -= find.bias();
#pragma unroll
    for (uint32_t i = 0; i < period; i++) {
      const uint32_t offset = offsetOf(i);
      wanted[i] = offset != none;
      table[i] = lane + offset;
    }
  }

  /**
   * The start of the table that counts sample `at`. `none`: the sample is not counted. It is the same for all threads.
   */
  __device__ uint32_t offsetOf(uint64_t at) const {
    if (period == 1) return 0;
    const uint32_t position = pixels.interleaved == 3 ? remainderOfThree(at) : at & (pixels.interleaved - 1);
    if (shape.split) return position == pixels.channel[blockIdx.z] ? 0 : none;
    const uint32_t found = shape.table[position];
    return found == none ? none : found * shape.tableBytes;
  }

  /** Does what atomicAdd does. A compiler that sees an atomicAdd does not move lookups past it. */
  __device__ __forceinline__ void increment(uint32_t row, uint32_t to) const {
    if (!Find::whole) {
      row -= first;
      if (row >= rows) return;
    }
    const uint32_t counter = to + (Find::rowScale == 1 ? row * rowBytes : row);
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(counter));
  }

  /** Finds the rows of a few samples before it touches their counters, so that no lookup waits for an atomic. */
  __device__ __forceinline__ void countVector(const uint4 &samples, uint64_t vector) const {
    // The tables of its samples are those of the first vector, rotated.
    constexpr uint32_t places = many % period;
    const uint32_t turn = places == 0 ? 0 : (period == 3 ? remainderOfThree(vector) * places % 3 : vector * places % period);
#pragma unroll
    for (uint32_t base = 0; base < many; base += few) {
      Bits bits[few];
      uint32_t row[few];
#pragma unroll
      for (uint32_t i = 0; i < few; i++) bits[i] = sampleOf<Bits>(samples, base + i);
      find.template find<few>(bits, row);
#pragma unroll
      for (uint32_t i = 0; i < few; i++) {
        uint32_t to = table[(base + i) % period];
        bool counts = wanted[(base + i) % period];
        if constexpr (places != 0) {
#pragma unroll
          for (uint32_t by = 1; by < period; by++) {
            if (turn == by) to = table[(base + i + by) % period];
            if (!all && turn == by) counts = wanted[(base + i + by) % period];
          }
        }
        if (all || counts) increment(row[i], to);
      }
    }
  }

  __device__ __forceinline__ void countSample(uint64_t at) const {
    const uint32_t offset = offsetOf(at);
    if (offset != none) increment(find(__ldg(static_cast<const Bits *>(pixels.data) + at)), lane + offset);
  }

  /**
   * Counts this block's share: whole vectors, several in flight, then the remaining ones and the odd samples. If only
   * one vector is in flight, `ahead` is the thread's first.
   */
  __device__ __forceinline__ void countShare(const uint4 *vectors, uint4 ahead) const {
    const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t threads = gridDim.x * blockDim.x;
    uint64_t at = thread;
    if constexpr (inFlight > 1) {
      uint4 vector[inFlight];
      for (; at + uint64_t{inFlight - 1} * threads < shape.vectors; at += uint64_t{inFlight} * threads) {
#pragma unroll
        for (uint32_t i = 0; i < inFlight; i++) vector[i] = streamed(vectors + at + uint64_t{i} * threads);
#pragma unroll
        for (uint32_t i = 0; i < inFlight; i++) countVector(vector[i], at + uint64_t{i} * threads);
      }
    }
    if constexpr (inFlight == 1) {
      for (; at < shape.vectors; at += threads) {
        const uint4 vector = ahead;
        if (at + threads < shape.vectors) ahead = streamed(vectors + at + threads);
        countVector(vector, at);
      }
    } else {
      for (; at < shape.vectors; at += threads) countVector(streamed(vectors + at), at);
    }
    if (thread < shape.tail) countSample(shape.vectors * many + thread);
  }
};

/** The place of a rank's count: first the bins, then underflow, overflow, NaN. */
__device__ __forceinline__ uint32_t countOfRank(uint32_t rank, uint32_t bins) {
  return rank == 0 ? bins : (rank <= bins ? rank - 1 : rank);
}

/**
 * Adds up a block's replicas. Neighbouring threads begin their rows at different banks. `to` is the first of their
 * counts.
 */
template <bool ranked>
__device__ void addReplicas(const uint32_t *table, uint32_t first, uint32_t rows, const Shape &shape,
                            const Pixels &pixels, uint32_t to) {
  const uint32_t replicas = shape.replicas;
  for (uint32_t row = threadIdx.x; row < rows; row += blockDim.x) {
    const uint32_t stagger = row * replicas / limits::WARP_THREADS;
    uint32_t sum = 0;
#pragma unroll 8
    for (uint32_t i = 0; i < replicas; i++) sum += table[row * replicas + ((i + stagger) & (replicas - 1))];
    const uint32_t at = to + (ranked ? countOfRank(first + row + shape.firstRank, shape.cells) : first + row);
    if (sum == 0) continue;
    if (pixels.narrow) atomicAdd(reinterpret_cast<uint32_t *>(pixels.counts) + at, sum);
    else atomicAdd(pixels.counts + at, static_cast<Count>(sum));
  }
}

template <typename Find, uint32_t period, bool all, uint32_t inFlight>
__global__ void __launch_bounds__(limits::PER_LANE_THREADS, blocksPerUnit)
    countPerLane(const __grid_constant__ Pixels pixels, const __grid_constant__ Lowering lowering,
                 const __grid_constant__ Shape shape) {
  extern __shared__ uint4 memory[];
  uint32_t *const tables = reinterpret_cast<uint32_t *>(memory);
  const uint32_t channelCounts = shape.cells + limits::FLOW_ROWS;
  const uint4 *const vectors = static_cast<const uint4 *>(pixels.data);
  uint4 ahead{};
  if constexpr (inFlight == 1) {
    // The vector loads while the counters are cleared.
    const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < shape.vectors) ahead = streamed(vectors + thread);
  }
  for (uint32_t i = threadIdx.x; i < shape.counterBytes / sizeof(uint4); i += blockDim.x) memory[i] = {};
  const Find find(lowering, shape.lookup, reinterpret_cast<char *>(memory));
  __syncthreads();

  Counters<Find, period, all, inFlight>(pixels, shape, find, tables).countShare(vectors, ahead);
  // Inline assembly changed the counters, which the compiler does not know.
  asm volatile("" ::: "memory");
  __syncthreads();

  const uint32_t first = blockIdx.y * shape.rowsPerBlock;
  const uint32_t rows = min(shape.rowsPerBlock, shape.rows - first);
  for (uint32_t i = 0; i < (shape.split ? 1 : pixels.channels); i++) {
    const uint32_t channel = shape.split ? blockIdx.z : i;
    const uint32_t table = shape.split ? 0 : i * shape.tableBytes / static_cast<uint32_t>(sizeof(uint32_t));
    addReplicas<Find::ranked>(tables + table, first, rows, shape, pixels, channel * channelCounts);
  }
  if (pixels.delivery.flag == nullptr || !isLastBlock(pixels.delivery, gridDim.x * gridDim.y * gridDim.z)) return;
  handOn(pixels.delivery, threadIdx.x, blockDim.x);
  tell(pixels.delivery);
}

template <typename Find, uint32_t period, bool all, uint32_t inFlight>
cudaError_t launch(const Pixels &pixels, const Lowering &lowering, const Plan &plan, const Shape &shape,
                   cudaStream_t stream) {
  const auto kernel = countPerLane<Find, period, all, inFlight>;
  const cudaError_t refused = allowShared(reinterpret_cast<const void *>(kernel), plan.threads, plan.sharedBytes);
  if (refused != cudaSuccess) return refused;
  const dim3 grid(plan.blocks, (shape.rows + shape.rowsPerBlock - 1) / shape.rowsPerBlock,
                  shape.split ? pixels.channels : 1);
  kernel<<<grid, plan.threads, plan.sharedBytes, stream>>>(pixels, lowering, shape);
  return cudaGetLastError();
}

/**
 * Launches the kernel for the pixels' channels. Bytes have a kernel for each case; other samples have fewer kernels.
 */
template <typename Find>
cudaError_t launchFor(const Pixels &pixels, const Lowering &lowering, const Plan &plan, const PerLane &own,
                      const Shape &shape, cudaStream_t stream) {
  constexpr uint32_t many = limits::PER_LANE_IN_FLIGHT;
  // For samples that take more registers.
  constexpr uint32_t fewer = many / 2;
  if constexpr (!Find::ranked) {
    const bool all = own.channelsPerBlock == pixels.interleaved;
    if (pixels.interleaved == 1) {
      return own.inFlight == 1 ? launch<Find, 1, true, 1>(pixels, lowering, plan, shape, stream)
                               : launch<Find, 1, true, many>(pixels, lowering, plan, shape, stream);
    }
    if (pixels.interleaved == 3) {
      return all ? launch<Find, 3, true, fewer>(pixels, lowering, plan, shape, stream)
                 : launch<Find, 3, false, fewer>(pixels, lowering, plan, shape, stream);
    }
    return all ? launch<Find, 4, true, fewer>(pixels, lowering, plan, shape, stream)
               : launch<Find, 4, false, fewer>(pixels, lowering, plan, shape, stream);
  } else {
    if constexpr (Find::rowScale == 1) {
      if (pixels.interleaved == 3) return launch<Find, 3, false, fewer>(pixels, lowering, plan, shape, stream);
      if (pixels.interleaved != 1) return launch<Find, 4, false, fewer>(pixels, lowering, plan, shape, stream);
    }
    return launch<Find, 1, true, Find::whole ? many : fewer>(pixels, lowering, plan, shape, stream);
  }
}

uint32_t bytesOf(Type type) {
  return type <= Type::i8    ? sizeof(uint8_t)
         : type <= Type::i16 ? sizeof(uint16_t)
         : type <= Type::f32 ? sizeof(uint32_t)
                             : sizeof(uint64_t);
}

}  // namespace

cudaError_t perLane(const Pixels &pixels, const Lowering &lowering, const Plan &plan, const PerLane &own,
                    cudaStream_t stream) {
  Shape shape{};
  shape.cells = plan.cells;
  shape.rows = own.rows;
  shape.rowsPerBlock = own.rowsPerBlock;
  shape.replicas = plan.replicas;
  shape.counterBytes = own.counterBytes;
  shape.tableBytes = own.rowsPerBlock * plan.replicas * sizeof(uint32_t);
  shape.split = own.channelsPerBlock < pixels.channels;
  shape.firstRank = lowering.kind != Kind::raw && !lowering.flow;
  shape.lookup = {own.lookupReplicas, own.counterBytes};
  std::fill(std::begin(shape.table), std::end(shape.table), none);
  for (uint32_t i = 0; i < pixels.channels; i++) shape.table[pixels.channel[i]] = i;

  const uint32_t sampleBytes = bytesOf(lowering.type);
  const uint32_t many = sizeof(uint4) / sampleBytes;
  const uint64_t samples = pixels.count * pixels.interleaved;
  shape.vectors = samples / many;
  shape.tail = static_cast<uint32_t>(samples % many);

  const bool fits = own.rowsPerBlock == own.rows;
  return withFunctor(lowering, InBlock{own.lookupReplicas, plan.replicas, fits, pixels.interleaved == 1}, [&](auto *find) {
    return launchFor<std::remove_pointer_t<decltype(find)>>(pixels, lowering, plan, own, shape, stream);
  });
}

}  // namespace polybin
