// Where `fused` counts: a table in shared memory. A sample's address grows with its place in each column by that
// column's step, so finding it takes one multiplication per column.
//
//   slot = sum of place_k * pad_k     pad_k: the first number from pad_(k+1) * extent_(k+1) on that is 6 modulo 8
//
// With these distances, samples that differ in one column, or in two by the same amount, seldom share a bank. Products of
// extents are often powers of two, so all such samples would. A slot after the last is that of the samples that the mask
// leaves out.
#pragma once
#include "generated/kernels/fused.cuh"
#include "kernels/columns.cuh"

namespace polybin {

/** Values that the launch computes once for all threads. */
struct FusedShape {
  uint32_t replicas, slots;
  /** Whether the places of the only column are spread over the slots. */
  bool isSpread;
  uint32_t pad[limits::MAX_JOINT_COLUMNS], step[limits::MAX_JOINT_COLUMNS];
  Lookup lookup[limits::MAX_JOINT_COLUMNS];
};

/** Moves counts to global memory. */
struct Counts {
  const Joint &joint;
  const FusedShape &shape;

  __device__ __forceinline__ void add(uint32_t cell, Count count) const {
    Count *const to = cell < joint.cells ? joint.counts + cell : joint.masked;
    if (count != 0 && to != nullptr) atomicAdd(to, count);
  }

  /** The cell of a slot. */
  __device__ uint32_t cellOf(uint32_t slot) const {
    if (slot == shape.slots) return joint.cells;
    if (joint.columns == 1) return shape.isSpread ? spread(slot) : slot;
    uint32_t cell = 0;
    for (uint32_t k = 0; k < joint.columns; k++) {
      cell += slot / shape.pad[k] * joint.column[k].stride;
      slot %= shape.pad[k];
    }
    return cell;
  }

  /** Calls `each` with the slots of all cells, with all threads of the block. A warp takes the places of the last column. */
  template <class Each>
  __device__ void eachSlot(Each each) const {
    if (threadIdx.x == 0) each(joint.cells, shape.slots);
    if (joint.columns == 1) {
      for (uint32_t cell = threadIdx.x; cell < joint.cells; cell += blockDim.x) {
        each(cell, shape.isSpread ? spread(cell) : cell);
      }
      return;
    }
    const uint32_t last = joint.column[joint.columns - 1].extent;
    const uint32_t rows = joint.cells / last, lane = threadIdx.x % limits::WARP_THREADS;
    for (uint32_t row = threadIdx.x / limits::WARP_THREADS; row < rows; row += blockDim.x / limits::WARP_THREADS) {
      uint32_t slot = 0, cell = row * last;
      for (uint32_t k = 0; k + 1 < joint.columns; k++) {
        slot += cell / joint.column[k].stride * shape.pad[k];
        cell %= joint.column[k].stride;
      }
      for (uint32_t i = lane; i < last; i += limits::WARP_THREADS) each(row * last + i, slot + i);
    }
  }
};

/**
 * Copies of 32-bit counters: slot s of lane l at s * R + l mod R. An atomic that adds 1 counts the lanes of a warp that
 * meet in a counter in one step, so hot cells cost no more than others.
 */
struct Replicas {
  static constexpr uint32_t unit = sizeof(uint32_t);
  /** Samples of a thread between two barriers. 0: counters cannot overflow, so no barrier is needed. */
  static constexpr uint32_t between = 0;
  /** Whether the memory can be the bound. */
  static constexpr bool readsAhead = true;
  uint32_t origin, masked;

  __device__ Replicas(const FusedShape &shape)
      : origin(sharedAddress(sharedWords()) + (threadIdx.x & (shape.replicas - 1)) * unit),
        masked(origin + shape.slots * shape.replicas * unit) {}
  __host__ __device__ static uint32_t words(const FusedShape &shape) { return (shape.slots + 1) * shape.replicas; }
  __device__ __forceinline__ void addOne(const Counts &, uint32_t at) const {
    addOneTo(at);
  }
  template <uint32_t quarters, bool isMasked, class Find>
  __device__ __forceinline__ void addUnit(const Counts &of, Find find, uint32_t &) const {
#pragma unroll
    for (uint32_t q = 0; q < quarters; q++) {
      uint32_t at[QUARTER];
      find(q, at);
#pragma unroll
      for (uint32_t i = 0; i < QUARTER; i++) addOne(of, at[i]);
    }
  }
  __device__ void flush(const Counts &of) const {
    const uint32_t replicas = of.shape.replicas;
    const uint32_t *const table = sharedWords();
    of.eachSlot([&](uint32_t cell, uint32_t slot) {
      uint32_t sum = 0;
      for (uint32_t i = 0; i < replicas; i++) sum += table[slot * replicas + ((i + slot) & (replicas - 1))];
      of.add(cell, sum);
    });
  }
};

/** Returns the sum over a warp, to all lanes. */
__device__ __forceinline__ uint32_t sumOfWarp(uint32_t of) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(~0u, of);
#else
  for (uint32_t by = limits::WARP_THREADS / 2; by > 0; by /= 2) of += __shfl_xor_sync(~0u, of, by);
  return of;
#endif
}

