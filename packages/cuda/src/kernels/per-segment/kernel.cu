// per-segment (ours): a table a segment, so that a segment's counts are a row of the result.
//
//   bytes        a warp each, in byte counters (bytes.cuh), where a segment is neither very short nor very long
//   all else     a warp or a block each, in words:
//                  dynamic shared memory    u32 t[rows * R], R = replicas: row r of thread t at r * R + t mod R
//
//   rows:  lowering.cuh; flow is counted like any bin, at the same price
//   grid:  x groups of threads that take parts of segments in turns, y windows of rows where not all fit, z channels
//
// Bound: one 32-bit shared atomic a sample, and the bytes of the samples and of the rows. A table cannot overflow: a
// part has at most limits::U32_MAX samples.
#include <algorithm>

#include "generated/kernels/per-segment.cuh"
#include "kernels/lowering.cuh"
#include "kernels/launch.cuh"
#include "bytes.cuh"

namespace polybin {
namespace {

/** What the launch works out once for all threads. */
struct WordsShape {
  uint32_t rows, rowsPerBlock, replicas;
  /** Words of a group's table, whole vectors. */
  uint32_t words;
  /** The rank of the first row: 1 where nothing can underflow. */
  uint32_t firstRank;
  /** A table is a row as it is, in whole vectors. */
  bool isRow;
};

/** Where the count of a rank lies: first the bins, then underflow, overflow, NaN. */
__device__ __forceinline__ uint32_t cellOfRank(uint32_t rank, uint32_t bins) {
  return rank == 0 ? bins : rank <= bins ? rank - 1 : rank;
}

/** Waits for the others of a group. */
template <bool warp>
__device__ __forceinline__ void settleGroup() {
  // The counters are changed behind the compiler's back.
  asm volatile("" ::: "memory");
  if constexpr (warp) __syncwarp();
  else __syncthreads();
}

/** Blocks that a multiprocessor runs at once; registers are shared out accordingly. */
constexpr uint32_t wordBlocks = 2;

/** warp: a warp counts a part by itself; else the block. */
template <typename Find, bool warp>
__global__ void __launch_bounds__(limits::SEGMENT_THREADS, wordBlocks)
    countSegmentWords(const __grid_constant__ Pixels pixels, const __grid_constant__ Lowering lowering,
                      const __grid_constant__ Segments segments, Rows rows, const __grid_constant__ WordsShape shape) {
  using Bits = typename Find::Bits;
  constexpr uint32_t many = perVector<Bits>;
  constexpr uint32_t few = many < inFlight ? many : inFlight;
  const uint32_t threads = warp ? limits::WARP_THREADS : blockDim.x;
  const uint32_t groups = blockDim.x / threads, group = threadIdx.x / threads, thread = threadIdx.x % threads;
  uint32_t *const table = sharedWords() + group * shape.words;
  const uint32_t column = sharedAddress(table + (thread & (shape.replicas - 1)));
  const uint32_t rowBytes = shape.replicas * sizeof(uint32_t);
  const uint32_t firstRow = blockIdx.y * shape.rowsPerBlock;
  const uint32_t rowCount = min(shape.rowsPerBlock, shape.rows - firstRow);
  const uint32_t firstRank = firstRow + (Find::ranked ? shape.firstRank : 0);
  const Find find(lowering, Lookup{}, nullptr);
  rows = channelOf(rows, blockIdx.z);
  const auto add = [&](uint32_t rank) {
    if (const uint32_t row = rank - firstRank; row < rowCount) addTo(column + row * rowBytes, 1);
  };
  for (uint32_t i = thread; i < shape.words / limits::WORD_BYTES; i += threads) reinterpret_cast<uint4 *>(table)[i] = {};
  settleGroup<warp>();
  for (uint64_t number = uint64_t{blockIdx.x} * groups + group; number < segments.parts; number += uint64_t{gridDim.x} * groups) {
    const Part part = partOf(segments, number);
    const PartSamples<Bits> of(pixels, segments, pixels.channel[blockIdx.z], part, threads);
    eachSingle(of, 0, of.singles(), thread, threads, [&](Bits bits) { add(find(bits)); });
    eachVector(of, 0, of.vectors(), thread, threads, [&](const uint4 &vector) {
#pragma unroll
      for (uint32_t base = 0; base < many; base += few) {
        Bits bits[few];
        uint32_t rank[few];
#pragma unroll
        for (uint32_t i = 0; i < few; i++) bits[i] = sampleOf<Bits>(vector, base + i);
        find.template find<few>(bits, rank);
#pragma unroll
        for (uint32_t i = 0; i < few; i++) add(rank[i]);
      }
    });
    settleGroup<warp>();
    if (shape.isRow) {
      auto *const to = reinterpret_cast<uint4 *>(static_cast<uint32_t *>(rows.counts) + part.row * rows.stride + firstRow);
      for (uint32_t i = thread; i < rowCount / limits::WORD_BYTES; i += threads) {
        uint4 &counters = reinterpret_cast<uint4 *>(table)[i];
        to[i] = counters;
        counters = {};
      }
      settleGroup<warp>();
      continue;
    }
    // Neighbouring threads begin their rows at different banks.
    for (uint32_t row = thread; row < rowCount; row += threads) {
      const uint32_t stagger = row * shape.replicas / limits::WARP_THREADS;
      uint32_t sum = 0;
#pragma unroll 8
      for (uint32_t i = 0; i < shape.replicas; i++) {
        uint32_t &counter = table[row * shape.replicas + ((i + stagger) & (shape.replicas - 1))];
        sum += counter;
        counter = 0;
      }
      put(rows, part.row, Find::ranked ? cellOfRank(firstRank + row, rows.bins) : firstRow + row, sum);
    }
    settleGroup<warp>();
  }
}

template <class... Parameters, class... Arguments>
cudaError_t launchSegments(void (*kernel)(Parameters...), const Pixels &pixels, const Plan &plan, const PerSegment &own,
                           const Segments &segments, cudaStream_t stream, const Arguments &...arguments) {
  const cudaError_t refused = allowShared(reinterpret_cast<const void *>(kernel), plan.threads, plan.sharedBytes);
  if (refused != cudaSuccess) return refused;
  const uint64_t groups = (segments.parts + own.segmentsPerBlock - 1) / own.segmentsPerBlock;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<uint32_t>(std::min<uint64_t>(plan.blocks, groups)),
                        (own.rows + own.rowsPerBlock - 1) / own.rowsPerBlock, pixels.channels);
  config.blockDim = dim3(plan.threads);
  config.dynamicSmemBytes = plan.sharedBytes;
  config.stream = stream;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

}  // namespace

cudaError_t perSegment(const Pixels &pixels, const Lowering &lowering, const Plan &plan, const PerSegment &own,
                       const Segments &segments, const Rows &rows, cudaStream_t stream) {
  if (segments.parts == 0) return cudaSuccess;
  if (plan.wordsPerThread != 0) {
    return launchSegments(countSegmentBytes, pixels, plan, own, segments, stream, pixels, segments, rows);
  }
  WordsShape shape{};
  shape.rows = own.rows;
  shape.rowsPerBlock = own.rowsPerBlock;
  shape.replicas = plan.replicas;
  shape.words = plan.sharedBytes / own.segmentsPerBlock / sizeof(uint32_t);
  shape.firstRank = lowering.kind != Kind::raw && !lowering.flow;
  shape.isRow = plan.replicas == 1 && !rows.adds && own.rows == rows.bins &&
                (own.rowsPerBlock | own.rows | rows.stride) % limits::WORD_BYTES == 0;
  return withFunctor(lowering, [&](auto *find) {
    using Find = std::remove_pointer_t<decltype(find)>;
    return own.threadsPerSegment == limits::WARP_THREADS
               ? launchSegments(countSegmentWords<Find, true>, pixels, plan, own, segments, stream, pixels, lowering, segments, rows, shape)
               : launchSegments(countSegmentWords<Find, false>, pixels, plan, own, segments, stream, pixels, lowering, segments, rows, shape);
  });
}

/** All samples are one segment. */
cudaError_t perSegment(const Pixels &pixels, const Lowering &lowering, const Plan &plan, const PerSegment &own,
                       cudaStream_t stream) {
  Segments segments{};
  segments.cut = Cut::every;
  segments.count = 1;
  segments.pixels = segments.every = pixels.count;
  segments.whole = true;
  segments.partSamples = own.partSamples;
  segments.parts = segments.partsEach = static_cast<uint32_t>((pixels.count + own.partSamples - 1) / own.partSamples);
  Rows rows{};
  rows.counts = pixels.counts;
  rows.wide = !pixels.narrow;
  rows.adds = true;
  rows.bins = plan.cells;
  rows.channelStride = plan.cells + limits::FLOW_ROWS;
  rows.flow = static_cast<char *>(rows.counts) + plan.cells * (rows.wide ? sizeof(Count) : sizeof(uint32_t));
  return perSegment(pixels, lowering, plan, own, segments, rows, stream);
}

}  // namespace polybin
