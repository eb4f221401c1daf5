// Small numbers of a page: runs of equal ones, and packed ones (Parquet's RLE / bit-packing hybrid).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "bits.h"

namespace polybin {

/** Bytes of a page that are not read yet. */
struct Cursor {
  const uint8_t *at;
  const uint8_t *end;

  size_t rest() const { return static_cast<size_t>(end - at); }
};

/** A run: `count` numbers that all are `value`, or that are packed from `packed` on. */
struct Run {
  size_t count;
  uint64_t value;
  const uint8_t *packed;
};

/** Reads the head of a run of at most `most` numbers, and moves the cursor behind the run. @returns whether it is whole */
bool readRun(Cursor &, uint32_t width, size_t most, Run &);

/** Reads bits to bits that are 0. @returns whether all are there */
bool readBits(Cursor &, size_t count, uint8_t *bits);

/** Reads levels up to `level` to bits that are 0: 1 for the highest. @returns whether all are there, and none is too high */
bool readLevelBits(Cursor &, uint32_t level, size_t count, uint8_t *bits);

/** Reads booleans as bytes. @returns whether all are there */
bool readFlags(Cursor &, size_t count, uint8_t *to);

/** The numbers that are unpacked at a time: they stay in a first-level cache. */
constexpr size_t UNPACKED = 1024;

/** Unpacks numbers of 1 to 32 bits. Bytes from `end` on are not read. */
void unpack(const uint8_t *from, const uint8_t *end, size_t first, size_t count, uint32_t width, uint32_t *to);

/**
 * Passes indices to `use`, in order: (the first one's place, their number, the indices or null, the index of all). All are
 * less than `length`.
 * @returns whether all are there, and none is too large
 */
template <typename Use>
bool readIndices(Cursor &cursor, uint32_t width, size_t count, size_t length, Use use) {
  if (width > 32) return false;
  if (width == 0) {
    if (count > 0 && length == 0) return false;
    use(0, count, nullptr, 0U);
    return true;
  }
  uint32_t indices[UNPACKED];
  for (size_t done = 0; done < count;) {
    Run run;
    if (!readRun(cursor, width, count - done, run)) return false;
    if (run.packed == nullptr) {
      if (run.value >= length) return false;
      use(done, run.count, nullptr, static_cast<uint32_t>(run.value));
    } else {
      for (size_t from = 0; from < run.count; from += UNPACKED) {
        const size_t step = std::min(UNPACKED, run.count - from);
        unpack(run.packed, cursor.end, from, step, width, indices);
        uint32_t most = 0;
        for (size_t i = 0; i < step; i++) most = std::max(most, indices[i]);
        if (most >= length) return false;
        use(done + from, step, static_cast<const uint32_t *>(indices), 0U);
      }
    }
    done += run.count;
  }
  return true;
}

}  // namespace polybin
