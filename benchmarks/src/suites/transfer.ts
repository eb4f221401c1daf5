import {
  closeSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { type Countable, fileSamples } from "@polybin/core";
import { Tile, type Truth } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import type { CountContest } from "../runner/count.ts";
import type { Row } from "../runner/row.ts";

const SHAPE = { type: "u8", top: 256, channels: 1 } as const;
const CELL = { algorithm: "per-lane" } as const;
const DISTRIBUTIONS = ["uniform", "zeros"] as const;
const GIB = 2 ** 30;
/** Size of the file that is written. It stays in the page cache. */
const FILE_BYTES = 8 * GIB;
const TILE_BYTES = 2 ** 24;
/** The largest file. A larger one would take too long. */
const LARGE_BYTES = 512 * GIB;
/** Rounds on a file larger than memory. Each takes many seconds. */
const LARGE_ROUNDS = 2;

/** Measures whole calls on host memory and files, on the host's clock, and the plain copy. */
export async function transfer(bench: Bench): Promise<void> {
  const { bytes } = bench.options;
  const pinnedCopy = await bench.copyCeiling(bytes, "pinned", bench.options.rounds);
  const pageableCopy = await bench.copyCeiling(bytes, "pageable", bench.options.rounds);
  // Files come first, so that they determine the peak memory.
  await cachedFile(bench, pinnedCopy);
  await fileLargerThanMemory(bench, pinnedCopy);
  const pageable = new Uint8Array(bytes);
  for (const distribution of DISTRIBUTIONS) {
    const tile = Tile.of(SHAPE, distribution);
    for (const [memory, from, ceiling] of [
      ["pinned", bench.host(bytes), pinnedCopy],
      ["pageable", pageable, pageableCopy],
    ] as const) {
      const data = tile.lay(from, bytes);
      await endToEnd(bench, data, { memory, distribution, residence: "upload" }, bytes, ceiling, () =>
        tile.counts(bench.oracle, bytes, {}),
      );
    }
  }
}

async function endToEnd(
  bench: Bench,
  input: Countable,
  place: Pick<Row, "residence" | "distribution"> & { readonly memory: string },
  bytes: number,
  ceiling: number | null,
  truth: () => Promise<Truth>,
  more: Partial<Pick<CountContest, "most" | "warm" | "peak">> = {},
): Promise<void> {
  const what = `per-lane from ${place.memory}, ${place.distribution}`;
  if (!bench.hasTime(what)) return;
  await bench.rounds(what, {
    truth,
    call: () => bench.engine.histograms(input, CELL),
    time: (_timings, ms) => ms,
    row: { ...CELL, type: "u8", n: bytes, ...place },
    bytes,
    ceiling,
    ...more,
  });
}

/** Measures a new file, which is read from the page cache. */
async function cachedFile(bench: Bench, ceiling: number | null): Promise<void> {
  const what = `a file of ${FILE_BYTES / GIB} GiB`;
  const free = freeBytes();
  if (free < FILE_BYTES * 2) {
    bench.report.miss(
      `${what}: only ${Math.floor(free / GIB)} GiB are free in the folder for temporary files`,
    );
    return;
  }
  const tile = Tile.of(SHAPE, "uniform", TILE_BYTES);
  await withFile(bench, async (path, file) => {
    const piece = tile.lay(new Uint8Array(TILE_BYTES), TILE_BYTES);
    for (let at = 0; at < FILE_BYTES; at += TILE_BYTES) writeSync(file, piece, 0, TILE_BYTES, at);
    resetPeak();
    await endToEnd(
      bench,
      fileSamples({ path, bytes: FILE_BYTES }),
      { memory: "file in the page cache", distribution: "uniform", residence: "file" },
      FILE_BYTES,
      ceiling,
      () => tile.counts(bench.oracle, FILE_BYTES, {}),
      { warm: 1, peak },
    );
  });
}

/**
 * Measures a sparse file that is a quarter larger than memory. Nearly all of it are holes, which need no disk space and
 * read as zeros. A piece of random bytes lies at the start of each GiB and at the end.
 */
async function fileLargerThanMemory(bench: Bench, ceiling: number | null): Promise<void> {
  const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const bytes = Math.ceil((memoryBytes * 1.25) / GIB) * GIB;
  if (bytes > LARGE_BYTES) {
    bench.report.miss(`a file larger than memory: ${bytes / GIB} GiB would take too long`);
    return;
  }
  const tile = Tile.of(SHAPE, "uniform", TILE_BYTES);
  await withFile(bench, async (path, file) => {
    const piece = tile.lay(new Uint8Array(TILE_BYTES), TILE_BYTES);
    ftruncateSync(file, bytes);
    let pieces = 0;
    for (let at = 0; at < bytes; at += GIB, pieces++) writeSync(file, piece, 0, TILE_BYTES, at);
    writeSync(file, piece, 0, TILE_BYTES, bytes - TILE_BYTES);
    pieces++;
    bench.report.note("file larger than memory", {
      bytes,
      memoryBytes,
      bytesOnDisk: statSync(path).blocks * 512,
      holes: "read as zeroes",
    });
    resetPeak();
    await endToEnd(
      bench,
      fileSamples({ path, bytes }),
      { memory: "sparse file larger than memory", distribution: "zeros, some uniform", residence: "file" },
      bytes,
      ceiling,
      async () => {
        const [random] = await tile.counts(bench.oracle, pieces * TILE_BYTES, {});
        const counts = Array.from(random!.counts);
        counts[0]! += bytes - pieces * TILE_BYTES;
        return [{ ...random!, counts }];
      },
      { most: LARGE_ROUNDS, warm: 0, peak },
    );
  });
}

/** Makes a temporary file while `use` runs. If that fails, the suite continues without it. */
async function withFile(bench: Bench, use: (path: string, file: number) => Promise<void>): Promise<void> {
  const path = join(tmpdir(), `polybin-bench-${process.pid}`);
  const file = openSync(path, "w");
  try {
    await use(path, file);
  } catch (error) {
    bench.report.miss(`a file: ${(error as Error).message}`);
  } finally {
    closeSync(file);
    rmSync(path);
  }
}

function freeBytes(): number {
  const { bavail, bsize } = statfsSync(tmpdir());
  return bavail * bsize;
}

/** Resets this process's peak memory (proc(5), clear_refs). */
function resetPeak(): void {
  writeFileSync("/proc/self/clear_refs", "5");
}

/** Returns the peak memory since then, in bytes. */
function peak(): number | undefined {
  const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
  return found === null ? undefined : Number(found[1]) * 1024;
}
