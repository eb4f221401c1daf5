// fused (polybin's own): finds the cell of 1 to 6 columns and counts it in one pass.
//
//   dynamic shared memory          R = replicas
//     replicas   u32 h[(slots + 1) * R]: slot s of lane l at s * R + the copy of l
//     packed     what finds the cell of a slot, a sink for each lane, then u16 h[slots + 1]
//     lookups    copies of the thresholds of each column by rank (columns.cuh)
//
//   rows:   columns.cuh; a warp has 32 units of 8 or 16 samples
//   tables: tables.cuh, packed.cuh; hot.cuh for cells in which lanes often meet
//
// Bound: the bytes of the columns while 32-bit counters fit (up to about 57,000 cells). With 16-bit counters, the pipe of
// shared memory, through which atomics (2.2 T/s on an H200) and loads go: 1.8 T samples/s. In global memory, atomics of
// the second-level cache: 0.1 T samples/s.
#include <algorithm>
#include <string_view>
#include <type_traits>

#include "count.cuh"

namespace polybin {
namespace {

uint32_t aligned(uint32_t bytes) { return (bytes + limits::VECTOR_BYTES - 1) / limits::VECTOR_BYTES * limits::VECTOR_BYTES; }

/** The first number from `least` on that is 6 modulo 8. */
uint32_t padded(uint32_t least) { return least + (6 - least) % 8; }

/** Works out distances and places. `bytes` becomes the shared memory that a block needs. */
FusedShape shapeOf(const Joint &joint, const Plan &plan, const Fused &own, uint32_t &bytes) {
  FusedShape shape{};
  shape.replicas = plan.replicas;
  // The slots of one column are in groups of the numbers that `spread` exchanges.
  constexpr uint32_t group = 2 * limits::WARP_THREADS;
  shape.slots = (joint.cells + group - 1) / group * group;
  uint32_t unit = 1;
  if (own.table == TableKind::replicas) unit = plan.replicas * Replicas::unit;
  if (own.table == TableKind::packed) unit = Packed::unit;
  uint32_t pad = 1, last = 0;
  for (uint32_t k = joint.columns; k-- > 0;) {
    shape.pad[k] = pad;
    shape.step[k] = pad * unit;
    last += (joint.column[k].extent - 1) * pad;
    pad = padded(pad * joint.column[k].extent);
  }
  if (joint.columns > 1) shape.slots = last + 1;
  bytes = 0;
  if (own.table == TableKind::replicas) bytes = Replicas::words(shape) * sizeof(uint32_t);
  if (own.table == TableKind::packed) bytes = Packed::words(shape) * sizeof(uint32_t);
  for (uint32_t k = 0; k < joint.columns; k++) {
    const Lowering &lowering = joint.column[k].lowering;
    if (lowering.kind != Kind::ranks) continue;
    bytes = aligned(bytes);
    shape.lookup[k] = {own.lookupReplicas, bytes};
    bytes += (lowering.thresholds + limits::RANK_PADDING) * own.lookupReplicas * sizeof(uint32_t);
  }
  return shape;
}

template <class Columns>
struct IsSpread : std::false_type {};
template <class Column>
struct IsSpread<Alone<Column, true>> : std::true_type {};
template <uint32_t many, uint32_t parts>
struct IsSpread<AllHalves<many, parts>> : std::true_type {};

struct Launch {
  const Joint &joint;
  const Plan &plan;
  const Fused &own;
  cudaStream_t stream;

  template <class Columns, uint32_t many, class Table, bool isMasked>
  cudaError_t with() const {
    uint32_t bytes = 0;
    FusedShape shape = shapeOf(joint, plan, own, bytes);
    shape.isSpread = IsSpread<Columns>::value;
    // A plan that has no room for the columns would count outside of its block's memory.
    if (bytes > plan.sharedBytes || shape.slots > own.slots) return cudaErrorInvalidValue;
    const auto kernel = countFused<Columns, many, Table, isMasked>;
    const cudaError_t refused = allowShared(reinterpret_cast<const void *>(kernel), plan.threads, plan.sharedBytes);
    if (refused != cudaSuccess) return refused;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(plan.blocks);
    config.blockDim = dim3(plan.threads);
    config.dynamicSmemBytes = plan.sharedBytes;
    config.stream = stream;
    return cudaLaunchKernelEx(&config, kernel, joint, shape);
  }

  /** Masked: the columns whose units are consecutive samples, as those of a mask. */
  template <class Columns, uint32_t many, class Masked = Columns>
  cudaError_t over() const {
    if (own.table == TableKind::packed) {
      return joint.mask == nullptr ? with<Columns, many, Packed, false>() : with<Masked, many, Packed, true>();
    }
    return joint.mask == nullptr ? with<Columns, many, Replicas, false>() : with<Masked, many, Replicas, true>();
  }

