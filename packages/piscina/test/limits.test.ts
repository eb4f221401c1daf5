import { describePinned, type Pinned } from "../../core/test/pinned.ts";
import * as limits from "../src/platform/limits.ts";

/** Every constant that kernels are built with, and its origin. */
const PINNED: Pinned = {
  WORKER_GROUP: [2, "workers that share a table of per-warp"],
  WORKER_CHUNK_BYTES: [2 ** 17, "128 KiB, a share of a second-level cache"],
  WORKER_CELLS: [2 ** 12, "16 KiB, half of a first-level cache"],
  WORKER_STARTS_AFTER: [
    2 ** 19 + 192,
    "65,536 keys of eight bytes, and three vectors of four words after them",
  ],
  WORKER_REGION_BYTES: [41 * 2 ** 16, "41 pages: 64 KiB of them would be too few"],
  WORKER_TABLE_BYTES: [2 ** 20, "four tables of 65,536 counters of four bytes"],
  WORKER_SUM_BITS: [40, "2^16 weights below 2^20 and a sign, and room"],
  WORKER_SIDE_BY_SIDE: [4, "chains that fill the ports of a core"],
};

describePinned("the pool's constants", new URL("../src/platform/limits.ts", import.meta.url), limits, PINNED);
