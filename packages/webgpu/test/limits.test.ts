import { describePinned, type Pinned } from "../../core/test/pinned.ts";
import * as limits from "../src/platform/limits.ts";

/** Every constant and its origin. limits-behaviour.test.ts checks the behaviour at many of them. */
const PINNED: Pinned = {
  UNITS: [132, "multiprocessors of an NVIDIA H200"],
  UNIT_THREADS: [2 ** 11, "threads of one of them"],
  UNIT_BLOCKS: [2 ** 5, "blocks of one of them"],
  UNIT_SHARED_BYTES: [228 * 2 ** 10, "228 KiB of shared memory"],
  RESERVED_BYTES: [2 ** 10, "1 KiB of it for each block"],
  FALLBACK_UNITS: [2, "cores that any machine has"],
  CHUNK_BYTES: [2 ** 31, "half of what 32 bits count"],
  PIECE_BYTES: [2 ** 23, "measured on an H200: 9.5 GB/s, pieces of 32 MiB 7.5 to 8.8"],
  PIECES: [4, "the same"],
  PART_BYTES: [2 ** 27 - 32, "the default maxStorageBufferBindingSize, less GPU_PADDING_BYTES"],
  FALLBACK_PART_BYTES: [2 ** 25, "a second or two of SwiftShader"],
  ALIGN_PIXELS: [2 ** 8, "minStorageBufferOffsetAlignment's default"],
  WRITE_BYTES: [2 ** 16, "64 KiB"],
  FEW_HALVINGS: [3, "2^3 - 1 is what thresholds are padded by"],
  BOUND_COLUMNS: [3, "eight storage buffers, less lookup, mask, list, cells and counts"],
  LOOKUP_REPLICAS: [2 ** 3, "measured on an H200: 22% over lookups in global memory"],
  PIPELINES: [2 ** 8, "slugs, types and numbers of bins that a program goes to and fro between"],
  TEXTS: [2 ** 11, "eight of its own for each pipeline"],
  ENCODED_JOBS: [2 ** 3, "views that a frame counts"],
  CALLS_AT_ONCE: [2 ** 7, "the most that a benchmark has in flight"],
  RING_BYTES: [2 ** 20, "819 calls of 259 counts each"],
  KEPT_CALLS: [2 ** 10, "sixteen batches"],
  BATCH: [2 ** 6, "some hundred microseconds of the device, which hide as many of the host"],
  READBACK_BYTES: [2 ** 12, "a page"],
  IDLE_READBACK_BYTES: [2 ** 24, "16 MiB"],
  SPARE_ROWS_BYTES: [2 ** 28, "256 MiB: 2^18 rows of 256 counts"],
  ROWS_BYTES: [
    2 ** 23,
    "8 MiB: twice that is IDLE_READBACK_BYTES, and a copy takes as long as four submissions",
  ],
  ADDS_AHEAD: [2 ** 5, "32 commands; each takes a few KiB of Dawn's memory"],
  PARAMS_BYTES: [2 ** 8, "minUniformBufferOffsetAlignment's default"],
  TIMED: [2 ** 10, "two timestamps of eight bytes each"],
  SHORTEST_MS: [2 ** -10, "a microsecond: a launch alone takes several"],
  TOTALS_BYTES: [2 ** 26, "64 MiB: some milliseconds to read back"],
  TABLE_STEPS: [2 ** 3, "an eighth of a table is left empty at most"],
  FLOAT_SCALE: [2 ** 100, "1,024 threads of FAST_ADDENDS each: 2^24 * 2^100 < 2^127"],
  FALLBACK_SUMS_VALUES: [2 ** 22, "at ten million a second"],
};

describePinned("the constants", new URL("../src/platform/limits.ts", import.meta.url), limits, PINNED);
