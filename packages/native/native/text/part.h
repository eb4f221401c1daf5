// Reads a part of an open file of text: the records that start in its bytes. It takes every newline for the end of a
// record, which is wrong between quotation marks of CSV. A part with an odd number of them is cut within a record, and so
// is nothing of a file whose parts all have an even number.
//
//   part      |             k             |            k + 1
//   bytes     … a \n b , c \n … … d , e \n f … \n
//   records          [ b                      f … \n ]
#pragma once
#include <functional>

#include "piece.h"

namespace polybin {

/** A part of an open file. */
struct PartOf {
  int descriptor;
  /** The offset of the first record of the file, and its bytes. */
  uint64_t start, size;
  uint64_t partBytes, part;
};

/** The columns of a part. */
struct PartRead {
  /** Where the records lie. */
  uint64_t offset = 0, bytes = 0;
  /** Whether the bytes could not be read, or may start or end within a record. */
  bool isCut = false;
  PieceRead read;
};

/** Reads whole records, and says whether they may be cut within one. */
struct ReadsPieces {
  std::function<PieceRead(const uint8_t *bytes, size_t size, Stopped)> read;
  std::function<bool(const uint8_t *bytes, size_t size)> isCut;
  /** Adds the records of a piece of this size, about, to its columns. */
  std::function<std::unique_ptr<ReadsSteps>(size_t size, PieceRead &to)> steps;
};

PartRead readPart(const PartOf &, const ReadsPieces &, Stopped);

}  // namespace polybin
