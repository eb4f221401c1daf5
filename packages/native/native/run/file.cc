#include "file.h"

#if !defined(_WIN32)
#include <unistd.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

namespace polybin {
namespace {

/** Memory of this thread, of at least this size. @throws std::bad_alloc */
uint8_t *bufferOf(size_t bytes) {
  static thread_local std::unique_ptr<uint8_t[]> kept;
  static thread_local size_t size = 0;
  if (bytes > size) {
    kept.reset();
    size = 0;
    kept = std::make_unique_for_overwrite<uint8_t[]>(bytes);
    size = bytes;
  }
  return kept.get();
}

}  // namespace

Division divisionOf(const Job &job, const File &of) {
  Division division = divisionOf(job, Pixels{nullptr, of.pixels, 1, 0});
  division.piece = std::max<uint64_t>(1, limits::FILE_BYTES / job.pixelBytes);
  return division;
}

#if defined(_WIN32)

Pixels readPixels(const File &, uint32_t, uint64_t, uint64_t) {
  throw Failure{"ERR_UNSUPPORTED", "the addon for Windows reads no files"};
}

#else

Pixels readPixels(const File &of, uint32_t pixelBytes, uint64_t from, uint64_t to) {
  const uint64_t bytes = (to - from) * pixelBytes;
  uint8_t *const buffer = bufferOf(bytes);
  for (uint64_t done = 0; done < bytes;) {
    const auto at = static_cast<off_t>(of.offset + from * pixelBytes + done);
    const ssize_t read = pread(of.descriptor, buffer + done, bytes - done, at);
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) throw Failure{"ERR_INPUT", std::string("cannot read the file: ") + std::strerror(errno)};
    if (read == 0) throw Failure{"ERR_INPUT", "expected the bytes of all samples but the file ends before them"};
    done += static_cast<uint64_t>(read);
  }
  return {buffer, to - from, 1, bytes};
}

#endif

}  // namespace polybin
