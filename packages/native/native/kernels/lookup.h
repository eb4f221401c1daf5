// How samples find their rows in a table. It holds numbers and addresses only, because files that are compiled for
// several instruction sets share it.
//
//   row   0          1 … bins    bins + 1   bins + 2
//         underflow  the bins    overflow   NaN
#pragma once
#include <cstddef>
#include <cstdint>

#include "generated/border.h"

namespace polybin {

/** Rows that are no bins. */
constexpr uint32_t FLOW_ROWS = 3;

/** Samples whose rows are found at a time. */
constexpr size_t BLOCK = 512;

/**
 * Memory for the rows of a block. A processor takes a load for a preceding store's if the low 12 bits of their addresses
 * are equal, and waits. So rows are half of 4 KiB away from the samples.
 */
class RowMemory {
 public:
  uint32_t *away(const void *samples) {
    const auto here = reinterpret_cast<uintptr_t>(words_), there = reinterpret_cast<uintptr_t>(samples);
    return words_ + (there + ALIAS / 2 - here) % ALIAS / LINE * (LINE / sizeof(uint32_t));
  }

 private:
  static constexpr size_t ALIAS = 4096, LINE = 64;
  alignas(LINE) uint32_t words_[BLOCK + ALIAS / sizeof(uint32_t)];
};

struct Lookup;

/** Writes the rows of `n` samples. The samples may lie at any address. */
using FindRows = void (*)(const Lookup &, const void *samples, size_t n, uint32_t *rows);

/** The first and the last sample of the bins, and bin = (sample - base) * factor / 2^16, or 2^32. */
template <typename U>
struct Scaled {
  U base, first, last, factor;
};

struct Lookup {
  Type type;
  uint32_t bins;
  /** Writes the rows. */
  FindRows find;

  /** direct: the first value. */
  int64_t start;
  /** table: the row of each bit pattern, in the narrowest type that holds all rows. */
  const uint16_t *rows16;
  const uint32_t *rows32;

  /**
   * keys: the first value of each bin, then the first one past the last bin, then infinity, in the samples' arithmetic.
   * `bounds` is the number of bins that have values.
   */
  const float *narrow;
  const double *wide;
  uint32_t bounds;
  /** search: the last row but NaN's: that of overflow, unless the bins reach infinity. */
  uint32_t end;
  /** An even axis: place = (sample - lo) * scale. */
  double lo, scale;
  /** between: the integer on the upper edge of the last bin, whose place is past it, or a number that no sample is. */
  static constexpr double NOT_CLOSED = 1e30;
  double closed = NOT_CLOSED;
  /** scaled, of 16 and of 32 bits. */
  Scaled<uint16_t> scaled16;
  Scaled<uint32_t> scaled32;
  /** wide: place = middle * scale + offset, and the last sample below the upper edge of the bins. */
  double offset;
  float top;
  /** stepped: from edge to edge. */
  double step;
  /** search: the rows of the first sample of each cell, and the halvings that find a row in any cell. */
  const uint32_t *starts;
  uint32_t cells, steps;
  /** The cell of a sample: (sample - lo) * scale, or (leading word of its key - lowest) >> shift. */
  uint32_t lowest, shift;
};

/** Adds the place of each row, times a stride, to a sample's cell: the bins, then underflow, overflow and NaN. */
using Mix = void (*)(const uint32_t *rows, size_t n, uint32_t bins, uint32_t stride, uint32_t *cells);
/** The same for bytes without their lowest bits. */
using MixBytes = void (*)(const uint8_t *bytes, size_t n, uint32_t shift, uint32_t stride, uint32_t *cells);
/** The same for integers that are bins, without rows in between. */
using MixDirect = void (*)(const Lookup &, const void *samples, size_t n, uint32_t stride, uint32_t *cells);

/** Widens a range by the finite samples: {least, largest}. */
using Extend = void (*)(const void *samples, size_t n, double *range);

/** The kernels that find rows, compiled for one set of instructions. */
struct RowKernels {
  FindRows direct, table;
  Mix mix;
  MixBytes mixBytes;
  /** Null: the samples are of another type. */
  MixDirect mixDirect;
  Extend extend;
  /** Over an even axis (rows-loops.h). Null: the samples are of another type. */
  FindRows between, scaled, shifted, wide, floored, stepped, compared;
  /** Whether `find` of a lookup is right for the samples next to each edge. */
  bool (*isExact)(const Lookup &);
  /** By a search in a cell of a line, or of the keys. */
  FindRows searchLine, searchKeys;
  /** The cells of the bounds. */
  void (*lineCells)(const Lookup &, uint32_t *cells);
  void (*keyCells)(const Lookup &, uint32_t *cells);
};

/** The kernels for a type of samples whose arithmetic is in 32-bit floats if `narrow`, otherwise in doubles. */
RowKernels plainRows(Type, bool narrow);
RowKernels avx2Rows(Type, bool narrow);
RowKernels avx512Rows(Type, bool narrow);

}  // namespace polybin
