// The results of the kernels in plain loops. polybin.cuh and weighted.cuh define their input. All kernels of a kind
// have the same result.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "generated/limits.cuh"
#include "kernels/joint.cuh"
#include "kernels/polybin.cuh"
#include "kernels/segments.cuh"
#include "kernels/weighted.cuh"

namespace polybin {
namespace {

template <typename T>
T read(const void *data, uint64_t at) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + at * sizeof(T), sizeof value);
  return value;
}

struct Sample {
  uint64_t bits, key;
  bool isNan, isFinite;
};

template <typename Float, typename Bits>
Sample ofFloat(const void *data, uint64_t at) {
  const Bits bits = read<Bits>(data, at), top = Bits{1} << (8 * sizeof(Bits) - 1);
  const Float value = read<Float>(data, at);
  return {bits, static_cast<Bits>(bits & top ? ~bits : bits | top), std::isnan(value), static_cast<bool>(std::isfinite(value))};
}

Sample sampleAt(Type type, const void *data, uint64_t at) {
  const auto whole = [](uint64_t bits, uint64_t flip) { return Sample{bits, bits ^ flip, false, true}; };
  switch (type) {
    case Type::u8: return whole(read<uint8_t>(data, at), 0);
    case Type::i8: return whole(read<uint8_t>(data, at), 1u << 7);
    case Type::u16: return whole(read<uint16_t>(data, at), 0);
    case Type::i16: return whole(read<uint16_t>(data, at), 1u << 15);
    case Type::u32: return whole(read<uint32_t>(data, at), 0);
    case Type::i32: return whole(read<uint32_t>(data, at), 1u << 31);
    case Type::f32: return ofFloat<float, uint32_t>(data, at);
    default: return ofFloat<double, uint64_t>(data, at);
  }
}

uint32_t rankOf(const Lowering &of, const Sample &sample) {
  const uint64_t half = of.type == Type::i16 ? 1u << 15 : (of.type == Type::i32 ? 1u << 31 : 0);
  switch (of.kind) {
    case Kind::direct: {
      const int64_t bin = static_cast<int64_t>(sample.key) - static_cast<int64_t>(half) - of.start;
      return bin < 0 ? 0 : static_cast<uint32_t>(std::min<int64_t>(bin, of.bins)) + 1;
    }
    case Kind::table: {
      const uint32_t code = of.table[sample.bits];
      return code < of.bins ? code + 1 : (code == of.bins ? 0 : of.bins + 1);
    }
    case Kind::scaled:
      if (sample.key < of.first) return 0;
      if (sample.key > of.last) return of.bins + 1;
      return std::min(static_cast<uint32_t>((sample.key - of.first) * of.scale >> 32), of.bins - 1) + 1;
    default: break;
  }
  if (sample.isNan) return of.bins + 2;
  uint32_t rank = 0;
  for (uint32_t length = of.thresholds; length > 0;) {
    const uint32_t middle = rank + length / 2;
    const uint64_t threshold = uint64_t{of.type == Type::f64 ? of.high[middle] : 0} << 32 | of.low[middle];
    if (threshold <= sample.key) length -= middle - rank + 1, rank = middle + 1;
    else length = middle - rank;
  }
  return rank;
}

/** The position of a rank's count: the bins come first, then underflow, overflow, NaN. */
uint32_t countOf(uint32_t rank, uint32_t bins) { return rank == 0 ? bins : (rank <= bins ? rank - 1 : rank); }

/** Adds 1 to a count of 32 or 64 bits. */
void addOne(void *counts, bool narrow, uint64_t at) {
  if (narrow) ++static_cast<uint32_t *>(counts)[at];
  else ++static_cast<Count *>(counts)[at];
}

cudaError_t countCodes(const Codes &of, const Plan &plan) {
  for (uint64_t i = 0; i < of.count; i++) {
    const uint32_t code = of.bytes ? read<uint8_t>(of.data, i) : read<uint32_t>(of.data, i);
    if (code >> of.shift < plan.cells) addOne(of.counts, of.narrow, code >> of.shift);
  }
  return cudaSuccess;
}

/** The cell of a sample, or joint.cells if the mask leaves it out. */
uint32_t cellAt(const Joint &of, uint64_t pixel) {
  const auto isLeftOut = [&] { return (of.maskBits ? of.mask[pixel / 8] >> pixel % 8 & 1 : of.mask[pixel]) == 0; };
  if (of.mask != nullptr && isLeftOut()) return of.cells;
  uint32_t cell = 0 - of.offset;
  for (uint32_t k = 0; k < of.columns; k++) {
    const JointColumn &column = of.column[k];
    const Lowering &lowering = column.lowering;
    const Sample sample = sampleAt(lowering.type, column.data, pixel * column.interleaved + column.channel);
    auto place = static_cast<uint32_t>(sample.bits >> lowering.shift);
    if (lowering.kind != Kind::raw) {
      const bool isCode = lowering.kind == Kind::direct || lowering.kind == Kind::table;
      const uint32_t rank = rankOf(lowering, sample);
      place = isCode ? countOf(rank, lowering.bins) : rank;
    }
    cell += place * column.stride;
  }
  return cell;
}

