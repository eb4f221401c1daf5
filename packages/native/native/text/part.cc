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
