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

/** Returns how many of four numbers are this one. */
__device__ __forceinline__ uint32_t countOf(const uint32_t (&four)[QUARTER], uint32_t one) {
  uint32_t many = 0;
#pragma unroll
  for (uint32_t i = 0; i < QUARTER; i++) many += four[i] == one;
  return many;
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

/** No address. */
constexpr uint32_t noCell = ~0u;

/** Returns a cell in which lanes often meet, and often neighbouring ones. */
__device__ __forceinline__ uint32_t hotCell(uint32_t mine, bool isKept) {
  // All lanes take part before one of them decides.
  const uint32_t neighbour = __shfl_sync(~0u, mine, threadIdx.x + 1);
  const uint32_t pairs = __ballot_sync(~0u, (mine == neighbour) & isKept);
  if (__popc(pairs) < limits::FUSED_HOT_LANES) return noCell;
  const uint32_t cell = __shfl_sync(~0u, mine, __ffs(pairs) - 1);
  return __popc(__ballot_sync(~0u, mine == cell)) < limits::FUSED_HOT_LANES ? noCell : cell;
}

/** The addresses in a table of a unit whose samples are often of the same cells. The first of these is known. */
template <uint32_t quarters, bool isMasked, class Table>
struct HotUnit {
  static constexpr uint32_t many = quarters * QUARTER, all = ~0u;
  const Table &table;
  const Counts &of;
  uint32_t at[many], masked = 0;

  template <class Find>
  __device__ __forceinline__ HotUnit(const Table &table, const Counts &of, Find find, uint32_t &left)
      : table(table), of(of) {
#pragma unroll
    for (uint32_t q = 0; q < quarters; q++) {
      uint32_t some[QUARTER];
      find(q, some);
#pragma unroll
      for (uint32_t i = 0; i < QUARTER; i++) at[q * QUARTER + i] = some[i];
      if constexpr (isMasked) masked += countOf(some, table.masked);
    }
    left += masked;
  }

  __device__ __forceinline__ void addAll() const {
#pragma unroll
    for (uint32_t q = 0; q < quarters; q++) {
      uint32_t some[QUARTER];
#pragma unroll
      for (uint32_t i = 0; i < QUARTER; i++) some[i] = at[q * QUARTER + i];
      table.addQuarter(of, some);
    }
  }

  /** Counts the first cell and up to three others in registers. */
  __device__ __forceinline__ void add(uint32_t first) {
    // Lanes offer their first or their last sample.
    const uint32_t mine = at[0] != first ? at[0] : at[many - 1];
    uint32_t others = __ballot_sync(all, (mine != first) & (mine != table.masked));
    const auto next = [&] {
      const uint32_t found = __shfl_sync(all, mine, __ffs(others) - 1), cell = others == 0 ? noCell : found;
      others &= ~__ballot_sync(all, mine == cell);
      return cell;
    };
    uint32_t hot[limits::FUSED_HOT] = {first, next()};
    if (areIn(hot[0], hot[1])) return;
    if (__popc(others) < limits::FUSED_HOT_LANES) return addAround<2>(hot);
#pragma unroll
    for (uint32_t h = 2; h < limits::FUSED_HOT; h++) hot[h] = next();
    addAround<limits::FUSED_HOT>(hot);
  }

 private:
  /** If all samples of the warp are in two cells, adds both numbers. Only those of the second are counted. */
  __device__ __forceinline__ bool areIn(uint32_t first, uint32_t second) const {
    uint32_t seconds = 0, strays = 0;
#pragma unroll
    for (uint32_t i = 0; i < many; i++) {
      const bool isKept = !isMasked || at[i] != table.masked;
      countSecond(seconds, strays, isKept ? at[i] : first, first, second);
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

/**
 * Adds a unit. If neighbouring lanes often have the same cell, and this cell is not rare, the warp counts it and a few others
 * in registers. No branch depends on one sample: a sample that is not added to the table goes to table.masked instead, as
 * those do that the mask leaves out, by whose number `left` grows.
 */
template <uint32_t quarters, bool isMasked, class Table, class Find>
__device__ __forceinline__ void addHot(const Table &table, const Counts &of, Find find, uint32_t &left) {
  if constexpr (isMasked) {
    HotUnit<quarters, isMasked, Table> unit(table, of, find, left);
    const uint32_t first = hotCell(unit.at[0], unit.at[0] != table.masked);
    return first == noCell ? unit.addAll() : unit.add(first);
  }
  // Fewer registers are needed if addresses are found when they are used.
  uint32_t at[QUARTER];
  find(0, at);
  const uint32_t first = hotCell(at[0], true);
  if (first != noCell) return HotUnit<quarters, isMasked, Table>(table, of, find, left).add(first);
#pragma unroll
  for (uint32_t q = 0; q < quarters; q++) {
    if (q > 0) find(q, at);
    table.addQuarter(of, at);
  }
}

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
    addHot<quarters, isMasked>(*this, of, find, left);
  }
  __device__ void flush(const Counts &) const {}
};

}  // namespace polybin
