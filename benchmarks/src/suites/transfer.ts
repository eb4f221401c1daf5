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
import { BYTES, Tile, type Truth } from "../data/tile.ts";
import type { Bench, DeviceContest } from "../runner/bench.ts";
import { counting, type Result } from "../runner/count.ts";
import type { Row } from "../runner/row.ts";
import { PER_LANE } from "./sweeps.ts";

const GIB = 2 ** 30;
/** Size of the file that is written. It stays in the page cache. */
const FILE_BYTES = 8 * GIB;
const TILE_BYTES = 2 ** 24;
/** The largest file, and the rounds on one that is larger than memory. Each takes many seconds. */
const LARGE_BYTES = 512 * GIB;
const LARGE_ROUNDS = 2;

/** Measures whole calls on host memory and files, on the host's clock, and the plain copy. */
export async function transfer(bench: Bench): Promise<void> {
  const { bytes, rounds } = bench.options;
  const pinned = await bench.copyCeiling(bytes, "pinned", rounds);
  const pageable = await bench.copyCeiling(bytes, "pageable", rounds);
  // Files come first, so that they determine the peak memory.
  await cachedFile(bench, pinned);
  await fileLargerThanMemory(bench, pinned);
  const ordinary = new Uint8Array(bytes);
  for (const distribution of ["uniform", "zeros"] as const) {
    const tile = Tile.of(BYTES, distribution);
    const truth = () => tile.counts(bench.oracle, bytes, {});
    for (const [memory, from, ceiling] of [
      ["pinned", bench.host(bytes), pinned],
      ["pageable", ordinary, pageable],
    ] as const) {
      const place = { memory, distribution, residence: "upload", n: bytes } as const;
      await wholeCall(bench, tile.lay(from, bytes), place, { ceiling, truth });
    }
  }
}

async function wholeCall(
  bench: Bench,
  input: Countable,
  place: Pick<Row, "residence" | "distribution" | "n"> & { readonly memory: string },
  of: Pick<DeviceContest<readonly Result[]>, "most" | "warm" | "peak" | "ceiling"> & {
    truth(): Promise<Truth>;
  },
): Promise<void> {
  const what = `per-lane from ${place.memory}, ${place.distribution}`;
  if (!bench.hasTime(what)) return;
  const call = () => bench.engine.histograms(input, PER_LANE);
  const row = { algorithm: "per-lane", type: "u8", ...place };
  await bench.contest(what, { ...of, ...counting({ row, bytes: place.n, call, ...of }) });
}

/** Measures a new file, which is read from the page cache. */
async function cachedFile(bench: Bench, ceiling: number | null): Promise<void> {
  const { bavail, bsize } = statfsSync(tmpdir());
  const free = bavail * bsize;
  if (free < FILE_BYTES * 2) {
    const what = `a file of ${FILE_BYTES / GIB} GiB`;
    const left = Math.floor(free / GIB);
    return bench.report.miss(`${what}: only ${left} GiB are free in the folder for temporary files`);
  }
  await withFile(bench, async (path, file, tile, piece) => {
    for (let at = 0; at < FILE_BYTES; at += TILE_BYTES) writeSync(file, piece, 0, TILE_BYTES, at);
    resetPeak();
    const place = { distribution: "uniform", residence: "file", n: FILE_BYTES } as const;
    await wholeCall(
      bench,
      fileSamples({ path, bytes: FILE_BYTES }),
      { memory: "file in the page cache", ...place },
      { ceiling, truth: () => tile.counts(bench.oracle, FILE_BYTES, {}), warm: 1, peak },
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
  if (bytes > LARGE_BYTES)
    return bench.report.miss(`a file larger than memory: ${bytes / GIB} GiB would take too long`);
  await withFile(bench, async (path, file, tile, piece) => {
    ftruncateSync(file, bytes);
    let pieces = 0;
    for (let at = 0; at < bytes; at += GIB, pieces++) writeSync(file, piece, 0, TILE_BYTES, at);
    writeSync(file, piece, 0, TILE_BYTES, bytes - TILE_BYTES);
    pieces++;
    const bytesOnDisk = statSync(path).blocks * 512;
    bench.report.note("file larger than memory", {
      bytes,
      memoryBytes,
      bytesOnDisk,
      holes: "read as zeroes",
    });
    resetPeak();
    const truth = async () => {
      const [random] = await tile.counts(bench.oracle, pieces * TILE_BYTES, {});
      const counts = Array.from(random!.counts);
      counts[0]! += bytes - pieces * TILE_BYTES;
      return [{ ...random!, counts }];
    };
    const place = { distribution: "zeros, some uniform", residence: "file", n: bytes } as const;
    await wholeCall(
      bench,
      fileSamples({ path, bytes }),
      { memory: "sparse file larger than memory", ...place },
      { ceiling, truth, most: LARGE_ROUNDS, warm: 0, peak },
    );
  });
}

/** Makes a temporary file and a piece of random bytes while `use` runs. If that fails, the suite continues without it. */
async function withFile(
  bench: Bench,
  use: (path: string, file: number, tile: Tile, piece: Uint8Array) => Promise<void>,
): Promise<void> {
  const path = join(tmpdir(), `polybin-bench-${process.pid}`);
  const file = openSync(path, "w");
  try {
    const tile = Tile.of(BYTES, "uniform", TILE_BYTES);
    await use(path, file, tile, tile.lay(new Uint8Array(TILE_BYTES), TILE_BYTES) as Uint8Array);
  } catch (error) {
    bench.report.miss(`a file: ${(error as Error).message}`);
  } finally {
    closeSync(file);
    rmSync(path);
  }
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