/** Finds four addresses, and which of them the mask does not leave out. `left` grows by the others. */
template <bool isMasked, class Table, class Find>
__device__ __forceinline__ void findWanted(const Table &table, Find find, uint32_t quarter, uint32_t (&at)[QUARTER],
                                           bool (&wanted)[QUARTER], uint32_t &left) {
  find(quarter, at);
#pragma unroll
  for (uint32_t i = 0; i < QUARTER; i++) {
    wanted[i] = !isMasked || at[i] != table.masked;
    if (isMasked) left += !wanted[i];
  }
}

/** Counts a unit's samples in `most` hot cells in registers, and adds the others. A missing hot cell is ~0. */
template <uint32_t most, uint32_t quarters, bool isMasked, class Table, class Find>
__device__ __forceinline__ void addAround(const uint32_t *hot, const Table &table, const Counts &of, Find find,
                                          uint32_t &left) {
  uint32_t many[most] = {};
#pragma unroll
  for (uint32_t q = 0; q < quarters; q++) {
    uint32_t at[QUARTER];
    bool wanted[QUARTER], any = false;
    findWanted<isMasked>(table, find, q, at, wanted, left);
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) {
#pragma unroll
      for (uint32_t h = 0; h < most; h++) {
        const bool is = at[i] == hot[h];
        many[h] += is;
        wanted[i] = wanted[i] && !is;
      }
      any = any || wanted[i];
    }
    if (any) table.template addQuarter<true>(of, at, wanted);
  }
  __syncwarp();
#pragma unroll
  for (uint32_t h = 0; h < most; h++) {
    many[h] = sumOfWarp(many[h]);
    if (threadIdx.x % limits::WARP_THREADS == h && many[h] != 0) table.add(of, hot[h], many[h]);
  }
}

/**
 * Adds a unit to a table whose atomics make lanes that meet in a cell wait for one another. If neighbouring lanes often
 * have the same cell, the warp finds up to FUSED_HOT such cells, and counts them in registers. `left` grows by the
 * samples that the mask leaves out.
 */
template <uint32_t quarters, bool isMasked, class Table, class Find>
__device__ __forceinline__ void addHot(const Table &table, const Counts &of, Find find, uint32_t &left) {
  constexpr uint32_t all = ~0u, few = limits::FUSED_HOT / 2;
  uint32_t at[QUARTER];
  find(0, at);
  // All lanes take part before one of them decides.
  const uint32_t neighbour = __shfl_sync(all, at[0], threadIdx.x + 1);
  const bool isEqual = at[0] == neighbour && !(isMasked && at[0] == table.masked);
  uint32_t rest = __ballot_sync(all, isEqual);
  if (__popc(rest) < limits::FUSED_HOT_LANES) {
#pragma unroll
    for (uint32_t q = 0; q < quarters; q++) {
      bool wanted[QUARTER];
      findWanted<isMasked>(table, find, q, at, wanted, left);
      table.template addQuarter<isMasked>(of, at, wanted);
    }
    return;
  }
  uint32_t hot[limits::FUSED_HOT];
#pragma unroll
  for (uint32_t h = 0; h < limits::FUSED_HOT; h++) {
    const uint32_t found = __shfl_sync(all, at[0], __ffs(rest) - 1);
    hot[h] = rest == 0 ? ~0u : found;
    rest &= ~__ballot_sync(all, at[0] == hot[h]);
  }
  if (hot[few] == ~0u) addAround<few, quarters, isMasked>(hot, table, of, find, left);
  else addAround<limits::FUSED_HOT, quarters, isMasked>(hot, table, of, find, left);
}

