// 16-bit counters in shared memory, for tables whose 32-bit counters do not fit.
#pragma once
#include "hot.cuh"

namespace polybin {

/**
 * What finds the cell of a slot, in shared memory before the counters. A spill happens seldom, so that it would wait for
 * the parameters of the launch, which no cache holds any more. The barriers of the block would wait with it.
 */
struct PackedBlock {
  Count *counts, *masked;
  uint32_t columns, isSpread, slots, unused;
  uint32_t pad[limits::MAX_JOINT_COLUMNS], stride[limits::MAX_JOINT_COLUMNS];
};
static_assert(sizeof(PackedBlock) == limits::FUSED_PACKED_BYTES);

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
  static constexpr uint32_t bits = limits::FUSED_SPILL * 0x10001u;
  static constexpr uint32_t between = limits::FUSED_BETWEEN;
  static constexpr bool readsAhead = false;
  uint32_t origin, masked;

  __device__ Packed(const FusedShape &shape) : origin(sharedAddress(counters()) * 8), masked(origin + shape.slots * unit) {}
  __host__ __device__ static uint32_t words(const FusedShape &shape) {
    return sizeof(PackedBlock) / sizeof(uint32_t) + shape.slots / 2 + 1;
  }
  __device__ __forceinline__ static PackedBlock &block() { return *reinterpret_cast<PackedBlock *>(sharedWords()); }
  __device__ __forceinline__ static uint32_t *counters() { return sharedWords() + sizeof(PackedBlock) / sizeof(uint32_t); }

  /** Prepares the block's memory with one thread. A barrier must follow. */
  __device__ static void prepare(const Joint &joint, const FusedShape &shape) {
    PackedBlock &to = block();
    to.counts = joint.counts;
    to.masked = joint.masked;
    to.columns = joint.columns;
    to.isSpread = shape.isSpread;
    to.slots = shape.slots;
#pragma unroll
    for (uint32_t k = 0; k < limits::MAX_JOINT_COLUMNS; k++) {
      to.pad[k] = shape.pad[k];
      to.stride[k] = joint.column[k].stride;
    }
  }

  __device__ __forceinline__ static uint32_t wordOf(uint32_t at) { return at >> 3 & ~3u; }
  __device__ __forceinline__ static uint32_t oneOf(uint32_t at) { return __funnelshift_l(0, 1, at); }

  /** A counter was lifted over a multiple of FUSED_SPILL. */
  __device__ __noinline__ static void spill(uint32_t at) {
    addTo(wordOf(at), 0 - (limits::FUSED_SPILL << (at & 16)));
    const PackedBlock &of = block();
    uint32_t slot = (at - sharedAddress(counters()) * 8) / unit;
    Count *to = of.masked;
    if (slot != of.slots) {
      to = of.counts;
      for (uint32_t k = 0; k + 1 < of.columns; k++) {
        const uint32_t place = slot / of.pad[k];
        to += place * of.stride[k];
        slot -= place * of.pad[k];
      }
      to += of.columns == 1 && of.isSpread ? spread(slot) : slot;
    }
    if (to != nullptr) atomicAdd(to, Count{limits::FUSED_SPILL});
  }
  /** Adds up to FUSED_SPILL samples. */
  __device__ __forceinline__ void add(const Counts &, uint32_t at, uint32_t many) const {
    const uint32_t amount = many << (at & 16), old = fetchAdd(wordOf(at), amount);
    if (((old + amount ^ old) & bits) != 0) spill(at);
  }
  __device__ __forceinline__ void addOne(const Counts &of, uint32_t at) const { add(of, at, 1); }
  /** Adds those of four samples that are wanted. */
  template <bool choose>
  __device__ __forceinline__ void addQuarter(const Counts &, const uint32_t (&at)[QUARTER],
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
      if ((lifted[i] & bits) != 0) spill(at[i]);
    }
  }

  template <uint32_t quarters, bool isMasked, class Find>
  __device__ __forceinline__ void addUnit(const Counts &of, Find find, uint32_t &left) const {
    Unit<quarters, isMasked, Packed>(*this, of, find, left).add();
  }

  __device__ void flush(const Counts &of) const {
    const auto *const halves = reinterpret_cast<const uint16_t *>(counters());
    of.eachSlot([&](uint32_t cell, uint32_t slot) { of.add(cell, halves[slot]); });
  }
};

}  // namespace polybin
