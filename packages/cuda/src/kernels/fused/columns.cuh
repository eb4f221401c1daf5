// How `fused` reads columns: a thread has a unit of consecutive samples of every column in its registers, and adds the
// parts of the columns to the addresses of four samples at a time.
//
//   unit u:     samples u * many … u * many + many - 1
//   row r:      units 32 r … 32 r + 31, one per lane of a warp; a unit may have a part in each half of its row
//   held:       words of each column as they lie in memory; the next unit is loaded while one is counted
//
// A column's part is place * step, where `step` is the distance between two of its places in the counters' table, in
// the table's own unit.
#pragma once
#include "kernels/joint.cuh"
#include "kernels/ptx.cuh"
#include "kernels/ranked.cuh"

namespace polybin {

/** Samples that are added to the table at a time. */
constexpr uint32_t QUARTER = 4;

/**
 * Loads the words of a unit, which are read once. With two parts, the lanes of a row share its first half, and then its
 * second, so that a row of units of 32 bytes is read as whole lines.
 */
template <uint32_t parts, uint32_t words>
__device__ __forceinline__ void loadUnit(uint32_t (&to)[words], const void *data, uint64_t unit) {
  constexpr uint32_t own = words / parts, each = own < 4 ? own : 4;
  const uint64_t row = unit / limits::WARP_THREADS, lane = unit % limits::WARP_THREADS;
#pragma unroll
  for (uint32_t part = 0; part < parts; part++) {
    const uint64_t first = parts == 1 ? unit * own : ((row * parts + part) * limits::WARP_THREADS + lane) * own;
#pragma unroll
    for (uint32_t i = 0; i < own; i += each) {
      uint32_t some[each];
      loadOnce(some, static_cast<const uint32_t *>(data) + first + i);
#pragma unroll
      for (uint32_t j = 0; j < each; j++) to[part * own + i + j] = some[j];
    }
  }
}

/** Consecutive bytes, counted by their upper bits. */
template <uint32_t many, uint32_t parts = 1>
struct ByteColumn {
  using Held = uint32_t[many / 4];
  const uint8_t *data;
  uint32_t shift, mask, step;

  __device__ ByteColumn(const JointColumn &of, uint32_t step, const Lookup &, char *)
      : data(static_cast<const uint8_t *>(of.data)), shift(of.lowering.shift),
        mask((0xffu >> of.lowering.shift) * 0x01010101u), step(step) {}
  __device__ __forceinline__ void load(Held &to, uint64_t unit) const { loadUnit<parts>(to, data, unit); }
  __device__ __forceinline__ void add(const Held &held, uint32_t quarter, uint32_t (&at)[QUARTER]) const {
    const uint32_t word = held[quarter] >> shift & mask;
#pragma unroll
    // A byte takes one instruction, whatever its place is.
    for (uint32_t i = 0; i < QUARTER; i++) at[i] += __byte_perm(word, 0, 0x4440 + i) * step;
  }
  __device__ __forceinline__ uint32_t partOf(uint64_t sample) const { return (data[sample] >> shift) * step; }
};

/**
 * Two columns of bytes. A byte permutation puts two samples of both side by side, and a dot product multiplies a sample's
 * bytes by both steps: 1.5 instructions per sample. Steps are below 2^16, because a place has at most 32 counters of 4
 * bytes, and a row of the second column at most 262 places.
 * @tparam isWhole no byte is counted by its upper bits only
 */
template <uint32_t many, bool isWhole>
struct BytePair {
  struct Held {
    uint32_t first[many / 4], second[many / 4];
  };
  const uint8_t *first, *second;
  uint32_t shifts[2], masks[2], steps;

