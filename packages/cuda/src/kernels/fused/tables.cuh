// Where `fused` counts: a table in shared memory. A sample's address grows with its place in each column by that
// column's step, so finding it takes one multiplication per column.
//
//   slot = sum of place_k * pad_k     pad_k = pad_(k+1) * extent_(k+1) + 1 instead of a product of extents
//
// The odd distances keep samples that differ in one column only out of each other's bank. A slot after the last counts
// the samples that the mask leaves out.
#pragma once
#include "generated/kernels/fused.cuh"
#include "kernels/columns.cuh"

namespace polybin {

/** Values that the launch computes once for all threads. */
struct FusedShape {
  uint32_t replicas, slots;
  /** The slot of the first cell, to subtract: that of the ranks that columns without flow do not have. */
  uint32_t offset;
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
    if (joint.columns == 1) return gathered(slot);
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
      for (uint32_t cell = threadIdx.x; cell < joint.cells; cell += blockDim.x) each(cell, spread(cell));
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
  uint32_t origin, masked;

  __device__ Replicas(const FusedShape &shape)
      : origin(sharedAddress(sharedWords()) + (threadIdx.x & (shape.replicas - 1)) * unit),
        masked(origin + shape.slots * shape.replicas * unit) {
    origin -= shape.offset * shape.replicas * unit;
  }
  __device__ static uint32_t words(const FusedShape &shape) { return (shape.slots + 1) * shape.replicas; }
  __device__ __forceinline__ void addOne(const Counts &, uint32_t at) const {
    addOneTo(at);
  }
  template <uint32_t quarters, class Find>
  __device__ __forceinline__ void addUnit(const Counts &of, Find find) const {
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

/**
 * 16-bit counters, two in a word: slot s in half s mod 2 of word s / 2. A sample's address is 16 * s + 8 * (the table's
 * address): its low five bits are the shift of its half, and the others divided by 8 its word.
 *
 * The atomic returns the old value. Whoever lifts a counter over a multiple of FUSED_SPILL takes FUSED_SPILL out and adds
 * it to the counts. Nothing else is ever taken out, so a counter never borrows from its neighbour. It never overflows
 * either: all threads of a block meet at a barrier after at most FUSED_BETWEEN samples each, and
 * FUSED_SPILL - 1 + FUSED_THREADS * FUSED_BETWEEN < 2^16.
 *
 * This atomic makes lanes that meet in a word wait for one another. If neighbouring lanes often have the same cell, the
 * warp finds up to FUSED_HOT such cells, and counts them in registers.
 */
struct Packed {
  static constexpr uint32_t unit = 16;
  uint32_t origin, masked;

  __device__ Packed(const FusedShape &shape)
      : origin(sharedAddress(sharedWords()) * 8), masked(origin + shape.slots * unit) {
    origin -= shape.offset * unit;
  }
  __device__ static uint32_t words(const FusedShape &shape) { return shape.slots / 2 + 1; }

  __device__ __forceinline__ static uint32_t wordOf(uint32_t at) { return at >> 3 & ~3u; }
  __device__ __forceinline__ static uint32_t oneOf(uint32_t at) { return __funnelshift_l(0, 1, at); }
  static constexpr uint32_t bits = limits::FUSED_SPILL * 0x10001u;
  static constexpr uint32_t between = limits::FUSED_BETWEEN;

  /** A counter was lifted over a multiple of FUSED_SPILL. */
  __device__ __noinline__ static void spill(const Counts &of, uint32_t at) {
    addTo(wordOf(at), 0 - (limits::FUSED_SPILL << (at & 16)));
    of.add(of.cellOf((at - sharedAddress(sharedWords()) * 8) / unit), limits::FUSED_SPILL);
  }
  __device__ __forceinline__ static void check(const Counts &of, uint32_t at, uint32_t amount, uint32_t old) {
    if (((old + amount ^ old) & bits) != 0) spill(of, at);
  }
  /** Adds up to FUSED_SPILL samples. */
  __device__ __forceinline__ void add(const Counts &of, uint32_t at, uint32_t many) const {
    const uint32_t amount = many << (at & 16);
    check(of, at, amount, fetchAdd(wordOf(at), amount));
  }
  __device__ __forceinline__ void addOne(const Counts &of, uint32_t at) const { add(of, at, 1); }
  __device__ __forceinline__ void addQuarter(const Counts &of, const uint32_t (&at)[QUARTER]) const {
    uint32_t old[QUARTER];
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) old[i] = fetchAdd(wordOf(at[i]), oneOf(at[i]));
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) check(of, at[i], oneOf(at[i]), old[i]);
  }

  template <uint32_t quarters, class Find>
  __device__ __forceinline__ void addUnit(const Counts &of, Find find) const {
    constexpr uint32_t all = ~0u;
    const uint32_t lane = threadIdx.x % limits::WARP_THREADS;
    uint32_t at[QUARTER];
    find(0, at);
    const uint32_t equal = __ballot_sync(all, at[0] == __shfl_sync(all, at[0], lane + 1));
    if (__popc(equal) < limits::FUSED_HOT_LANES) {
      addQuarter(of, at);
#pragma unroll
      for (uint32_t q = 1; q < quarters; q++) {
        find(q, at);
        addQuarter(of, at);
      }
      return;
    }
    uint32_t hot[limits::FUSED_HOT], many[limits::FUSED_HOT] = {};
    uint32_t rest = equal;
#pragma unroll
    for (uint32_t h = 0; h < limits::FUSED_HOT; h++) {
      // Without another hot cell the last one is taken again, and has no samples.
      hot[h] = __shfl_sync(all, at[0], __ffs(rest == 0 ? equal : rest) - 1);
      rest &= ~__ballot_sync(all, at[0] == hot[h]);
    }
#pragma unroll
    for (uint32_t q = 0; q < quarters; q++) {
      if (q > 0) find(q, at);
#pragma unroll
      for (uint32_t i = 0; i < QUARTER; i++) {
        bool isHot = false;
#pragma unroll
        for (uint32_t h = 0; h < limits::FUSED_HOT; h++) {
          const bool is = !isHot && at[i] == hot[h];
          many[h] += is;
          isHot = isHot || is;
        }
        if (!isHot) add(of, at[i], 1);
      }
    }
    __syncwarp();
#pragma unroll
    for (uint32_t h = 0; h < limits::FUSED_HOT; h++) {
      many[h] = __reduce_add_sync(all, many[h]);
      if (lane == h && many[h] != 0) add(of, hot[h], many[h]);
    }
  }

  __device__ void flush(const Counts &of) const {
    const auto *const halves = reinterpret_cast<const uint16_t *>(sharedWords());
    of.eachSlot([&](uint32_t cell, uint32_t slot) { of.add(cell, halves[slot]); });
  }
};

}  // namespace polybin
