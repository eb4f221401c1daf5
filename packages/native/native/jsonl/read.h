// Reads columns from a piece of JSON lines: one object per line.
#pragma once
#include <string>

#include "text/piece.h"

namespace polybin {

/** What is read. */
struct JsonlOf {
  /** The names of all fields. The index of a column is that of its name. */
  std::vector<std::string> names;
  std::vector<Wanted> columns;
};

/**
 * Reads a piece. It is regular if every line is blank or a valid object, with each name at most once and no other names,
 * and its values have the types of their columns. A name with an escape is not regular, nor is the text of a value that
 * compiled code would have to write as JavaScript does.
 */
PieceRead readJsonl(const JsonlOf &, const uint8_t *bytes, size_t size, Stopped);
/** Does the same in steps. */
std::unique_ptr<ReadsSteps> jsonlSteps(const JsonlOf &, size_t size, PieceRead &to);

}  // namespace polybin
