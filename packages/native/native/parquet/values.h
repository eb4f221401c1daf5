// The values of a page that are no indices.
#pragma once
#include "generated/border.h"
#include "hybrid.h"
#include "text/text-codes.h"

namespace polybin {

/** Bytes of a value in memory. */
constexpr size_t bytesOf(Layout layout) {
  switch (layout) {
    case Layout::bytes8:
    case Layout::widened:
    case Layout::decimal:
    case Layout::int96:
      return 8;
    case Layout::bytes4:
    case Layout::text:
      return 4;
    case Layout::i16:
    case Layout::u16:
      return 2;
    default:
      return 1;
  }
}

/** How values are stored. `width` has the bytes of one that is bytes. */
struct ValuesOf {
  Layout layout;
  PageEncoding encoding;
  size_t width;
};

/** Reads values that are stored one after the other, none of them null. @returns whether all are there and fit */
bool readValues(Cursor &, const ValuesOf &, size_t count, uint8_t *to);

/** Reads texts as their numbers. @returns whether all are there, and `texts` has room for them */
bool readTexts(Cursor &, PageEncoding, size_t count, TextCodes &texts, uint8_t *to);

}  // namespace polybin
