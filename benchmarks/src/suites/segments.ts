import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { cpu, type Engine, openEngine } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { IMITATED } from "../axes/sides.ts";
import { DISTRIBUTIONS, type Distribution } from "../data/distributions.ts";
import { Rows } from "../data/segment-rows.ts";
import { Tile } from "../data/tile.ts";
import { SegmentPeers } from "../peers/segment-callers.ts";
import type { Bench } from "../runner/bench.ts";
import { type Caller, measureCalls, type Pace } from "../runner/calls.ts";
import type { Report } from "../runner/report.ts";
import type { SegmentShape } from "../runner/row.ts";
import { algorithmOf, BINS, COUNT_BYTES, home, kernel, leaves, left, type Ours } from "../runner/segments.ts";
import type { HostOptions } from "./host-options.ts";

const TILE_SAMPLES = 2 ** 22;
const COPY_ROUNDS = 11;
/** Calls and seconds per cell. Some peers take seconds for one call. */
const PACE: Pace = { most: 50, seconds: 0.5, turns: 2 };
const QUICK_PACE: Pace = { most: 5, seconds: 0.01, turns: 1 };

/** Segments of one length, on some distributions. */
interface Cell extends SegmentShape {
  readonly distributions: readonly Distribution[];
}
const FEW: readonly Distribution[] = ["uniform", "zeros"];
const CELLS: readonly Cell[] = [
  { count: 2 ** 18, each: 2 ** 12, distributions: DISTRIBUTIONS },
  { count: 2 ** 18, each: 2 ** 6, distributions: FEW },
  { count: 2 ** 14, each: 2 ** 16, distributions: FEW },
  { count: 2 ** 6, each: 2 ** 24, distributions: FEW },
];
const SOFTWARE: readonly Cell[] = [{ count: 64, each: 256, distributions: FEW }];
/** The most common case: thumbnails. */
const HOST: readonly Cell[] = [
  { count: 10_000, each: 4096, distributions: DISTRIBUTIONS },
  { count: 100_000, each: 64, distributions: FEW },
  { count: 16, each: 2 ** 22, distributions: FEW },
];
const QUICK: readonly Cell[] = [{ count: 100, each: 64, distributions: ["uniform"] }];

/** Measures segments on a GPU: the kernel, calls that copy the counts to the host, and calls that leave them on the device. */
export async function segments(bench: Bench): Promise<void> {
  const { target, report } = bench;
  await using timed = await openEngine({ backend: target.timed() });
  const software = IMITATED.test(timed.device);
  const scratch = mkdtempSync(join(tmpdir(), "polybin-segments-"));
  const peers = new SegmentPeers(report, scratch, target.id === "cuda" ? ["cub", "pytorch"] : []);
  try {
    for (const { distributions, ...shape } of software ? SOFTWARE : CELLS) {
      const bytes = shape.count * shape.each;
      const bus = target.id === "cuda" ? await homeBus(bench, shape) : null;
      const room = timed.allocate(shape.count * BINS * COUNT_BYTES);
      const into = new Uint32Array(room.buffer, room.byteOffset, shape.count * BINS);
      for (const distribution of distributions) {
        const what = `${shape.count} segments of ${shape.each}, ${distribution}`;
        if (!bench.hasTime(what)) continue;
        try {
          const tile = tileOf(distribution, bytes);
          const data = tile.lay(bench.host(bytes), bytes) as Uint8Array;
          const rows = Rows.of(data, shape.each, periodOf(tile, shape.each));
          await using resident = await timed.upload(data);
          const algorithm = await algorithmOf(timed, resident, shape);
          const cell: Ours = { engine: timed, input: resident, shape, distribution, into, rows, algorithm };
          const isLeft = await leaves(cell, report);
          const ceiling = software ? null : await bench.ceiling(bytes);
          if (isLeft) await kernel(cell, report, ceiling, bench);
          const asked = [home(cell, bus), ...(isLeft ? [left(cell)] : [])];
          const theirs = distribution === "uniform" ? peers.callers(data, shape, distribution, rows) : [];
          await measureCalls(report, [...asked, ...theirs], PACE);
        } catch (error) {
          report.lose(what, error as Error);
        }
      }
    }
  } finally {
    peers.close();
    rmSync(scratch, { recursive: true });
  }
}

/** Measures segments on the CPU, and the plain loop with a new table for each segment. */
export async function segmentsOnHost(report: Report, { quick, hasTime }: HostOptions): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "polybin-segments-"));
  const peers = new SegmentPeers(report, scratch, ["js-loop", "numpy"]);
  const engines: (readonly [Engine, number])[] = [[await openEngine({ backend: cpu() }), 1]];
  for (const threads of new Set([1, availableParallelism()]))
    engines.push([await openEngine({ backend: piscina({ threads }) }), threads]);
  try {
    for (const { distributions, ...shape } of quick ? QUICK : HOST) {
      const bytes = shape.count * shape.each;
      for (const distribution of distributions) {
        const what = `${shape.count} segments of ${shape.each}, ${distribution}`;
        if (!hasTime(what)) continue;
        try {
          const tile = tileOf(distribution, bytes);
          const data = new Uint8Array(bytes);
          tile.lay(data, bytes);
          const rows = Rows.of(data, shape.each, bytes);
          const ours: Caller[] = [];
          for (const [engine, threads] of engines) {
            const input = engine.allocate(bytes);
            input.set(data);
            const algorithm = await algorithmOf(engine, input, shape);
            ours.push(home({ engine, input, shape, distribution, threads, rows, algorithm }, null));
          }
          const all = [...ours, ...peers.callers(data, shape, distribution, rows)];
          await measureCalls(report, all, quick ? QUICK_PACE : PACE);
        } catch (error) {
          report.lose(what, error as Error);
        }
      }
    }
  } finally {
    for (const [engine] of engines) await engine.close();
    peers.close();
    rmSync(scratch, { recursive: true });
  }
}

/** Makes a tile. Sorted samples consist of as many levels with equal counts as fit. */
function tileOf(distribution: Distribution, bytes: number): Tile {
  const sorted = distribution === "sorted";
  return Tile.of({ type: "u8", top: 256, channels: 1 }, distribution, sorted ? levels(bytes) : TILE_SAMPLES);
}

/** Returns the largest number of levels, a power of two, that divides `bytes`. */
function levels(bytes: number): number {
  let most = 1;
  while (most < 2 ** 16 && bytes % (2 * most) === 0) most *= 2;
  return most;
}

/** Returns the number of samples after which the segments repeat. */
function periodOf({ name }: Tile, each: number): number {
  return name === "sorted" || name === "picture" ? Number.POSITIVE_INFINITY : Math.max(TILE_SAMPLES, each);
}

/** Measures a plain copy of the counts' size over the bus, which is equally fast in both directions. */
function homeBus(bench: Bench, { count }: SegmentShape): Promise<number | null> {
  return bench.copyCeiling(count * BINS * COUNT_BYTES, "pinned", COPY_ROUNDS);
}
