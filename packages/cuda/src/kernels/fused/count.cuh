#pragma once
#include "tables.cuh"
#include "kernels/launch.cuh"

namespace polybin {

/** The samples that the mask leaves out. */
template <bool isMasked, uint32_t many>
struct Mask {
  struct Held {};
  __device__ Mask(const Joint &) {}
  __device__ __forceinline__ void load(Held &, uint64_t) const {}
  __device__ __forceinline__ void leaveOut(const Held &, uint32_t, uint32_t (&)[QUARTER], uint32_t) const {}
  __device__ __forceinline__ bool keeps(uint64_t) const { return true; }
};

template <uint32_t many>
struct Mask<true, many> {
  struct Held {
    uint32_t words[many / 4];
  };
  const uint8_t *data;
  bool bits;

  __device__ Mask(const Joint &of) : data(of.mask), bits(of.maskBits) {}
  __device__ __forceinline__ void load(Held &to, uint64_t unit) const {
    if (!bits) return loadWords(to.words, data + unit * many);
    if constexpr (many == 16) to.words[0] = __ldg(reinterpret_cast<const uint16_t *>(data) + unit);
    else to.words[0] = __ldg(data + unit);
  }
  __device__ __forceinline__ void leaveOut(const Held &held, uint32_t quarter, uint32_t (&at)[QUARTER], uint32_t masked) const {
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) {
      const uint32_t keep = bits ? held.words[0] & 1u << (QUARTER * quarter + i) : held.words[quarter] & 0xffu << 8 * i;
      if (keep == 0) at[i] = masked;
    }
  }
  __device__ __forceinline__ bool keeps(uint64_t sample) const {
    return bits ? data[sample / 8] >> sample % 8 & 1 : data[sample] != 0;
  }
};

template <class Columns, uint32_t many, class Table, bool isMasked>
__global__ void __launch_bounds__(limits::FUSED_THREADS, 1)
    countFused(const __grid_constant__ Joint joint, const __grid_constant__ FusedShape shape) {
  char *const memory = reinterpret_cast<char *>(sharedWords());
  for (uint32_t i = threadIdx.x; i < Table::words(shape); i += blockDim.x) sharedWords()[i] = 0;
  const Columns columns(joint, shape, memory);
  __syncthreads();
  const Mask<isMasked, many> mask(joint);
  const Table table(shape);
  const Counts counts{joint, shape};

  constexpr uint32_t warp = limits::WARP_THREADS;
  struct Held {
    typename Columns::Held columns;
    typename Mask<isMasked, many>::Held mask;
  } now, next;
  const uint64_t rows = joint.count / (many * warp);
  const uint32_t warps = blockDim.x / warp, step = gridDim.x * warps;
  const auto load = [&](uint64_t row) {
    const uint64_t unit = row * warp + threadIdx.x % warp;
    columns.load(next.columns, unit);
    mask.load(next.mask, unit);
  };
  uint64_t row = blockIdx.x * warps + threadIdx.x / warp;
  if (row < rows) load(row);
  uint32_t since = 0;
  // All warps of the block take the same number of steps, because there are barriers.
  for (uint64_t first = blockIdx.x * warps; first < rows; first += step, row += step) {
    if (row < rows) {
      now = next;
      if (row + step < rows) load(row + step);
      table.template addUnit<many / QUARTER>(counts, [&](uint32_t quarter, uint32_t (&at)[QUARTER]) {
#pragma unroll
        for (uint32_t i = 0; i < QUARTER; i++) at[i] = table.origin;
        columns.add(now.columns, quarter, at);
        mask.leaveOut(now.mask, quarter, at, table.masked);
      });
    }
    if constexpr (Table::between != 0) {
      since += many;
      if (since + many <= Table::between) continue;
      since = 0;
      __syncthreads();
    }
  }
  if constexpr (Table::between != 0) __syncthreads();
  const uint64_t rest = rows * many * warp + blockIdx.x * blockDim.x + threadIdx.x;
  for (uint64_t i = rest; i < joint.count; i += gridDim.x * blockDim.x) {
    table.addOne(counts, mask.keeps(i) ? table.origin + columns.partOf(i) : table.masked);
  }
  // Inline assembly changed the counters, which the compiler does not know.
  asm volatile("" ::: "memory");
  __syncthreads();
  table.flush(counts);
}