  /** Cells and bytes that are counted as they are. */
  template <class Column, uint32_t many>
  cudaError_t codes() const {
    if (own.table == TableKind::global) return with<Alone<Column, false>, many, Global, false>();
    if (own.table == TableKind::packed) return with<Alone<Column, true>, many, Packed, false>();
    return with<Alone<Column, true>, many, Replicas, false>();
  }
};

char letterOf(const JointColumn &of) {
  if (of.lowering.kind == Kind::raw) return of.interleaved == 1 ? 'b' : 'p';
  if (of.interleaved != 1) return '?';
  const bool isHalf = of.lowering.type == Type::u16 || of.lowering.type == Type::i16;
  if (of.lowering.kind == Kind::direct && isHalf) return 'h';
  const bool isEven = of.lowering.kind == Kind::ranks && of.lowering.starts == nullptr;
  return isEven && of.lowering.type == Type::f32 ? 'f' : '?';
}

/** Whether no byte is counted by its upper bits only. */
bool isWhole(const Joint &joint) {
  return std::all_of(joint.column, joint.column + joint.columns, [](const JointColumn &of) { return of.lowering.shift == 0; });
}

/** Whether the columns are channels of one picture. */
bool isPicture(const Joint &joint) {
  const auto *const begin = joint.column, *const end = begin + joint.columns;
  return std::all_of(begin, end, [&](const JointColumn &of) {
    return letterOf(of) == 'p' && of.data == begin->data && of.interleaved == begin->interleaved;
  });
}

}  // namespace

cudaError_t fused(const Joint &joint, const Plan &plan, const Fused &own, cudaStream_t stream) {
  const Launch of{joint, plan, own, stream};
  if (own.table == TableKind::global) {
    const bool isHalf = joint.columns == 1 && letterOf(joint.column[0]) == 'h' && joint.mask == nullptr;
    return isHalf ? of.with<Alone<HalfColumn<16>, false>, 16, Global, false>() : cudaErrorInvalidValue;
  }
  if (isPicture(joint)) {
    if (joint.column[0].interleaved == 3) return of.over<PictureColumns<3, 16>, 16>();
    if (joint.column[0].interleaved == 4) return of.over<PictureColumns<4, 8>, 8>();
    return cudaErrorInvalidValue;
  }
  char letters[limits::MAX_JOINT_COLUMNS];
  std::transform(joint.column, joint.column + joint.columns, letters, letterOf);
  const std::string_view kinds(letters, joint.columns);
  // Tables of so few cells have a replica for each bank.
  if (kinds == "b") return of.over<Together<ByteColumn<16>>, 16>();
  if (kinds == "h" && joint.cells == limits::HALF_VALUES && joint.column[0].lowering.bins == limits::HALF_VALUES) {
    return of.over<AllHalves<16, 2>, 16, AllHalves<16>>();
  }
  if (kinds == "h") return of.over<Alone<HalfColumn<16>, true>, 16>();
  if (kinds == "f") return of.over<Alone<FloatColumn<8>, true>, 8>();
  if (kinds == "bb") return isWhole(joint) ? of.over<BytePair<16, true>, 16>() : of.over<BytePair<16, false>, 16>();
  if (kinds == "bbb") return of.over<Together<ByteColumn<16>, ByteColumn<16>, ByteColumn<16>>, 16>();
  if (kinds == "hb") {
    return of.over<Together<HalfColumn<16, 2>, ByteColumn<16, 2>>, 16, Together<HalfColumn<16>, ByteColumn<16>>>();
  }
  if (kinds == "hf") {
    return of.over<Together<HalfColumn<8, 2>, FloatColumn<8, 2>>, 8, Together<HalfColumn<8>, FloatColumn<8>>>();
  }
  if (kinds == "ff") return of.over<Together<FloatColumn<8>, FloatColumn<8>>, 8>();
  return cudaErrorInvalidValue;
}

cudaError_t fused(const Codes &codes, const Plan &plan, const Fused &own, cudaStream_t stream) {
  Joint joint{};
  joint.count = codes.count;
  joint.columns = 1;
  joint.cells = plan.cells;
  joint.counts = static_cast<Count *>(codes.counts);
  JointColumn &column = joint.column[0];
  column.data = codes.data;
  column.interleaved = column.stride = 1;
  column.extent = plan.cells;
  column.lowering.shift = codes.shift;
  const Launch of{joint, plan, own, stream};
  return codes.bytes ? of.codes<ByteColumn<16>, 16>() : of.codes<CellColumn<8>, 8>();
}

}  // namespace polybin
