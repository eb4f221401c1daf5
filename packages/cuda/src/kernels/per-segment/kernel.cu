// per-segment (ours): one table per segment, so that a segment's counts are a row of the result.
//
//   bytes        one warp each, in byte counters (bytes.cuh), if a segment is neither very short nor very long
//   even bytes   the same three ways, if segments are alike and consist of whole vectors (even.cuh)
//   all else     one warp or one block each, in words:
//                  dynamic shared memory    u32 t[rows * R], R = replicas: row r of thread t at r * R + t mod R
//
//   rows:  lowering.cuh; flow is counted like any bin, at the same cost
//   grid:  x groups of threads that alternate over parts of segments, y windows of rows if not all fit, z channels
//
// Bound: one 32-bit shared atomic per sample, and the bytes of the samples and of the rows. A table cannot overflow,
// because a part has at most limits::U32_MAX samples.
#include <algorithm>

#include "even.cuh"
#include "generated/kernels/per-segment.cuh"
#include "kernels/launch.cuh"
#include "kernels/lowering.cuh"

namespace polybin {
namespace {

/** Values that the launch computes once for all threads. */
struct WordsShape {
  uint32_t rows, rowsPerBlock, replicas;
  /** The number of words of a group's table, a multiple of a vector. */
  uint32_t words;
  /** The rank of the first row: 1 if no sample can underflow. */
  uint32_t firstRank;
  /** Whether a table is stored as a row as it is, in whole vectors. */
  bool isRow;
};

/** The position of a rank's count: the bins come first, then underflow, overflow, NaN. */
__device__ __forceinline__ uint32_t cellOfRank(uint32_t rank, uint32_t bins) {
  return rank == 0 ? bins : (rank <= bins ? rank - 1 : rank);
}

/** Blocks that a multiprocessor runs at once. The compiler distributes the registers accordingly. */
constexpr uint32_t wordBlocks = 2;

/** warp: whether a single warp counts a part. Otherwise the whole block does. */
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
    // Neighbouring threads start their rows at different banks.
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
                           uint64_t parts, cudaStream_t stream, const Arguments &...arguments) {
  const cudaError_t refused = allowShared(reinterpret_cast<const void *>(kernel), plan.threads, plan.sharedBytes);
  if (refused != cudaSuccess) return refused;
  const uint64_t groups = (parts + own.segmentsPerBlock - 1) / own.segmentsPerBlock;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<uint32_t>(std::min<uint64_t>(plan.blocks, groups)),
                        (own.rows + own.rowsPerBlock - 1) / own.rowsPerBlock, pixels.channels);
  config.blockDim = dim3(plan.threads);
  config.dynamicSmemBytes = plan.sharedBytes;
  config.stream = stream;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

/** The leading segments of a launch that have equal shape. Zero segments if there are none. */
Even evenOf(const Pixels &pixels, const Lowering &lowering, const Plan &plan, const PerSegment &own, const Segments &of,
            const Rows &rows) {
  constexpr uint32_t vector = sizeof(uint4);
  // One step beyond the end must still fit in 32 bits.
  constexpr uint32_t most = limits::U32_MAX / 2;
  const uintptr_t data = reinterpret_cast<uintptr_t>(pixels.data) + (of.first * of.every - of.begin);
  const bool isEven = lowering.kind == Kind::raw && of.cut == Cut::every && of.whole && pixels.interleaved == 1 &&
                      own.rowsPerBlock == limits::BYTE_VALUES && (of.every | data) % vector == 0 && of.every / vector <= most && of.parts <= most;
  const bool isLong = own.threadsPerSegment != limits::WARP_THREADS, inBytes = plan.wordsPerThread != 0;
  // Rows of long segments are written cell by cell at any place. Other rows are stored as they are.
  const bool isRow = of.partsEach == 1 && !rows.adds && rows.codes == nullptr && rows.stride == limits::BYTE_VALUES;
  const bool fits = isLong    ? plan.replicas == lanes && own.partSamples % vector == 0
                    : inBytes ? isRow && of.every % (lanes * vector) == 0
                              : isRow && plan.replicas == 1;
  if (!isEven || !fits) return {};
  const uint64_t whole = std::min<uint64_t>(of.count, of.pixels / of.every - of.first);
  return {reinterpret_cast<const uint4 *>(data), static_cast<uint4 *>(rows.counts), static_cast<uint32_t>(whole),
          static_cast<uint32_t>(of.every / vector)};
}

cudaError_t launchEven(const Even &even, const Pixels &pixels, const Plan &plan, const PerSegment &own, const Segments &of,
                       const Rows &rows, cudaStream_t stream) {
  const auto launch = [&](auto *kernel, const auto &...more) {
    return launchSegments(kernel, pixels, plan, own, uint64_t{even.segments} * of.partsEach, stream, even, more...);
  };
  if (own.threadsPerSegment != limits::WARP_THREADS) {
    return launch(countEvenLong, of.partsEach, static_cast<uint32_t>(own.partSamples / sizeof(uint4)), rows);
  }
  const uint32_t bytes = even.vectors * sizeof(uint4);
  if (plan.wordsPerThread == 0) {
    return bytes % (lanes * sizeof(uint4)) == 0      ? launch(countEvenShort<uint4>)
           : bytes % (lanes * sizeof(uint32_t)) == 0 ? launch(countEvenShort<uint32_t>)
                                                     : launch(countEvenShort<uint8_t>);
  }
  return even.vectors % (4 * lanes) == 0   ? launch(countEvenBytes<4>)
         : even.vectors % (2 * lanes) == 0 ? launch(countEvenBytes<2>)
                                           : launch(countEvenBytes<1>);
}

}  // namespace

cudaError_t perSegment(const Pixels &pixels, const Lowering &lowering, const Plan &plan, const PerSegment &own,
                       const Segments &all, const Rows &allRows, cudaStream_t stream) {
  if (all.parts == 0) return cudaSuccess;
  Segments segments = all;
  Rows rows = allRows;
  if (const Even even = evenOf(pixels, lowering, plan, own, segments, rows); even.segments > 0) {
    const cudaError_t error = launchEven(even, pixels, plan, own, segments, rows, stream);
    if (error != cudaSuccess) return error;
    // A shorter last segment remains.
    const uint64_t countBytes = rows.wide ? sizeof(Count) : sizeof(uint32_t);
    segments.first += even.segments;
    segments.count -= even.segments;
    segments.parts = uint64_t{segments.count} * segments.partsEach;
    rows.counts = static_cast<char *>(rows.counts) + even.segments * rows.stride * countBytes;
    if (rows.flow != nullptr) rows.flow = static_cast<char *>(rows.flow) + even.segments * limits::FLOW_ROWS * countBytes;
  }
  if (segments.parts == 0) return cudaSuccess;
  if (plan.wordsPerThread != 0) {
    return launchSegments(countSegmentBytes, pixels, plan, own, segments.parts, stream, pixels, segments, rows);
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
    const auto launch = [&](auto *kernel) {
      return launchSegments(kernel, pixels, plan, own, segments.parts, stream, pixels, lowering, segments, rows, shape);
    };
    return own.threadsPerSegment == limits::WARP_THREADS ? launch(countSegmentWords<Find, true>)
                                                         : launch(countSegmentWords<Find, false>);
  });
}

/** Counts all samples as one segment. */
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