template <class Columns, uint32_t many, class Table, bool isMasked>
cudaError_t launchOne(const Joint &joint, const Plan &plan, const FusedShape &shape, uint32_t bytes, cudaStream_t stream) {
  const auto kernel = countFused<Columns, many, Table, isMasked>;
  const cudaError_t refused = allowShared(reinterpret_cast<const void *>(kernel), plan.threads, bytes);
  if (refused != cudaSuccess) return refused;
  kernel<<<plan.blocks, plan.threads, bytes, stream>>>(joint, shape);
  return cudaGetLastError();
}

template <class Columns, uint32_t many>
cudaError_t launchColumns(const Joint &joint, const Plan &plan, const Fused &own, const FusedShape &shape, uint32_t bytes,
                          cudaStream_t stream) {
  if (joint.mask != nullptr) {
    return own.packed ? launchOne<Columns, many, Packed, true>(joint, plan, shape, bytes, stream)
                      : launchOne<Columns, many, Replicas, true>(joint, plan, shape, bytes, stream);
  }
  return own.packed ? launchOne<Columns, many, Packed, false>(joint, plan, shape, bytes, stream)
                    : launchOne<Columns, many, Replicas, false>(joint, plan, shape, bytes, stream);
}

inline cudaError_t launchFused(const Joint &joint, const Plan &plan, const Fused &own, const FusedShape &shape, uint32_t bytes,
                        cudaStream_t stream) {
  const auto kind = [&](uint32_t k) {
    const JointColumn &of = joint.column[k];
    if (k >= joint.columns) return ' ';
    if (of.lowering.kind == Kind::raw) return of.interleaved == 1 ? 'b' : 'p';
    if (of.lowering.kind == Kind::direct) return of.lowering.type == Type::u32 ? 'c' : 'h';
    return 'f';
  };
  const char kinds[] = {kind(0), kind(1), kind(2), 0};
  const std::string of(kinds);
  const auto go = [&](auto *columns, auto many) {
    return launchColumns<std::remove_pointer_t<decltype(columns)>, decltype(many)::value>(joint, plan, own, shape, bytes, stream);
  };
  std::integral_constant<uint32_t, 16> sixteen;
  std::integral_constant<uint32_t, 8> eight;
  if (of == "bb ") return go(static_cast<Together<ByteColumn<16>, ByteColumn<16>> *>(nullptr), sixteen);
  if (of == "bbb") return go(static_cast<Together<ByteColumn<16>, ByteColumn<16>, ByteColumn<16>> *>(nullptr), sixteen);
  if (of == "hb ") return go(static_cast<Together<HalfColumn<16>, ByteColumn<16>> *>(nullptr), sixteen);
  if (of == "hf ") return go(static_cast<Together<HalfColumn<8>, FloatColumn<8>> *>(nullptr), eight);
  if (of == "ff ") return go(static_cast<Together<FloatColumn<8>, FloatColumn<8>> *>(nullptr), eight);
  if (of == "b  ") return go(static_cast<Alone<ByteColumn<16>> *>(nullptr), sixteen);
  if (of[0] == 'p') return go(static_cast<PictureColumns<3, 16> *>(nullptr), sixteen);
  if (of == "h  ") return go(static_cast<Alone<HalfColumn<16>> *>(nullptr), sixteen);
  if (of == "c  ") return go(static_cast<Alone<CellColumn<8>> *>(nullptr), eight);
  return cudaErrorInvalidValue;
}

}  // namespace polybin
