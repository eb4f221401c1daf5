#include "codec.h"

#include "snappy.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace polybin {
namespace {

/** A function that Node's program exports, or null. */
template <typename Function>
Function *exported(const char *name) {
#ifdef _WIN32
  return reinterpret_cast<Function *>(reinterpret_cast<void *>(GetProcAddress(GetModuleHandleW(nullptr), name)));
#else
  return reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
#endif
}

/** Node's own Zstandard, so that pages are read by the library that its `zlib` has. Node has it from 22.15 on. */
struct Zstd {
  size_t (*decompress)(void *, size_t, const void *, size_t) = exported<size_t(void *, size_t, const void *, size_t)>("ZSTD_decompress");
  size_t (*frame)(const void *, size_t) = exported<size_t(const void *, size_t)>("ZSTD_findFrameCompressedSize");
};

bool readZstd(const uint8_t *from, size_t bytes, uint8_t *to, size_t size) {
  static const Zstd zstd;
  if (zstd.decompress == nullptr || zstd.frame == nullptr) return false;
  // `zlib` reads one frame.
  return zstd.frame(from, bytes) == bytes && zstd.decompress(to, size, from, bytes) == size;
}

}  // namespace

bool decompress(PageCodec codec, const uint8_t *from, size_t bytes, uint8_t *to, size_t size) {
  switch (codec) {
    case PageCodec::snappy:
      return readSnappy(from, bytes, to, size);
    case PageCodec::zstd:
      return readZstd(from, bytes, to, size);
    default:
      return false;
  }
}

}  // namespace polybin
