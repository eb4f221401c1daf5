#include "source.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include <cuda_runtime.h>

#include "platform/failure.h"

namespace polybin {
namespace {

bool isDense(const Source &of) { return of.fd >= 0 || of.rowPitch == of.width * of.pixelBytes; }

/** Copies bytes of the dense pixels from rows with gaps between them. */
void copyRows(const Source &of, uint64_t first, uint64_t bytes, uint8_t *to) {
  const uint64_t rowBytes = of.width * of.pixelBytes;
  while (bytes > 0) {
    const uint64_t row = first / rowBytes, column = first % rowBytes;
    const uint64_t part = std::min(bytes, rowBytes - column);
    std::memcpy(to, of.bytes.data + row * of.rowPitch + column, part);
    first += part, to += part, bytes -= part;
  }
}

void readFile(const Source &of, uint64_t first, uint64_t bytes, uint8_t *to) {
  while (bytes > 0) {
    const ssize_t part = pread(of.fd, to, bytes, static_cast<off_t>(of.offset + first));
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) {
      // Several threads read at once, and strerror's text is one for all.
      char words[256];
      throw Failure{"ERR_INPUT", std::string("cannot read the file: ") + strerror_r(errno, words, sizeof words)};
    }
    if (part == 0) {
      throw Failure{"ERR_INPUT", "expected " + std::to_string(bytes) + " more bytes but the file ended: it was truncated while it was read"};
    }
    first += part, to += part, bytes -= part;
  }
}

}  // namespace

Source rowOf(const uint8_t *data, size_t bytes) {
  Source to{};
  to.pixelBytes = 1;
  to.pixels = to.width = to.rowPitch = bytes;
  to.bytes = {data, bytes};
  return to;
}

bool isPinned(const void *place) {
  cudaPointerAttributes memory;
  if (cudaPointerGetAttributes(&memory, place) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return memory.type == cudaMemoryTypeHost;
}

bool isPinnedAndDense(const Source &of) { return of.bytes.data != nullptr && isDense(of) && isPinned(of.bytes.data); }

void fill(const Source &of, uint64_t first, uint64_t bytes, uint8_t *to) {
  if (of.fd >= 0) readFile(of, first, bytes, to);
  else if (isDense(of)) std::memcpy(to, of.bytes.data + first, bytes);
  else copyRows(of, first, bytes, to);
}

}  // namespace polybin
