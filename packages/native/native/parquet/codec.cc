#include "codec.h"

#include "lz4.h"
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

/** A stream of zlib, whose fields its versions have kept. */
struct ZlibStream {
  const uint8_t *from;
  unsigned int fromBytes;
  unsigned long fromTotal;
  uint8_t *to;
  unsigned int toBytes;
  unsigned long toTotal;
  const char *message;
  void *state, *allocate, *release, *opaque;
  int dataType;
  unsigned long checksum, reserved;
};

/** Node's own zlib. */
struct Zlib {
  int (*open)(ZlibStream *, int, const char *, int) = exported<int(ZlibStream *, int, const char *, int)>("inflateInit2_");
  int (*inflate)(ZlibStream *, int) = exported<int(ZlibStream *, int)>("inflate");
  int (*close)(ZlibStream *) = exported<int(ZlibStream *)>("inflateEnd");
};

bool readGzip(const uint8_t *from, size_t bytes, uint8_t *to, size_t size) {
  static const Zlib zlib;
  // Gzip or zlib, by their heads, with the largest window.
  constexpr int EITHER = 32 + 15;
  constexpr int FINISH = 4, STREAM_END = 1;
  if (zlib.open == nullptr || zlib.inflate == nullptr || zlib.close == nullptr) return false;
  ZlibStream stream{};
  stream.from = from;
  stream.fromBytes = static_cast<unsigned int>(bytes);
  stream.to = to;
  stream.toBytes = static_cast<unsigned int>(size);
  if (zlib.open(&stream, EITHER, "1", sizeof stream) != 0) return false;
  // Several members are left to `zlib` in JavaScript.
  const bool isRead = zlib.inflate(&stream, FINISH) == STREAM_END && stream.fromBytes == 0 && stream.toBytes == 0;
  zlib.close(&stream);
  return isRead;
}

/** Node's own Brotli. */
struct Brotli {
  void *(*open)(void *, void *, void *) = exported<void *(void *, void *, void *)>("BrotliDecoderCreateInstance");
  int (*read)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *) =
      exported<int(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *)>("BrotliDecoderDecompressStream");
  void (*close)(void *) = exported<void(void *)>("BrotliDecoderDestroyInstance");
};

bool readBrotli(const uint8_t *from, size_t bytes, uint8_t *to, size_t size) {
  static const Brotli brotli;
  constexpr int SUCCESS = 1;
  if (brotli.open == nullptr || brotli.read == nullptr || brotli.close == nullptr) return false;
  void *const state = brotli.open(nullptr, nullptr, nullptr);
  if (state == nullptr) return false;
  const bool isRead = brotli.read(state, &bytes, &from, &size, &to, nullptr) == SUCCESS && bytes == 0 && size == 0;
  brotli.close(state);
  return isRead;
}

}  // namespace

bool decompress(PageCodec codec, const uint8_t *from, size_t bytes, uint8_t *to, size_t size) {
  switch (codec) {
    case PageCodec::snappy:
      return readSnappy(from, bytes, to, size);
    case PageCodec::zstd:
      return readZstd(from, bytes, to, size);
    case PageCodec::gzip:
      return readGzip(from, bytes, to, size);
    case PageCodec::brotli:
      return readBrotli(from, bytes, to, size);
    case PageCodec::lz4:
      return readLz4(from, bytes, to, size);
    default:
      return false;
  }
}

}  // namespace polybin
