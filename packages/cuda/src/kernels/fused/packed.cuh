// 16-bit counters in shared memory, for tables whose 32-bit counters do not fit.
#pragma once
#include "hot.cuh"

namespace polybin {

/**
 * What a block's counters need besides themselves, in shared memory before them. A launch's parameters would come from
 * memory, because no cache holds them any more when a sample needs them.
 */
struct PackedBlock {
  Count *counts, *masked;
  uint32_t columns, isSpread, slots, unused;
  uint32_t pad[limits::MAX_JOINT_COLUMNS], stride[limits::MAX_JOINT_COLUMNS];
  /** Counters that nobody reads, one per lane and so in a bank of its own. */
  uint32_t sinks[limits::WARP_THREADS];
};
static_assert(sizeof(PackedBlock) == limits::FUSED_PACKED_BYTES);

/**
 * 16-bit counters, two in a word: slot s in half s mod 2 of word s / 2. A sample's address is 16 * s + 8 * (the table's
 * address): its low five bits are the shift of its half, and the others divided by 8 its word. A sample that is not
 * counted has the address of its lane's sink.
 *
 * A counter is reduced while others add to it, without a barrier:
 *
 *   due    The atomic returns the old value. Whoever adds to a counter of FUSED_SPILL takes FUSED_SPILL out and adds it to
 *          the counts. Nothing else is taken out, so a counter never borrows from its neighbour.
 *   high   Whoever sees FUSED_HIGH or more waits until the counter is below it. All that this thread had to take out is
 *          out by then, so the one for whom others wait never waits. Until all warps wait, each of them adds the rest of a
 *          unit, and one of them the unit before it: a counter stays below FUSED_HIGH + FUSED_UNIT * (1 + FUSED_THREADS / 32),
 *          which is at most 2^16. So at most once FUSED_SPILL is due at a time, and nobody misses it.
 */
struct Packed {
  static constexpr uint32_t unit = 16;
  /** Set in a counter from FUSED_SPILL on. */
  static constexpr uint32_t bits = limits::FUSED_SPILL * 0x10001u;
  static_assert(limits::FUSED_SPILL == 1u << 15);
  static_assert(limits::FUSED_HIGH + limits::FUSED_UNIT * (1 + limits::FUSED_THREADS / limits::WARP_THREADS) <= 1u << 16);
  static constexpr bool readsAhead = false, isPrepared = true;
  uint32_t origin, masked;

  __device__ Packed(const FusedShape &)
      : origin(sharedAddress(counters()) * 8),
        masked(sharedAddress(block().sinks + threadIdx.x % limits::WARP_THREADS) * 8) {}
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
  __device__ __forceinline__ static uint32_t counterOf(uint32_t at, uint32_t word) { return word >> (at & 16) & 0xffff; }
  /** Whether FUSED_SPILL is due after `many` samples, 1 to FUSED_UNIT, were added to `old` ones. */
  __device__ __forceinline__ static bool isDue(uint32_t at, uint32_t old, uint32_t many) {
    return limits::FUSED_SPILL - counterOf(at, old) < many;
  }
  __device__ __forceinline__ static bool isHigh(uint32_t at, uint32_t old) { return counterOf(at, old) >= limits::FUSED_HIGH; }

  __device__ static void takeOut(uint32_t at) {
    addTo(wordOf(at), 0 - (limits::FUSED_SPILL << (at & 16)));
    const PackedBlock &of = block();
    uint32_t slot = (at - sharedAddress(counters()) * 8) / unit;
    Count *to = nullptr;
    if (slot < of.slots) {
      to = of.counts;
      for (uint32_t k = 0; k + 1 < of.columns; k++) {
        const uint32_t place = slot / of.pad[k];
        to += place * of.stride[k];
        slot -= place * of.pad[k];
      }
      to += of.columns == 1 && of.isSpread ? spread(slot) : slot;
    } else if (slot == of.slots) {
      to = of.masked;
    }
    if (to != nullptr) atomicAdd(to, Count{limits::FUSED_SPILL});
  }
  __device__ static void waitWhileHigh(uint32_t at, uint32_t old) {
    while (isHigh(at, old)) {
      __nanosleep(limits::FUSED_WAIT_NS);
      old = readNow(wordOf(at));
    }
  }
  /** Takes out what is due, and then waits. */
  __device__ __noinline__ static void settle(uint32_t at, uint32_t old, uint32_t many) {
    if (isDue(at, old, many)) takeOut(at);
    waitWhileHigh(at, old);
  }
  __device__ __noinline__ static void settleFour(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t oldOfA,
                                                 uint32_t oldOfB, uint32_t oldOfC, uint32_t oldOfD) {
    const uint32_t at[QUARTER] = {a, b, c, d}, old[QUARTER] = {oldOfA, oldOfB, oldOfC, oldOfD};
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) {
      if (isDue(at[i], old[i], 1)) takeOut(at[i]);
    }
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) waitWhileHigh(at[i], old[i]);
  }

  /** Adds up to FUSED_UNIT samples. */
  __device__ __forceinline__ void add(const Counts &, uint32_t at, uint32_t many) const {
    const uint32_t amount = many << (at & 16), old = fetchAdd(wordOf(at), amount);
    if (((old | old + amount) & bits) != 0) settle(at, old, many);
  }
  __device__ __forceinline__ void addOne(const Counts &of, uint32_t at) const { add(of, at, 1); }
  __device__ __forceinline__ void addQuarter(const Counts &, const uint32_t (&at)[QUARTER]) const {
    static_assert(QUARTER == 4);
    uint32_t old[QUARTER];
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) old[i] = fetchAdd(wordOf(at[i]), oneOf(at[i]));
    if (((old[0] | old[1] | old[2] | old[3]) & bits) == 0) return;
    // Most that come here found a counter that someone else reduces.
    bool isBusy = false;
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) isBusy |= isDue(at[i], old[i], 1) | isHigh(at[i], old[i]);
    if (isBusy) settleFour(at[0], at[1], at[2], at[3], old[0], old[1], old[2], old[3]);
  }

  template <uint32_t quarters, bool isMasked, class Find>
  __device__ __forceinline__ void addUnit(const Counts &of, Find find, uint32_t &left) const {
    static_assert(quarters * QUARTER * limits::WARP_THREADS <= limits::FUSED_UNIT);
    addHot<quarters, isMasked>(*this, of, find, left);
  }

  __device__ void flush(const Counts &of) const {
    const auto *const halves = reinterpret_cast<const uint16_t *>(counters());
    of.eachSlot([&](uint32_t cell, uint32_t slot) { of.add(cell, halves[slot]); });
  }
};

}  // namespace polybin
