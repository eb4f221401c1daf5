import { describePinned, type Pinned } from "../../core/test/pinned.ts";
import * as limits from "../src/base/limits.ts";

/** Every constant and its origin. limits-behaviour.test.ts checks the behaviour at some of them. */
const PINNED: Pinned = {
  PIECES: [3, "one is filled, one copied, one counted"],
  COPY_THREADS: [8, "one thread copies at a fifth of the bus"],
  COPY_BYTES: [2 ** 18, "256 KiB: the second-level cache of a core holds it, and a turn is little beside it"],
  COPIES_OF_A_PIECE: [8, "4 MiB of a piece of 32 MiB: a copy's start is a hundredth of it"],
  FEW_BYTES: [2 ** 16, "64 KiB: copied in a few microseconds, and over the bus in fewer"],
  LAUNCHES_AT_ONCE: [16, "some milliseconds of any kernel"],
  CALLS_AT_ONCE: [1024, "as many launches as the driver takes in before it makes the host wait"],
  FILES_AT_ONCE: [16, "far fewer than the 1024 that a process has by default"],
  RING_BYTES: [2 ** 24, "16 MiB: 128 small inputs of 64 KiB, twice"],
  COUNTS_OF_A_BLOCK: [2 ** 12, "four a thread of a block of 1024"],
  SPIN_US: [5000, "4 GiB of a resident take 1 ms; past five a nap is a hundredth"],
  NAP_US: [50, "as long as the kernel's own timers are late by default"],
  ASK_US: [1000, "a question takes a microsecond"],
  LINGER_US: [50, "a sleeping thread wakes no sooner"],
  ALIGN_PIXELS: [4 * 16, "16 bytes of any type, and a whole word of any packing"],
  PROGRESS_MS: [50, "twenty reports a second"],
  WORDS_AHEAD: [4, "Brown & Snoeyink, 5.2: groups of four"],
  BLOCK_THREADS_MAX: [2 ** 10, "CUDA C++ Programming Guide, technical specifications: threads a block"],
  GRID_ROWS_MAX: [2 ** 16 - 1, "the same: y- and z-dimension of a grid"],
  JOINT_CELLS: [2 ** 23, "32 MiB of cells: about half of an H200's second-level cache"],
  OWN_BYTES_MAX: [64, "sixteen words: per-lane has six"],
};

describePinned("the constants", new URL("../src/base/limits.ts", import.meta.url), limits, PINNED);