cudaError_t countColumns(const Joint &of) {
  for (uint64_t i = 0; i < of.count; i++) {
    const uint32_t cell = cellAt(of, of.list == nullptr ? i : of.list[i]);
    ++(cell < of.cells ? of.counts[cell] : *of.masked);
  }
  return cudaSuccess;
}

uint32_t valueAt(ValueType type, const uint8_t *row, uint32_t document) {
  if (type == ValueType::u16) return read<uint16_t>(row, document);
  return type == ValueType::u8 ? row[document] : row[document / 2] >> document % 2 * 4 & 15;
}

template <typename Weight, typename Total>
void addUp(const WeightedInput &in, const WeightedPlan &plan) {
  auto *totals = reinterpret_cast<Total *>(in.totals);
  const auto *const weights = reinterpret_cast<const Weight *>(in.weights);
  const auto *const squares = reinterpret_cast<const Weight *>(in.squares);
  for (uint32_t f = 0; f < in.count; f++) {
    const auto [row, skip] = in.features[f];
    Total *const counts = totals, *const sums = totals + plan.counts * plan.bins, *const more = sums + plan.bins;
    for (uint64_t i = 0; i < in.documents; i++) {
      const auto document = in.list == nullptr ? static_cast<uint32_t>(i) : in.list[i];
      const uint32_t value = valueAt(plan.type, in.values + row * in.pitch, document);
      if (value == skip || value >= plan.bins) continue;
      if (plan.counts) counts[value] += 1;
      sums[value] += static_cast<Total>(weights[i]);
      if (plan.squares) more[value] += static_cast<Total>(squares[i]);
    }
    totals += (1 + plan.counts + plan.squares) * uint64_t{plan.bins};
    // Feature f takes f + 1 cycles.
    if (in.cycles != nullptr) in.cycles[f] += f + 1;
  }
}

cudaError_t addUp(const WeightedInput &in, const WeightedPlan &plan) {
  plan.fast ? addUp<float, double>(in, plan) : addUp<int32_t, long long>(in, plan);
  return cudaSuccess;
}

cudaError_t countSamples(const Pixels &of, const Lowering &lowering, const Plan &plan) {
  const uint32_t size = plan.cells + limits::FLOW_ROWS;
  for (uint64_t pixel = 0; pixel < of.count; pixel++) {
    for (uint32_t i = 0; i < of.channels; i++) {
      const Sample sample = sampleAt(lowering.type, of.data, pixel * of.interleaved + of.channel[i]);
      const uint64_t row = lowering.kind == Kind::raw ? sample.bits : countOf(rankOf(lowering, sample), lowering.bins);
      addOne(of.counts, of.narrow, uint64_t{i} * size + row);
    }
  }
  return of.delivery.flag == nullptr ? cudaSuccess : deliver(of.delivery, nullptr);
}

/** The pixels of a segment row by row. A segment that is not a tile is one row. */
struct Lines {
  uint64_t start, width, height, pitch;
};

Lines linesOf(const Segments &of, uint64_t row) {
  const uint64_t segment = of.first + row;
  if (of.cut == Cut::every) return {segment * of.every, std::min(of.every, of.pixels - segment * of.every), 1, 0};
  if (of.cut == Cut::offsets) return {of.offsets[row], of.offsets[row + 1] - of.offsets[row], 1, 0};
  const uint64_t x = segment % of.columns * of.width, y = segment / of.columns * of.height;
  return {y * of.imageWidth + x, std::min(of.width, of.imageWidth - x), std::min(of.height, of.imageHeight - y),
          of.imageWidth};
}