  template <class Shape>
  __device__ BytePair(const Joint &of, const Shape &shape, char *)
      : first(static_cast<const uint8_t *>(of.column[0].data)), second(static_cast<const uint8_t *>(of.column[1].data)),
        steps(shape.step[0] | shape.step[1] << 16) {
#pragma unroll
    for (uint32_t k = 0; k < 2; k++) {
      shifts[k] = of.column[k].lowering.shift;
      masks[k] = (0xffu >> shifts[k]) * 0x01010101u;
    }
  }
  __device__ __forceinline__ void load(Held &to, uint64_t unit) const {
    loadUnit<1>(to.first, first, unit);
    loadUnit<1>(to.second, second, unit);
  }
  __device__ __forceinline__ void add(const Held &held, uint32_t quarter, uint32_t (&at)[QUARTER]) const {
    uint32_t x = held.first[quarter], y = held.second[quarter];
    if constexpr (!isWhole) {
      x = x >> shifts[0] & masks[0];
      y = y >> shifts[1] & masks[1];
    }
    const uint32_t early = __byte_perm(x, y, 0x5140), late = __byte_perm(x, y, 0x7362);
    at[0] = __dp2a_lo(steps, early, at[0]);
    at[1] = __dp2a_hi(steps, early, at[1]);
    at[2] = __dp2a_lo(steps, late, at[2]);
    at[3] = __dp2a_hi(steps, late, at[3]);
  }
  __device__ __forceinline__ uint32_t partOf(uint64_t sample) const {
    return (first[sample] >> shifts[0]) * (steps & 0xffff) + (second[sample] >> shifts[1]) * (steps >> 16);
  }
};

/** Consecutive 16-bit integers. The code is the distance from the first, or the code of their underflow or overflow. */
template <uint32_t many, uint32_t parts = 1>
struct HalfColumn {
  using Held = uint32_t[many / 2];
  const uint16_t *data;
  uint32_t flip, start, bins, step;

  __device__ HalfColumn(const JointColumn &of, uint32_t step, const Lookup &, char *)
      : data(static_cast<const uint16_t *>(of.data)), flip(of.lowering.type == Type::i16 ? signBit<uint16_t> : 0),
        start(static_cast<uint32_t>(of.lowering.start + flip)), bins(of.lowering.bins), step(step) {}
  __device__ __forceinline__ void load(Held &to, uint64_t unit) const { loadUnit<parts>(to, data, unit); }
  __device__ __forceinline__ uint32_t codeOf(uint32_t bits) const {
    const uint32_t key = bits ^ flip, distance = key - start;
    return distance < bins ? distance : bins + (key > start);
  }
  __device__ __forceinline__ void add(const Held &held, uint32_t quarter, uint32_t (&at)[QUARTER]) const {
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) {
      at[i] += codeOf(held[2 * quarter + i / 2] >> 16 * (i % 2) & 0xffff) * step;
    }
  }
  __device__ __forceinline__ uint32_t partOf(uint64_t sample) const { return codeOf(data[sample]) * step; }
};

/** Cells that a kernel found before. */
template <uint32_t many, uint32_t parts = 1>
struct CellColumn {
  using Held = uint32_t[many];
  const uint32_t *data;
  uint32_t step;

  __device__ CellColumn(const JointColumn &of, uint32_t step, const Lookup &, char *)
      : data(static_cast<const uint32_t *>(of.data)), step(step) {}
  __device__ __forceinline__ void load(Held &to, uint64_t unit) const { loadUnit<parts>(to, data, unit); }
  __device__ __forceinline__ void add(const Held &held, uint32_t quarter, uint32_t (&at)[QUARTER]) const {
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) at[i] += held[QUARTER * quarter + i] * step;
  }
  __device__ __forceinline__ uint32_t partOf(uint64_t sample) const { return data[sample] * step; }
};

/** Consecutive floats over evenly spaced edges. The thresholds are in shared memory. */
template <uint32_t many, uint32_t parts = 1>
struct FloatColumn {
  using Held = uint32_t[many];
  using Find = Ranked<float, true, true>;
  const uint32_t *data;
  const Find find;
  uint32_t step;