/**
 * 16-bit counters, two in a word: slot s in half s mod 2 of word s / 2. A sample's address is 16 * s + 8 * (the table's
 * address): its low five bits are the shift of its half, and the others divided by 8 its word.
 *
 * The atomic returns the old value. Whoever lifts a counter over a multiple of FUSED_SPILL takes FUSED_SPILL out and adds
 * it to the counts. Nothing else is ever taken out, so a counter never borrows from its neighbour. It never overflows
 * either: all threads of a block meet at a barrier after at most FUSED_BETWEEN samples each, and
 * FUSED_SPILL - 1 + FUSED_THREADS * FUSED_BETWEEN < 2^16.
 */
struct Packed {
  static constexpr uint32_t unit = 16;
  uint32_t origin, masked;

  __device__ Packed(const FusedShape &shape)
      : origin(sharedAddress(sharedWords()) * 8), masked(origin + shape.slots * unit) {}
  __host__ __device__ static uint32_t words(const FusedShape &shape) { return shape.slots / 2 + 1; }

  __device__ __forceinline__ static uint32_t wordOf(uint32_t at) { return at >> 3 & ~3u; }
  __device__ __forceinline__ static uint32_t oneOf(uint32_t at) { return __funnelshift_l(0, 1, at); }
  static constexpr uint32_t bits = limits::FUSED_SPILL * 0x10001u;
  static constexpr uint32_t between = limits::FUSED_BETWEEN;
  static constexpr bool readsAhead = false;

  /** A counter was lifted over a multiple of FUSED_SPILL. */
  __device__ __noinline__ static void spill(const Counts &of, uint32_t at) {
    addTo(wordOf(at), 0 - (limits::FUSED_SPILL << (at & 16)));
    of.add(of.cellOf((at - sharedAddress(sharedWords()) * 8) / unit), limits::FUSED_SPILL);
  }
  /** Adds up to FUSED_SPILL samples. */
  __device__ __forceinline__ void add(const Counts &of, uint32_t at, uint32_t many) const {
    const uint32_t amount = many << (at & 16), old = fetchAdd(wordOf(at), amount);
    if (((old + amount ^ old) & bits) != 0) spill(of, at);
  }
  __device__ __forceinline__ void addOne(const Counts &of, uint32_t at) const { add(of, at, 1); }
  /** Adds those of four samples that are wanted. */
  template <bool choose>
  __device__ __forceinline__ void addQuarter(const Counts &of, const uint32_t (&at)[QUARTER],
                                             const bool (&wanted)[QUARTER]) const {
    uint32_t lifted[QUARTER], any = 0;
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) {
      const uint32_t one = oneOf(at[i]);
      // A sample that is not added lifts nothing.
      const uint32_t old = choose ? fetchAddIf(wanted[i], wordOf(at[i]), one) : fetchAdd(wordOf(at[i]), one);
      lifted[i] = old + one ^ old;
    }
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) any |= lifted[i];
    if ((any & bits) == 0) return;
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) {
      if ((lifted[i] & bits) != 0) spill(of, at[i]);
    }
  }

  template <uint32_t quarters, bool isMasked, class Find>
  __device__ __forceinline__ void addUnit(const Counts &of, Find find, uint32_t &left) const {
    addHot<quarters, isMasked>(*this, of, find, left);
  }

  __device__ void flush(const Counts &of) const {
    const auto *const halves = reinterpret_cast<const uint16_t *>(sharedWords());
    of.eachSlot([&](uint32_t cell, uint32_t slot) { of.add(cell, halves[slot]); });
  }
};

/** Counters in global memory. An address is a cell. */
struct Global {
  static constexpr uint32_t between = 0, origin = 0;
  static constexpr bool readsAhead = false;
  uint32_t masked;

  __device__ Global(const FusedShape &shape) : masked(shape.slots) {}
  __host__ __device__ static uint32_t words(const FusedShape &) { return 0; }
  __device__ __forceinline__ void add(const Counts &of, uint32_t at, uint32_t many) const { of.add(at, many); }
  __device__ __forceinline__ void addOne(const Counts &of, uint32_t at) const { of.add(at, 1); }
  template <bool choose>
  __device__ __forceinline__ void addQuarter(const Counts &of, const uint32_t (&at)[QUARTER],
                                             const bool (&wanted)[QUARTER]) const {
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) {
      if (!choose || wanted[i]) of.add(at[i], 1);
    }
  }
  template <uint32_t quarters, bool isMasked, class Find>
  __device__ __forceinline__ void addUnit(const Counts &of, Find find, uint32_t &left) const {
    addHot<quarters, isMasked>(*this, of, find, left);
  }
  __device__ void flush(const Counts &) const {}
};

}  // namespace polybin
