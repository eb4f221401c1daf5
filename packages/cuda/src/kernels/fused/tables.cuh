// Where `fused` counts: a table in shared memory. A sample's address grows with its place in each column by that
// column's step, so finding it takes one multiplication per column.
//
//   slot = sum of place_k * pad_k     pad_k: the first number from pad_(k+1) * extent_(k+1) on that is 6 modulo 8
//
// With these distances, samples that differ in one column, or in two by the same amount, seldom share a bank. Products of
// extents are often powers of two, so all such samples would. A slot after the last is that of the samples that the mask
// leaves out.
#pragma once
#include "columns.cuh"
#include "generated/kernels/fused.cuh"

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

  /**
   * Calls `each` with the slots of all cells, with all threads of the block. A warp takes the places of the last column.
   * Blocks start at different places, because all of them add to the same counts at the same time.
   */
  template <class Each>
  __device__ void eachSlot(Each each) const {
    constexpr uint32_t warp = limits::WARP_THREADS;
    if (threadIdx.x == 0) each(joint.cells, shape.slots);
    if (joint.columns == 1) {
      const uint32_t first = joint.cells / gridDim.x * blockIdx.x / warp * warp;
      for (uint32_t i = threadIdx.x; i < joint.cells; i += blockDim.x) {
        const uint32_t cell = wrapped(first + i, joint.cells);
        each(cell, shape.isSpread ? spread(cell) : cell);
      }
      return;
    }
    const uint32_t last = joint.column[joint.columns - 1].extent, rows = joint.cells / last;
    const uint32_t first = rows * blockIdx.x / gridDim.x;
    for (uint32_t i = threadIdx.x / warp; i < rows; i += blockDim.x / warp) {
      const uint32_t row = wrapped(first + i, rows);
      uint32_t slot = 0, cell = row * last;
      for (uint32_t k = 0; k + 1 < joint.columns; k++) {
        slot += cell / joint.column[k].stride * shape.pad[k];
        cell %= joint.column[k].stride;
      }
      for (uint32_t j = threadIdx.x % warp; j < last; j += warp) each(row * last + j, slot + j);
    }
  }

 private:
  __device__ static uint32_t wrapped(uint32_t i, uint32_t size) { return i < size ? i : i - size; }
};

/**
 * Copies of 32-bit counters: slot s of lane l at s * R + copy of l. An atomic that adds 1 counts the lanes of a warp that
 * meet in a counter in one step, so hot cells cost no more than others. Fewer copies than banks are shared by neighbouring
 * lanes, because these often have the same cell or cells whose slots share a bank.
 */
struct Replicas {
  static constexpr uint32_t unit = sizeof(uint32_t);
  /** Whether the memory can be the bound, and whether `prepare` must run before the samples. */
  static constexpr bool readsAhead = true, isPrepared = false;
  uint32_t origin, masked;

  __device__ Replicas(const FusedShape &shape)
      : origin(sharedAddress(sharedWords()) + copyOf(threadIdx.x, shape.replicas) * unit),
        masked(origin + shape.slots * shape.replicas * unit) {}
  __device__ __forceinline__ static uint32_t copyOf(uint32_t lane, uint32_t replicas) {
    return (replicas < limits::WARP_THREADS ? lane >> 1 : lane) & (replicas - 1);
  }
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

}  // namespace polybin
