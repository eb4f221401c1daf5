// Writes native/limits.cuh, the constants of core's limits.ts that the kernels need, in C++.
// With --check: fails when the file in the repository is another.
import { readFileSync, writeFileSync } from "node:fs";
import { limits } from "@polybin/core/backend";

const NAMES = [
  "U8_MAX",
  "U16_MAX",
  "U32_MAX",
  "TAG_BITS",
  "TAGGED_MAX",
  "WORD_BYTES",
  "BYTE_VALUES",
  "HALF_VALUES",
  "WARP_THREADS",
  "TRISH_THREADS",
  "TRISH_BINS",
  "TRISH_WORDS",
  "TRISH_BATCH",
  "PER_WARP_THREADS",
  "PER_THREAD_64_THREADS",
  "PER_THREAD_64_BINS",
  "PER_THREAD_THREADS",
  "PRIVATIZED_THREADS",
  "PRIVATIZED_BINS",
  "BLOCK_THREADS",
  "PER_LANE_THREADS",
  "PER_LANE_IN_FLIGHT",
  "TILE_WORDS",
  "GPU_PIECE_BYTES",
  "GPU_PIECES",
  "GPU_COPY_THREADS",
  "GPU_COPY_BYTES",
  "GPU_CODES",
  "GPU_ALIGN_PIXELS",
  "VECTOR_BYTES",
  "GPU_PADDING_BYTES",
  "MAX_BINS",
  "FLOW_ROWS",
  "RANK_PADDING",
  "NIBBLE_VALUES",
  "FEATURES_PER_BLOCK",
  "WEIGHTED_THREADS",
  "WEIGHTED_UNIT",
  "WEIGHTED_IN_FLIGHT",
  "WEIGHTED_ROWS",
  "COUNT_BITS",
  "COUNT_SHIFT",
  "COLLISION_FREE_WARPS",
  "UNROLL",
  "UNROLL_MAX",
  "BUFFER_VALUE_SHIFT",
  "BUFFER_MAX",
  "SEGMENT_ALIGN",
];

const lines = NAMES.map((name) => `constexpr uint32_t ${name} = ${limits[name]};`);
const text = `// Made from @polybin/core's limits.ts by scripts/limits.mjs: change them there.
#pragma once
#include <cstdint>

namespace polybin::limits {

${lines.join("\n")}

}  // namespace polybin::limits
`;
const file = new URL("../native/limits.cuh", import.meta.url);

if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  console.error("native/limits.cuh is stale: run `pnpm run limits` in packages/cuda");
  process.exit(1);
}