  __device__ FloatColumn(const JointColumn &of, uint32_t step, const Lookup &lookup, char *memory)
      : data(static_cast<const uint32_t *>(of.data)), find(of.lowering, lookup, memory), step(step) {}
  __device__ __forceinline__ void load(Held &to, uint64_t unit) const { loadUnit<parts>(to, data, unit); }
  __device__ __forceinline__ void add(const Held &held, uint32_t quarter, uint32_t (&at)[QUARTER]) const {
    uint32_t bits[QUARTER], rank[QUARTER];
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) bits[i] = held[QUARTER * quarter + i];
    find.template find<QUARTER>(bits, rank);
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) at[i] += rank[i] * step;
  }
  __device__ __forceinline__ uint32_t partOf(uint64_t sample) const { return find(data[sample]) * step; }
};

/**
 * The slot of a place of the only column, and the place of a slot. Higher bits change those that choose the bank, so that
 * places a power of two apart do not share one.
 */
__host__ __device__ constexpr uint32_t spread(uint32_t place) {
  return place ^ ((place >> 5 ^ place >> 10) & 2 * (limits::WARP_THREADS - 1));
}

/**
 * The only column. Its places are spread over the slots, unless the table has no banks. Numbers past the last place are
 * no cells. They share the slot of the samples that the mask leaves out.
 */
template <class Column, bool isSpread>
struct Alone {
  using Held = typename Column::Held;
  Column column;
  uint32_t extent, none, step;

  template <class Shape>
  __device__ Alone(const Joint &of, const Shape &shape, char *memory)
      : column(of.column[0], 1, shape.lookup[0], memory), extent(of.column[0].extent), none(shape.slots), step(shape.step[0]) {}
  __device__ __forceinline__ uint32_t partOfPlace(uint32_t place) const {
    const uint32_t slot = isSpread ? spread(place) : place;
    return (place < extent ? slot : none) * step;
  }
  __device__ __forceinline__ void load(Held &to, uint64_t unit) const { column.load(to, unit); }
  __device__ __forceinline__ void add(const Held &held, uint32_t quarter, uint32_t (&at)[QUARTER]) const {
    uint32_t place[QUARTER] = {};
    column.add(held, quarter, place);
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) at[i] += partOfPlace(place[i]);
  }
  __device__ __forceinline__ uint32_t partOf(uint64_t sample) const { return partOfPlace(column.partOf(sample)); }
};

/**
 * All values of 16 bits, the only column. Each value is a cell, so two of them are spread at once. A dot product takes a
 * slot out of its word and multiplies it by the step, which is below 2^8.
 */
template <uint32_t many, uint32_t parts = 1>
struct AllHalves {
  using Held = uint32_t[many / 2];
  const uint16_t *data;
  uint32_t flip, step;

  template <class Shape>
  __device__ AllHalves(const Joint &of, const Shape &shape, char *)
      : data(static_cast<const uint16_t *>(of.column[0].data)),
        flip(of.column[0].lowering.type == Type::i16 ? signBit<uint16_t> * 0x10001u : 0), step(shape.step[0]) {}
  /** `spread` of both halves. No bit of one half reaches the other. */
  __device__ __forceinline__ static uint32_t spreadBoth(uint32_t places) {
    return places ^ ((places >> 5 ^ places >> 10) & 2 * (limits::WARP_THREADS - 1) * 0x10001u);
  }
  __device__ __forceinline__ void load(Held &to, uint64_t unit) const { loadUnit<parts>(to, data, unit); }
  __device__ __forceinline__ void add(const Held &held, uint32_t quarter, uint32_t (&at)[QUARTER]) const {
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i += 2) {
      const uint32_t slots = spreadBoth(held[2 * quarter + i / 2] ^ flip);
      at[i] = __dp2a_lo(slots, step, at[i]);
      at[i + 1] = __dp2a_lo(slots, step << 8, at[i + 1]);
    }
  }
  __device__ __forceinline__ uint32_t partOf(uint64_t sample) const {
    return (spreadBoth(data[sample] ^ flip) & 0xffff) * step;
  }
};

