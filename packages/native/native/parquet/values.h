// The values of a page that are no indices.
#pragma once
#include "generated/border.h"
#include "hybrid.h"

namespace polybin {

/** Bytes of a value in memory. */
constexpr size_t bytesOf(Layout layout) {
  switch (layout) {
    case Layout::bytes8:
    case Layout::widened:
      return 8;
    case Layout::bytes4:
      return 4;
    case Layout::i16:
    case Layout::u16:
      return 2;
    default:
      return 1;
  }
}

/** Reads values that are stored one after the other, none of them null. @returns whether all are there and fit */
bool readValues(Cursor &, Layout, PageEncoding, size_t count, uint8_t *to);

}  // namespace polybin
