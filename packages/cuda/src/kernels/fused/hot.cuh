// Units whose samples are often of the same few cells, for tables whose atomics make lanes that meet in a cell wait for
// one another. Their warp counts these cells in registers and adds each sum once.
#pragma once
#include "tables.cuh"

namespace polybin {

/** Returns the sum over a warp, to all lanes. */
__device__ __forceinline__ uint32_t sumOfWarp(uint32_t of) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(~0u, of);
#else
  for (uint32_t by = limits::WARP_THREADS / 2; by > 0; by /= 2) of += __shfl_xor_sync(~0u, of, by);
  return of;
#endif
}

// These take three instructions and no branch. The compiler would take twice as many, because it keeps every comparison.

/** Counts a number that is not the first, and collects in `strays` the bits in which it is not the second either. */
__device__ __forceinline__ void countSecond(uint32_t &many, uint32_t &strays, uint32_t one, uint32_t first, uint32_t second) {
#ifndef __CUDACC__
  many += one != first;
  strays |= one != first ? one ^ second : 0;
#else
  asm("{ .reg .pred p; setp.ne.u32 p, %2, %3; @p add.u32 %0, %0, 1; @p lop3.b32 %1, %1, %2, %4, 0xf6; }"
      : "+r"(many), "+r"(strays)
      : "r"(one), "r"(first), "r"(second));
#endif
}

/** Counts a number that is the hot one, and replaces it. */
__device__ __forceinline__ void countHot(uint32_t &many, uint32_t &one, uint32_t hot, uint32_t instead) {
#ifndef __CUDACC__
  many += one == hot;
  one = one == hot ? instead : one;
#else
  asm("{ .reg .pred p; setp.eq.u32 p, %1, %2; @p add.u32 %0, %0, 1; @p mov.u32 %1, %3; }"
      : "+r"(many), "+r"(one)
      : "r"(hot), "r"(instead));
#endif
}

/**
 * A unit's addresses in a table. `left` grows by the samples that the mask leaves out, whose address is table.masked.
 * No branch depends on one sample. A sample that is not added to the table goes to that address instead.
 */
template <uint32_t quarters, bool isMasked, class Table>
struct Unit {
  static constexpr uint32_t many = quarters * QUARTER, all = ~0u;
  const Table &table;
  const Counts &of;
  uint32_t at[many], masked = 0;

  template <class Find>
  __device__ __forceinline__ Unit(const Table &table, const Counts &of, Find find, uint32_t &left)
      : table(table), of(of) {
#pragma unroll
    for (uint32_t q = 0; q < quarters; q++) {
      uint32_t some[QUARTER];
      find(q, some);
#pragma unroll
      for (uint32_t i = 0; i < QUARTER; i++) at[q * QUARTER + i] = some[i];
    }
    if constexpr (isMasked) {
#pragma unroll
      for (uint32_t i = 0; i < many; i++) masked += at[i] == table.masked;
      left += masked;
    }
  }

  __device__ __forceinline__ bool isKept(uint32_t i) const { return !isMasked || at[i] != table.masked; }

  /**
   * Adds the samples. If neighbouring lanes often have the same cell, and this cell is not rare, the warp counts it and
   * up to three others in registers.
   */
  __device__ __forceinline__ void add() {
    // All lanes take part before one of them decides.
    const uint32_t neighbour = __shfl_sync(all, at[0], threadIdx.x + 1);
    const uint32_t pairs = __ballot_sync(all, (at[0] == neighbour) & isKept(0));
    if (__popc(pairs) < limits::FUSED_HOT_LANES) return addAll();
    uint32_t hot[limits::FUSED_HOT];
    hot[0] = __shfl_sync(all, at[0], __ffs(pairs) - 1);
    const uint32_t same = __ballot_sync(all, at[0] == hot[0]);
    if (__popc(same) < limits::FUSED_HOT_LANES) return addAll();
    uint32_t others = __ballot_sync(all, isKept(0)) & ~same;
    // A missing cell is ~0, which is no address.
    const auto next = [&] {
      const uint32_t found = __shfl_sync(all, at[0], __ffs(others) - 1), cell = others == 0 ? ~0u : found;
      others &= ~__ballot_sync(all, at[0] == cell);
      return cell;
    };
    hot[1] = next();
    if (areIn(hot[0], hot[1])) return;
    if (__popc(others) < limits::FUSED_HOT_LANES) return addAround<2>(hot);
#pragma unroll
    for (uint32_t h = 2; h < limits::FUSED_HOT; h++) hot[h] = next();
    addAround<limits::FUSED_HOT>(hot);
  }