/** Pixels of `interleaved` bytes each. A position that no column counts has step 0. */
template <uint32_t interleaved, uint32_t many>
struct PictureColumns {
  using Held = uint32_t[interleaved * many / 4];
  const uint8_t *data;
  uint32_t shift[interleaved], step[interleaved];

  template <class Shape>
  __device__ PictureColumns(const Joint &of, const Shape &shape, char *)
      : data(static_cast<const uint8_t *>(of.column[0].data)), shift{}, step{} {
#pragma unroll
    for (uint32_t at = 0; at < interleaved; at++) {
      for (uint32_t k = 0; k < of.columns; k++) {
        if (of.column[k].channel != at) continue;
        shift[at] = of.column[k].lowering.shift;
        step[at] = shape.step[k];
      }
    }
  }
  __device__ __forceinline__ void load(Held &to, uint64_t unit) const {
    // Neighbouring lanes read parts of the same lines, so the first-level cache keeps them.
#pragma unroll
    for (uint32_t i = 0; i < interleaved * many / 4; i += 4) {
      loadFour(reinterpret_cast<int32_t *>(to + i), reinterpret_cast<const int32_t *>(data + unit * (interleaved * many)) + i);
    }
  }
  __device__ __forceinline__ void add(const Held &held, uint32_t quarter, uint32_t (&at)[QUARTER]) const {
#pragma unroll
    for (uint32_t i = 0; i < QUARTER; i++) {
#pragma unroll
      for (uint32_t j = 0; j < interleaved; j++) {
        const uint32_t byte = (quarter * QUARTER + i) * interleaved + j;
        at[i] += ((held[byte / 4] >> 8 * (byte % 4) & 0xff) >> shift[j]) * step[j];
      }
    }
  }
  __device__ __forceinline__ uint32_t partOf(uint64_t sample) const {
    uint32_t part = 0;
#pragma unroll
    for (uint32_t j = 0; j < interleaved; j++) part += (data[sample * interleaved + j] >> shift[j]) * step[j];
    return part;
  }
};

/** Columns side by side. */
template <class First, class... Rest>
struct Together {
  struct Held {
    typename First::Held first;
    typename Together<Rest...>::Held rest;
  };
  First first;
  Together<Rest...> rest;

  template <class Shape>
  __device__ Together(const Joint &of, const Shape &shape, char *memory, uint32_t k = 0)
      : first(of.column[k], shape.step[k], shape.lookup[k], memory), rest(of, shape, memory, k + 1) {}
  __device__ __forceinline__ void load(Held &to, uint64_t unit) const {
    first.load(to.first, unit);
    rest.load(to.rest, unit);
  }
  __device__ __forceinline__ void add(const Held &held, uint32_t quarter, uint32_t (&at)[QUARTER]) const {
    first.add(held.first, quarter, at);
    rest.add(held.rest, quarter, at);
  }
  __device__ __forceinline__ uint32_t partOf(uint64_t sample) const { return first.partOf(sample) + rest.partOf(sample); }
};

template <class First>
struct Together<First> {
  struct Held {
    typename First::Held first;
  };
  First first;

  template <class Shape>
  __device__ Together(const Joint &of, const Shape &shape, char *memory, uint32_t k = 0)
      : first(of.column[k], shape.step[k], shape.lookup[k], memory) {}
  __device__ __forceinline__ void load(Held &to, uint64_t unit) const { first.load(to.first, unit); }
  __device__ __forceinline__ void add(const Held &held, uint32_t quarter, uint32_t (&at)[QUARTER]) const {
    first.add(held.first, quarter, at);
  }
  __device__ __forceinline__ uint32_t partOf(uint64_t sample) const { return first.partOf(sample); }
};

}  // namespace polybin
