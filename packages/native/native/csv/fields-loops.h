// Finds the ends of fields. Each of fields-*.cc compiles this loop for one set of instructions. All names are local to the
// file, because a linker may keep only one of several equal names. AVX-512 was slower than AVX2 where it was measured.
//
// Bound: writing the place of each end.
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#include "fields.h"

namespace polybin {
namespace {

#if defined(__AVX2__)

struct Bytes {
  __m256i low, upper;
  explicit Bytes(const uint8_t *of)
      : low(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(of))),
        upper(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(of + 32))) {}
  static uint64_t joined(__m256i a, __m256i b) {
    const auto high = static_cast<uint64_t>(static_cast<uint32_t>(_mm256_movemask_epi8(b)));
    return high << 32 | static_cast<uint32_t>(_mm256_movemask_epi8(a));
  }
  uint64_t equal(uint8_t to) const {
    const __m256i all = _mm256_set1_epi8(static_cast<char>(to));
    return joined(_mm256_cmpeq_epi8(low, all), _mm256_cmpeq_epi8(upper, all));
  }
  uint64_t high() const { return joined(low, upper); }
};

#elif defined(__x86_64__)

struct Bytes {
  __m128i parts[4];
  explicit Bytes(const uint8_t *of) {
    for (int i = 0; i < 4; i++) parts[i] = _mm_loadu_si128(reinterpret_cast<const __m128i *>(of + 16 * i));
  }
  template <typename Of>
  uint64_t joined(Of of) const {
    uint64_t bits = 0;
    for (int i = 0; i < 4; i++) bits |= static_cast<uint64_t>(_mm_movemask_epi8(of(parts[i]))) << (16 * i);
    return bits;
  }
  uint64_t equal(uint8_t to) const {
    const __m128i all = _mm_set1_epi8(static_cast<char>(to));
    return joined([all](__m128i part) { return _mm_cmpeq_epi8(part, all); });
  }
  uint64_t high() const {
    return joined([](__m128i part) { return part; });
  }
};

#elif defined(__aarch64__)

struct Bytes {
  uint8x16_t parts[4];
  explicit Bytes(const uint8_t *of) {
    for (int i = 0; i < 4; i++) parts[i] = vld1q_u8(of + 16 * i);
  }
  /** One bit of each byte that is all ones or 0. */
  template <typename Of>
  uint64_t joined(Of of) const {
    const uint8x16_t bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t a = vpaddq_u8(vandq_u8(of(parts[0]), bit), vandq_u8(of(parts[1]), bit));
    const uint8x16_t b = vpaddq_u8(vandq_u8(of(parts[2]), bit), vandq_u8(of(parts[3]), bit));
    const uint8x16_t all = vpaddq_u8(a, b);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
  }
  uint64_t equal(uint8_t to) const {
    const uint8x16_t all = vdupq_n_u8(to);
    return joined([all](uint8x16_t part) { return vceqq_u8(part, all); });
  }
  uint64_t high() const {
    return joined([](uint8x16_t part) { return vcgeq_u8(part, vdupq_n_u8(0x80)); });
  }
};

#elif defined(__wasm_simd128__)

struct Bytes {
  v128_t parts[4];
  explicit Bytes(const uint8_t *of) {
    for (int i = 0; i < 4; i++) parts[i] = wasm_v128_load(of + 16 * i);
  }
  template <typename Of>
  uint64_t joined(Of of) const {
    uint64_t bits = 0;
    for (int i = 0; i < 4; i++) bits |= static_cast<uint64_t>(wasm_i8x16_bitmask(of(parts[i]))) << (16 * i);
    return bits;
  }
  uint64_t equal(uint8_t to) const {
    const v128_t all = wasm_i8x16_splat(static_cast<int8_t>(to));
    return joined([all](v128_t part) { return wasm_i8x16_eq(part, all); });
  }
  uint64_t high() const {
    return joined([](v128_t part) { return part; });
  }
};

#else
#error "expected x64, arm64 or WebAssembly"
#endif

uint64_t prefixXor(uint64_t bits) {
  for (int by = 1; by < 64; by *= 2) bits ^= bits << by;
  return bits;
}

/** Moves bits to the byte after theirs, and keeps the last one for the next block. */
uint64_t after(uint64_t bits, uint64_t &last) {
  const uint64_t moved = bits << 1 | last;
  last = bits >> 63;
  return moved;
}

/** Returns the bytes that are between quotation marks, which must enclose whole fields. */
uint64_t insideOf(const Bytes &bytes, uint64_t quotes, uint64_t separators, uint64_t newlines, Looked &looked) {
  const uint64_t inside = prefixXor(quotes) ^ looked.inside;
  // Bit 63 in all bits.
  looked.inside = 0 - (inside >> 63);
  const uint64_t starts = after(separators | newlines | quotes, looked.start);
  const uint64_t closed = after(quotes & ~inside, looked.closed);
  const uint64_t returns = closed & bytes.equal('\r');
  const uint64_t returned = after(returns, looked.returned);
  const uint64_t wrong = (quotes & inside & ~starts) | (closed & ~(separators | newlines | quotes | returns)) |
                         (returned & ~newlines);
  if (wrong != 0) looked.isIrregular = true;
  return inside;
}

uint32_t *findEnds(const Dialect &of, const uint8_t *bytes, size_t blocks, uint32_t from, Looked &looked, uint32_t *to) {
  uint64_t high = 0;
  for (size_t block = 0; block < blocks; block++, from += BLOCK) {
    const Bytes all(bytes + block * BLOCK);
    uint64_t separators = all.equal(of.separator), newlines = all.equal('\n');
    high |= all.high();
    const uint64_t quotes = of.hasQuote ? all.equal(of.quote) : 0;
    if ((quotes | looked.inside | looked.closed | looked.returned) != 0) {
      const uint64_t outside = ~insideOf(all, quotes, separators, newlines, looked);
      separators &= outside;
      newlines &= outside;
    } else {
      looked.start = (separators | newlines) >> 63;
    }
    uint64_t ends = separators | newlines;
    uint32_t *const next = to + __builtin_popcountll(ends);
    // Eight at a time, without a branch for each. Those after the last one are written over.
    for (;; to += 8) {
      for (int i = 0; i < 8; i++) {
        // The highest bit does not change the place, and makes it defined if there are no more ends.
        const int at = __builtin_ctzll(ends | uint64_t{1} << 63);
        to[i] = (from + static_cast<uint32_t>(at)) | static_cast<uint32_t>(newlines >> at << 31);
        ends &= ends - 1;
      }
      if (ends == 0) break;
    }
    to = next;
  }
  if (high != 0) looked.bytes |= 0x80;
  return to;
}

}  // namespace
}  // namespace polybin
