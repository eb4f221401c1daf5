// Reads columns from a piece of JSON lines: one object per line.
#pragma once
#include <string>

#include "text/piece.h"

namespace polybin {

/** A field of lines, or of an object in them. */
struct JsonField {
  std::string key;
  /** 0: the line has it. Else one more than the index of the field whose object has it, which comes before it. */
  uint32_t parent = 0;
};

/** What is read. */
struct JsonlOf {
  /** All fields. The index of a column is that of its field, which has no fields. */
  std::vector<JsonField> fields;
  std::vector<Wanted> columns;
};

/**
 * Reads a piece. It is regular if every line is blank or a valid object, with each key at most once and no other keys, and
 * its values have the types of their columns. The objects in it that hold columns have each of their keys at most once, and
 * may have others. A key with an escape is not regular, nor is the text of a value that compiled code would have to write
 * as JavaScript does.
 */
PieceRead readJsonl(const JsonlOf &, const uint8_t *bytes, size_t size, Stopped);
/** Does the same in steps. */
std::unique_ptr<ReadsSteps> jsonlSteps(const JsonlOf &, size_t size, PieceRead &to);

}  // namespace polybin
