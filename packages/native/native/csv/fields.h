// Finds where the fields of CSV end. It holds numbers and addresses only, because files that are compiled for several
// instruction sets share it.
//
//   bytes     1 , " a , b " , 3 \n        64 at a time, one bit each
//   quotes    . . 1 . . . 1 . . .
//   inside    . . 1 1 1 1 . . . .         every bit is the exclusive or of all quotes up to it
//   ends      . 1 . . . . . 1 . 1         separators and newlines that are not inside
//
// Source: Langdale and Lemire, Parsing Gigabytes of JSON per Second, section 3.1.1.
#pragma once
#include <cstddef>
#include <cstdint>

#include "generated/border.h"

namespace polybin {

/** The bytes that have a meaning. The newline is a line feed. */
struct Dialect {
  uint8_t separator, quote;
  bool hasQuote;
};

/** How far a text was looked at. The bits say what the last byte was, as bit 0. */
struct Looked {
  /** All ones between quotation marks. */
  uint64_t inside = 0;
  /** A field may start. */
  uint64_t start = 1;
  /** A quotation mark that closes, and a carriage return after one. */
  uint64_t closed = 0, returned = 0;
  /** The high bit: whether a byte is not ASCII. */
  uint8_t bytes = 0;
  /** Whether a quotation mark is neither the first nor the last of its field. */
  bool isIrregular = false;
};

/** Marks the end of a field that ends its record. */
constexpr uint32_t LAST = uint32_t{1} << 31;
/** Bytes of a block. */
constexpr size_t BLOCK = 64;

/**
 * Appends the ends of fields in whole blocks, counted from `from` on. `to` has room for each byte and eight
 * more.
 * @returns the address after the last one
 */
using FindEnds = uint32_t *(*)(const Dialect &, const uint8_t *bytes, size_t blocks, uint32_t from, Looked &, uint32_t *to);

FindEnds plainEnds();
FindEnds avx2Ends();
/** The variant for this processor. */
FindEnds endsOf(Instructions);

}  // namespace polybin
