// Checks of data that crosses the border, with the text of their errors.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace polybin {

/** Bytes and pixels that JavaScript describes are at most 2^53 - 1 each, so their products need more than 64 bits. */
using Wide = unsigned __int128;

// The error is "expected WHAT for NAME but received VALUE". @throws Failure ERR_INTERNAL
void expect(bool holds, const char *name, const char *what, Wide received);
void within(const char *name, Wide value, Wide least, Wide most);
void exactly(const char *name, Wide value, Wide wanted);

/**
 * Checks memory that the caller may have taken away since it was measured. `of` is what the bytes are.
 * @throws Failure ERR_INPUT
 */
void enough(const char *of, Wide wanted, Wide received);

inline bool isPower(uint32_t of) { return of != 0 && (of & (of - 1)) == 0; }

/** Returns the whole units of `by` that hold `of`, which is not 0. */
inline uint32_t ceiling(uint32_t of, uint32_t by) { return (of - 1) / by + 1; }

/** A 32-bit word of a struct that accepts only certain numbers: a boolean, an enumeration, a bounded number. */
struct Range {
  const char *name;
  uint32_t offset, least, most;
};

/** Checks that a struct's words are in their ranges. `name` is the struct's. @throws Failure ERR_INTERNAL */
void checkRanges(const std::string &name, const uint8_t *bytes, const Range *ranges, size_t count);

}  // namespace polybin
