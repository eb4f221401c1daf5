#include "expect.h"

#include <cstring>

#include "platform/failure.h"

namespace polybin {

namespace {

std::string shown(Wide of) { return of > ~0ull ? "more than 2^64" : std::to_string(static_cast<uint64_t>(of)); }

[[noreturn]] void refuse(const std::string &name, const std::string &what, Wide received) {
  throw Failure{"ERR_INTERNAL", "expected " + what + " for " + name + " but received " + shown(received)};
}

}  // namespace

void expect(bool holds, const char *name, const char *what, Wide received) {
  if (!holds) refuse(name, what, received);
}

void within(const char *name, Wide value, Wide least, Wide most) {
  if (value < least || value > most) refuse(name, shown(least) + " to " + shown(most), value);
}

void exactly(const char *name, Wide value, Wide wanted) {
  if (value != wanted) refuse(name, shown(wanted), value);
}

void enough(const char *of, Wide wanted, Wide received) {
  if (received >= wanted) return;
  throw Failure{"ERR_INPUT", "expected " + shown(wanted) + " bytes of " + of + " but received " + shown(received) +
                                 ": the ArrayBuffer may have been transferred"};
}

void checkRanges(const std::string &name, const uint8_t *bytes, const Range *ranges, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const auto [field, offset, least, most] = ranges[i];
    uint32_t word;
    std::memcpy(&word, bytes + offset, sizeof word);
    if (word < least || word > most) refuse(name + "." + field, shown(least) + " to " + shown(most), word);
  }
}

}  // namespace polybin
