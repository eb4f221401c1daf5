// The bytes of a text of JSON, 16 at a time. Every processor with a build of the addon has these instructions.
#pragma once
#include <cstdint>
#if defined(__x86_64__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#else
#error "expected x64, arm64 or WebAssembly"
#endif

namespace polybin::json {

#if defined(__x86_64__)

class Block {
 public:
  static constexpr int BYTES = 16;
  explicit Block(const uint8_t *at) : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i *>(at))) {}
  /** Not 0 if a byte is not ASCII. */
  uint32_t high() const { return static_cast<uint32_t>(_mm_movemask_epi8(bytes_)); }
  /** The bytes before the first quotation mark, backslash or control character. */
  int textEnd() const {
    const __m128i control = _mm_set1_epi8(0x1f);
    const __m128i ends = _mm_or_si128(
        _mm_cmpeq_epi8(_mm_min_epu8(bytes_, control), bytes_),
        _mm_or_si128(_mm_cmpeq_epi8(bytes_, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes_, _mm_set1_epi8('\\'))));
    return __builtin_ctz(static_cast<uint32_t>(_mm_movemask_epi8(ends)) | 1U << BYTES);
  }

 private:
  __m128i bytes_;
};

#elif defined(__wasm_simd128__)

class Block {
 public:
  static constexpr int BYTES = 16;
  explicit Block(const uint8_t *at) : bytes_(wasm_v128_load(at)) {}
  uint32_t high() const { return wasm_i8x16_bitmask(bytes_); }
  int textEnd() const {
    const v128_t ends = wasm_v128_or(
        wasm_u8x16_lt(bytes_, wasm_i8x16_splat(0x20)),
        wasm_v128_or(wasm_i8x16_eq(bytes_, wasm_i8x16_splat('"')), wasm_i8x16_eq(bytes_, wasm_i8x16_splat('\\'))));
    return __builtin_ctz(static_cast<uint32_t>(wasm_i8x16_bitmask(ends)) | 1U << BYTES);
  }

 private:
  v128_t bytes_;
};

#else

class Block {
 public:
  static constexpr int BYTES = 16;
  explicit Block(const uint8_t *at) : bytes_(vld1q_u8(at)) {}
  uint32_t high() const { return vmaxvq_u8(bytes_) & 0x80; }
  int textEnd() const {
    const uint8x16_t ends = vorrq_u8(vcltq_u8(bytes_, vdupq_n_u8(0x20)),
                                     vorrq_u8(vceqq_u8(bytes_, vdupq_n_u8('"')), vceqq_u8(bytes_, vdupq_n_u8('\\'))));
    // Four bits of each byte.
    const uint64_t bits = vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(ends), 4)), 0);
    return bits == 0 ? BYTES : __builtin_ctzll(bits) / 4;
  }

 private:
  uint8x16_t bytes_;
};

#endif

}  // namespace polybin::json
