// Adds weights up exactly, as whole numbers in tables. It holds numbers and addresses only, because files that are
// compiled for several instruction sets share it.
//
//   weight = high * 2^(exponent + LOW_BITS) + low * 2^exponent      low is at most half of 2^LOW_BITS, either sign
//
//   word     low                                   high
//   bits     63 … 46       45 … 0                  63 … 0
//            samples       sum of low, signed      sum of high, signed
#pragma once
#include <cstddef>
#include <cstdint>

#include "generated/border.h"

namespace polybin {

/** A cell of a table. */
struct Addend {
  uint64_t low, high;
};

/** Samples that a cell of a table adds up, at most, before it is read: fewer than 2^18. */
constexpr uint32_t ADDENDS_BITS = 18;
constexpr uint64_t ADDENDS = (uint64_t{1} << ADDENDS_BITS) - 1;
/** The place of the number of samples in the low word, and the bits of both parts of a weight. */
constexpr uint32_t SAMPLES_AT = 64 - ADDENDS_BITS;
constexpr uint32_t LOW_BITS = SAMPLES_AT - ADDENDS_BITS - 1;
constexpr uint32_t HIGH_BITS = 64 - ADDENDS_BITS - 2;

/** A scale of weights, as the powers of two that weights are multiplied by. All are normal doubles. */
struct Scale {
  int32_t exponent;
  /** 2^-(exponent + LOW_BITS), 2^(exponent + LOW_BITS), 2^-exponent, 2^exponent */
  double toHigh, ofHigh, toLow, ofLow;
};

/** Tables whose distance is `stride` cells. Neighbouring samples use them alternately. */
struct AddendTables {
  Addend *first;
  size_t stride;
  /** 1, 2, 4 or 8. */
  uint32_t count;
};

/**
 * Adds the weights of samples to their cells. A sample whose weight the scale does not hold exactly, or is not finite, is
 * left out. Weights may lie at any address.
 * @returns whether there is one
 */
using AddWeights = bool (*)(const Scale &, const void *weights, const uint32_t *cells, size_t n, const AddendTables &);

/** For 32-bit floats and doubles. */
struct Adding {
  AddWeights narrow, wide;
};

Adding plainAdding();
Adding avx2Adding();
Adding avx512Adding();

}  // namespace polybin
