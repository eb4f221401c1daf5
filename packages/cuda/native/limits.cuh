// Made from @polybin/core's limits.ts by scripts/limits.mjs: change them there.
#pragma once
#include <cstdint>

namespace polybin::limits {

constexpr uint32_t U8_MAX = 255;
constexpr uint32_t U16_MAX = 65535;
constexpr uint32_t U32_MAX = 4294967295;
constexpr uint32_t TAG_BITS = 5;
constexpr uint32_t TAGGED_MAX = 134217727;
constexpr uint32_t WORD_BYTES = 4;
constexpr uint32_t BYTE_VALUES = 256;
constexpr uint32_t HALF_VALUES = 65536;
constexpr uint32_t WARP_THREADS = 32;
constexpr uint32_t TRISH_THREADS = 64;
constexpr uint32_t TRISH_BINS = 256;
constexpr uint32_t TRISH_WORDS = 63;
constexpr uint32_t TRISH_BATCH = 4;
constexpr uint32_t PER_WARP_THREADS = 192;
constexpr uint32_t PER_THREAD_64_THREADS = 192;
constexpr uint32_t PER_THREAD_64_BINS = 64;
constexpr uint32_t PER_THREAD_THREADS = 32;
constexpr uint32_t PRIVATIZED_THREADS = 64;
constexpr uint32_t PRIVATIZED_BINS = 256;
constexpr uint32_t BLOCK_THREADS = 256;
constexpr uint32_t PER_LANE_THREADS = 1024;
constexpr uint32_t PER_LANE_IN_FLIGHT = 4;
constexpr uint32_t TILE_WORDS = 1024;
constexpr uint32_t GPU_PIECE_BYTES = 33554432;
constexpr uint32_t GPU_PIECES = 3;
constexpr uint32_t GPU_COPY_THREADS = 8;
constexpr uint32_t GPU_COPY_BYTES = 1048576;
constexpr uint32_t GPU_CODES = 67108864;
constexpr uint32_t GPU_ALIGN_PIXELS = 64;
constexpr uint32_t VECTOR_BYTES = 16;
constexpr uint32_t GPU_PADDING_BYTES = 32;
constexpr uint32_t MAX_BINS = 65536;
constexpr uint32_t FLOW_ROWS = 3;
constexpr uint32_t RANK_PADDING = 7;
constexpr uint32_t NIBBLE_VALUES = 16;
constexpr uint32_t FEATURES_PER_BLOCK = 6;
constexpr uint32_t WEIGHTED_THREADS = 512;
constexpr uint32_t WEIGHTED_UNIT = 8;
constexpr uint32_t WEIGHTED_IN_FLIGHT = 2;
constexpr uint32_t WEIGHTED_ROWS = 4;
constexpr uint32_t COUNT_BITS = 14;
constexpr uint32_t COUNT_SHIFT = 18;
constexpr uint32_t COLLISION_FREE_WARPS = 8;
constexpr uint32_t UNROLL = 16;
constexpr uint32_t UNROLL_MAX = 32;
constexpr uint32_t BUFFER_VALUE_SHIFT = 16;
constexpr uint32_t BUFFER_MAX = 64;
constexpr uint32_t SEGMENT_ALIGN = 32;

}  // namespace polybin::limits
