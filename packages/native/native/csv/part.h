// Reads columns from a part of an open file: the records that start in its bytes. It takes every newline for the end of a
// record, which is wrong between quotation marks. A part with an odd number of them is cut within a record, and so is
// nothing of a file whose parts all have an even number.
//
//   part      |             k             |            k + 1
//   bytes     … a \n b , c \n … … d , e \n f … \n
//   records          [ b                      f … \n ]
#pragma once
#include "read.h"

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
  CsvRead read;
};

PartRead readPart(const CsvOf &, const PartOf &, const std::atomic<uint32_t> *stopped);

}  // namespace polybin
