import { describePinned, type Pinned } from "../../core/test/pinned.ts";
import * as limits from "../src/base/limits.ts";

/** Every constant, with where it comes from. Behaviour at some stands in limits-behaviour.test.ts. */
const PINNED: Pinned = {
  PIECES: [3, "one is filled, one copied, one counted"],
  COPY_THREADS: [8, "one thread copies at a fifth of the bus"],
  COPY_BYTES: [2 ** 20, "1 MiB: a thread's start is little beside it"],
  ALIGN_PIXELS: [4 * 16, "16 bytes of any type, and a whole word of any packing"],
  PROGRESS_MS: [50, "twenty reports a second"],
  WORDS_AHEAD: [4, "Brown & Snoeyink, 5.2: groups of four"],
  BLOCK_THREADS_MAX: [2 ** 10, "CUDA C++ Programming Guide, technical specifications: threads a block"],
  GRID_ROWS_MAX: [2 ** 16 - 1, "the same: y- and z-dimension of a grid"],
  OWN_BYTES_MAX: [64, "sixteen words: per-lane has six"],
};

describePinned("the constants", new URL("../src/base/limits.ts", import.meta.url), limits, PINNED);