 private:
  __device__ __forceinline__ void addAll() const {
#pragma unroll
    for (uint32_t q = 0; q < quarters; q++) {
      uint32_t some[QUARTER];
#pragma unroll
      for (uint32_t i = 0; i < QUARTER; i++) some[i] = at[q * QUARTER + i];
      table.addQuarter(of, some);
    }
  }

  /** If all samples of the warp are in two cells, adds both numbers. Only those of the second are counted. */
  __device__ __forceinline__ bool areIn(uint32_t first, uint32_t second) const {
    uint32_t seconds = 0, strays = 0;
#pragma unroll
    for (uint32_t i = 0; i < many; i++) {
      countSecond(seconds, strays, isKept(i) ? at[i] : first, first, second);
    }
    if (__any_sync(all, strays != 0)) return false;
    seconds = sumOfWarp(seconds);
    const uint32_t kept = isMasked ? sumOfWarp(many - masked) : many * limits::WARP_THREADS;
    const uint32_t lane = threadIdx.x % limits::WARP_THREADS, mine = lane == 0 ? kept - seconds : seconds;
    if (lane < 2 && mine != 0) table.add(of, lane == 0 ? first : second, mine);
    return true;
  }

  /** Counts the samples of `most` hot cells in registers, and adds the others to the table. */
  template <uint32_t most>
  __device__ __forceinline__ void addAround(const uint32_t *hot) {
    uint32_t counts[most] = {}, strays = 0;
#pragma unroll
    for (uint32_t i = 0; i < many; i++) {
#pragma unroll
      for (uint32_t h = 0; h < most; h++) countHot(counts[h], at[i], hot[h], table.masked);
      strays |= at[i] ^ table.masked;
    }
    // Atomics on sinks only would take their places in the pipe.
    if (__any_sync(all, strays != 0)) addAll();
    const uint32_t lane = threadIdx.x % limits::WARP_THREADS;
    uint32_t cell = 0, mine = 0;
#pragma unroll
    for (uint32_t h = 0; h < most; h++) {
      const uint32_t sum = sumOfWarp(counts[h]);
      if (lane == h) {
        cell = hot[h];
        mine = sum;
      }
    }
    if (mine != 0) table.add(of, cell, mine);
  }
};

/** Counters in global memory. An address is a cell. */
struct Global {
  static constexpr uint32_t origin = 0, masked = ~0u;
  static constexpr bool readsAhead = false, isPrepared = false;

  __device__ Global(const FusedShape &) {}
  __host__ __device__ static uint32_t words(const FusedShape &) { return 0; }
  __device__ __forceinline__ void add(const Counts &of, uint32_t at, uint32_t many) const { of.add(at, many); }
  __device__ __forceinline__ void addOne(const Counts &of, uint32_t at) const { of.add(at, 1); }
  __device__ __forceinline__ void addQuarter(const Counts &of, const uint32_t (&at)[QUARTER]) const {
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) {
      if (at[i] != masked) of.add(at[i], 1);
    }
  }
  template <uint32_t quarters, bool isMasked, class Find>
  __device__ __forceinline__ void addUnit(const Counts &of, Find find, uint32_t &left) const {
    Unit<quarters, isMasked, Global>(*this, of, find, left).add();
  }
  __device__ void flush(const Counts &) const {}
};

}  // namespace polybin
