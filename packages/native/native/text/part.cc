#include "part.h"

#if !defined(_WIN32)
#include <unistd.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

namespace polybin {
namespace {

/** Bytes in which the end of the last record must be. */
constexpr uint64_t TAIL = limits::TEXT_TAIL_BYTES;

/** Bytes of a step: a part of a second-level cache. */
constexpr uint64_t STEP = limits::TEXT_STEP_BYTES;
/** Bytes that are read at a time behind a part. */
constexpr uint64_t TAIL_STEP = limits::TEXT_TAIL_STEP_BYTES;

/** Memory that grows, and that the thread keeps for its next part. Its bytes are not cleared. */
class Buffer {
 public:
  ~Buffer() { std::free(bytes_); }
  uint8_t *of(size_t size) {
    if (size <= size_) return bytes_;
    auto *const grown = static_cast<uint8_t *>(std::realloc(bytes_, size));
    if (grown == nullptr) throw std::bad_alloc();
    bytes_ = grown;
    size_ = size;
    return bytes_;
  }

 private:
  uint8_t *bytes_ = nullptr;
  size_t size_ = 0;
};

/** Returns whether all bytes of a file from an offset on were read. */
bool readBytes([[maybe_unused]] int descriptor, [[maybe_unused]] uint64_t offset, [[maybe_unused]] uint8_t *to,
               [[maybe_unused]] uint64_t bytes) {
#if defined(_WIN32)
  return false;
#else
  while (bytes > 0) {
    const ssize_t read = pread(descriptor, to, bytes, static_cast<off_t>(offset));
    if (read < 0 && errno == EINTR) continue;
    if (read <= 0) return false;
    to += read;
    offset += static_cast<uint64_t>(read);
    bytes -= static_cast<uint64_t>(read);
  }
  return true;
#endif
}

/**
 * Reads a part of at least two steps. It takes the memory of one, unless a record is longer.
 * @returns false if a record is not regular, or if the part has no record or no end
 */
bool readInSteps(const PartOf &at, uint64_t from, uint64_t last, const ReadsPieces &reads, Buffer &buffer, Stopped stopped,
                 PartRead &to) {
  const bool isFirst = at.part * at.partBytes <= at.start;
  const std::unique_ptr<ReadsSteps> steps = reads.steps(last - from, to.read);
  bool isBegun = isFirst, isLast = false;
  to.offset = from;
  // The bytes that are in memory end at `next` in the file.
  for (uint64_t next = from, kept = 0; !isLast;) {
    const uint64_t more = std::min(next < last ? last - next : at.size - next, next < last ? STEP : TAIL_STEP);
    uint8_t *bytes = buffer.of(kept + more);
    if (!readBytes(at.descriptor, next, bytes + kept, more)) return false;
    uint64_t size = kept + more;
    if (next >= last) {
      const auto *const newline = static_cast<const uint8_t *>(std::memchr(bytes + kept, '\n', more));
      if (newline != nullptr) size = static_cast<uint64_t>(newline + 1 - bytes);
      isLast = newline != nullptr || next + more == at.size;
      if (!isLast && next + more - last > TAIL) return false;
    } else {
      isLast = next + more == last && (last == at.size || bytes[size - 1] == '\n');
    }
    next += more;
    if (!isBegun) {
      const auto *const newline = static_cast<const uint8_t *>(std::memchr(bytes, '\n', size));
      if (newline == nullptr || newline + 1 == bytes + size) return false;
      const auto before = static_cast<uint64_t>(newline + 1 - bytes);
      bytes += before;
      size -= before;
      to.offset += before;
      isBegun = true;
    }
    size_t used = 0;
    if (!steps->read(bytes, size, isLast, used, stopped)) return false;
    to.bytes += used;
    kept = size - used;
    if (!isLast) std::memmove(buffer.of(0), bytes + used, kept);
  }
  to.read.isRegular = true;
  return true;
}

}  // namespace

PartRead readPart(const PartOf &at, const ReadsPieces &reads, Stopped stopped) {
  static thread_local Buffer buffer;
  PartRead to;
  const uint64_t first = at.part * at.partBytes, last = std::min(at.size, first + at.partBytes);
  // A record starts in the part if the newline before it lies at the part's first offset less one, or later.
  const bool isFirst = first <= at.start;
  const uint64_t from = isFirst ? at.start : first - 1;
  const auto none = [&]() -> PartRead & {
    to.offset = from;
    to.read = reads.read(nullptr, 0, stopped);
    return to;
  };
  if (from >= last) return none();
  if (last - from >= 2 * STEP) {
    PartRead found;
    if (readInSteps(at, from, last, reads, buffer, stopped, found)) {
      found.read.count();
      return found;
    }
  }
  uint64_t size = last - from;
  uint8_t *bytes = buffer.of(size);
  to.isCut = true;
  if (!readBytes(at.descriptor, from, bytes, size)) return to;
  uint64_t begin = 0;
  if (!isFirst) {
    const auto *const newline = static_cast<const uint8_t *>(std::memchr(bytes, '\n', size));
    begin = newline == nullptr ? size : static_cast<uint64_t>(newline - bytes) + 1;
    if (begin == size) {
      to.isCut = false;
      return none();
    }
  }
  if (last < at.size && bytes[size - 1] != '\n') {
    const uint64_t tail = std::min(TAIL, at.size - last);
    bytes = buffer.of(size + tail);
    if (!readBytes(at.descriptor, last, bytes + size, tail)) return to;
    const auto *const newline = static_cast<const uint8_t *>(std::memchr(bytes + size, '\n', tail));
    if (newline == nullptr && last + tail < at.size) return to;
    size = newline == nullptr ? size + tail : static_cast<uint64_t>(newline + 1 - bytes);
  }
  to.offset = from + begin;
  to.bytes = size - begin;
  to.read = reads.read(bytes + begin, to.bytes, stopped);
  if (to.read.isRegular) to.read.count();
  to.isCut = !to.read.isRegular && reads.isCut(bytes + begin, to.bytes);
  return to;
}

}  // namespace polybin