cudaError_t countSegments(const Pixels &of, const Lowering &lowering, const Segments &segments, const Rows &rows) {
  const auto numberAt = [&](uint32_t cell, uint64_t row) {
    return cell < rows.bins ? row * rows.stride + cell : row * limits::FLOW_ROWS + (cell - rows.bins);
  };
  const auto add = [&](uint32_t cell, uint64_t row, uint64_t amount) {
    void *const base = cell < rows.bins ? rows.counts : rows.flow;
    const uint64_t at = numberAt(cell, row);
    if (rows.wide) static_cast<uint64_t *>(base)[at] += amount;
    else static_cast<uint32_t *>(base)[at] += amount;
  };
  for (uint64_t row = 0; row < segments.count; row++) {
    if (!rows.adds) {
      std::fill_n(static_cast<uint32_t *>(rows.counts) + row * rows.stride, rows.bins, 0);
      if (rows.flow != nullptr) std::fill_n(static_cast<uint32_t *>(rows.flow) + row * limits::FLOW_ROWS, limits::FLOW_ROWS, 0);
    }
    const Lines lines = linesOf(segments, row);
    for (uint64_t y = 0; y < lines.height; y++) {
      for (uint64_t x = 0; x < lines.width; x++) {
        const uint64_t at = lines.start + y * lines.pitch + x - segments.begin;
        if (at >= of.count) continue;
        const Sample sample = sampleAt(lowering.type, of.data, at * of.interleaved + of.channel[0]);
        uint32_t cell = static_cast<uint32_t>(sample.bits);
        if (lowering.kind != Kind::raw) cell = countOf(rankOf(lowering, sample), lowering.bins);
        else if (rows.codes != nullptr) cell = rows.codes[cell];
        add(cell, row, 1);
      }
    }
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t deliver(const Delivery &of, cudaStream_t) {
  auto *const words = reinterpret_cast<uint32_t *>(of.counts);
  for (uint32_t i = 0; i < of.size; i++) {
    const Count count = of.narrow ? words[i] : of.counts[i];
    if (of.narrow) words[i] = 0;
    else of.counts[i] = 0;
    if (of.home == nullptr) of.total[i] += count;
    else if (of.narrow) static_cast<uint32_t *>(of.home)[i] = static_cast<uint32_t>(count);
    else static_cast<Count *>(of.home)[i] = count;
  }
  // Another thread reads it.
  __atomic_store_n(of.flag, of.number, __ATOMIC_RELEASE);
  return cudaSuccess;
}

cudaError_t lower(const Pixels &of, const Lowering &lowering, const Plan &plan, void *codes, bool bytes, cudaStream_t) {
  const auto write = [&](uint64_t pixel, uint32_t code) {
    if (bytes) static_cast<uint8_t *>(codes)[pixel] = static_cast<uint8_t>(code);
    else static_cast<uint32_t *>(codes)[pixel] = code;
  };
  for (uint64_t pixel = 0; pixel < of.count; pixel++) {
    const Sample sample = sampleAt(lowering.type, of.data, pixel * of.interleaved + of.channel[0]);
    if (lowering.kind == Kind::raw) {
      write(pixel, static_cast<uint32_t>(sample.bits));
      continue;
    }
    const uint32_t at = countOf(rankOf(lowering, sample), lowering.bins);
    write(pixel, at < plan.cells ? at : ~0u);
    if (at >= plan.cells) addOne(of.counts, of.narrow, at);
  }
  return cudaSuccess;
}

cudaError_t writeCells(const Joint &of, uint64_t first, uint32_t count, uint32_t *cells, cudaStream_t) {
  for (uint32_t i = 0; i < count; i++) {
    cells[i] = cellAt(of, of.list == nullptr ? first + i : of.list[first + i]);
    if (cells[i] == of.cells) ++*of.masked;
  }
  return cudaSuccess;
}

cudaError_t extent(const Pixels &of, Type type, unsigned long long *minmax, cudaStream_t) {
  for (uint64_t pixel = 0; pixel < of.count; pixel++) {
    for (uint32_t i = 0; i < of.channels; i++) {
      const Sample sample = sampleAt(type, of.data, pixel * of.interleaved + of.channel[i]);
      if (!sample.isFinite) continue;
      minmax[0] = std::min<Count>(minmax[0], sample.key);
      minmax[1] = std::max<Count>(minmax[1], sample.key);
    }
  }
  return cudaSuccess;
}

#define SAMPLES_KERNEL(name, ...)                                                                            \
  cudaError_t name(const Pixels &of, const Lowering &lowering, const Plan &plan, __VA_ARGS__ cudaStream_t) { \
    return countSamples(of, lowering, plan);                                                                 \
  }
#define SEGMENTS_KERNEL(name, ...)                                                                                 \
  SAMPLES_KERNEL(name, __VA_ARGS__)                                                                                \
  cudaError_t name(const Pixels &of, const Lowering &lowering, const Plan &, __VA_ARGS__ const Segments &segments, \
                   const Rows &rows, cudaStream_t) {                                                               \
    return countSegments(of, lowering, segments, rows);                                                            \
  }
#define CODES_KERNEL(name, ...) \
  cudaError_t name(const Codes &of, const Plan &plan, __VA_ARGS__ cudaStream_t) { return countCodes(of, plan); }
#define COLUMNS_KERNEL(name, ...) \
  CODES_KERNEL(name, __VA_ARGS__) \
  cudaError_t name(const Joint &of, const Plan &, __VA_ARGS__ cudaStream_t) { return countColumns(of); }
#define SUMS_KERNEL(name, ...) \
  cudaError_t name(const WeightedInput &in, const WeightedPlan &plan, __VA_ARGS__ cudaStream_t) { return addUp(in, plan); }
#include "generated/kernels.inc"

}  // namespace polybin
