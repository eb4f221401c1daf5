import { availableParallelism } from "node:os";
import { cpu, type Engine, openEngine } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { DISTRIBUTIONS, type Distribution } from "../data/distributions.ts";
import { Rows } from "../data/segment-rows.ts";
import { BYTES, Tile } from "../data/tile.ts";
import { PeerPool } from "../peers/pool.ts";
import type { Bench } from "../runner/bench.ts";
import { type Caller, measureCalls, type Pace } from "../runner/calls.ts";
import type { Report } from "../runner/report.ts";
import type { SegmentShape } from "../runner/row.ts";
import { Scope } from "../runner/scope.ts";
import {
  algorithmOf,
  BINS,
  COUNT_BYTES,
  kernel,
  leaves,
  left,
  type SegmentCell,
  toHost,
} from "../runner/segments.ts";
import { IMITATED } from "../runner/target.ts";
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
  await using engine = await openEngine({ backend: target.timed() });
  const software = IMITATED.test(engine.device);
  const isCuda = target.id === "cuda";
  const cells = software ? SOFTWARE : CELLS;
  const names = isCuda ? ["cub", "pytorch"] : [];
  await eachCell(
    report,
    cells,
    names,
    (what) => bench.hasTime(what),
    async (cell, pool) => {
      const { shape, distribution } = cell;
      const bytes = shape.count * shape.each;
      const countBytes = shape.count * BINS * COUNT_BYTES;
      // A bus is equally fast in both directions.
      const bus = isCuda ? await bench.copyCeiling(countBytes, "pinned", COPY_ROUNDS) : null;
      const room = engine.allocate(countBytes);
      const into = new Uint32Array(room.buffer, room.byteOffset, shape.count * BINS);
      const tile = tileOf(distribution, bytes);
      const data = tile.lay(bench.host(bytes), bytes) as Uint8Array;
      const rows = Rows.of(data, shape.each, periodOf(tile, shape.each));
      await using input = await engine.upload(data);
      const algorithm = await algorithmOf(engine, input, shape);
      const of: SegmentCell = { engine, input, shape, distribution, into, rows, algorithm };
      const isLeft = await leaves(of, report);
      if (isLeft) await kernel(of, report, software ? null : await bench.ceiling(bytes), bench);
      const asked = [toHost(of, bus), ...(isLeft ? [left(of)] : [])];
      const isCompared = distribution === "uniform" && pool.entrants.length > 0;
      if (isCompared) pool.write(data);
      const theirs = isCompared ? pool.segments(shape, distribution, rows) : [];
      await measureCalls(report, [...asked, ...theirs], PACE);
    },
  );
}

/** Measures segments on the CPU, and the plain loop with a new table for each segment. */
export async function segmentsOnHost(report: Report, { quick, hasTime }: HostOptions): Promise<void> {
  await using scope = new Scope();
  const engines: (readonly [Engine, number])[] = [[scope.own(await openEngine({ backend: cpu() })), 1]];
  for (const threads of new Set([1, availableParallelism()]))
    engines.push([scope.own(await openEngine({ backend: piscina({ threads }) })), threads]);
  await eachCell(report, quick ? QUICK : HOST, ["js-loop", "numpy"], hasTime, async (cell, pool) => {
    const { shape, distribution } = cell;
    const bytes = shape.count * shape.each;
    const data = tileOf(distribution, bytes).lay(new Uint8Array(bytes), bytes) as Uint8Array;
    const rows = Rows.of(data, shape.each, bytes);
    const ours: Caller[] = [];
    for (const [engine, threads] of engines) {
      const input = engine.allocate(bytes);
      input.set(data);
      const algorithm = await algorithmOf(engine, input, shape);
      ours.push(toHost({ engine, input, shape, distribution, threads, rows, algorithm }, null));
    }
    pool.write(data);
    const all = [...ours, ...pool.segments(shape, distribution, rows)];
    await measureCalls(report, all, quick ? QUICK_PACE : PACE);
  });
}

/** Measures every length of segments on its distributions while time is left, next to peers. */
async function eachCell(
  report: Report,
  cells: readonly Cell[],
  peers: readonly string[],
  hasTime: (what: string) => boolean,
  measure: (of: { shape: SegmentShape; distribution: Distribution }, pool: PeerPool) => Promise<void>,
): Promise<void> {
  await using scope = new Scope();
  using pool = new PeerPool(report, scope.folder(), { type: "u8", bins: BINS, lo: 0, hi: BINS }, peers);
  for (const { distributions, ...shape } of cells) {
    for (const distribution of distributions) {
      const what = `${shape.count} segments of ${shape.each}, ${distribution}`;
      if (!hasTime(what)) continue;
      await measure({ shape, distribution }, pool).catch((error: Error) => report.lose(what, error));
    }
  }
}

/** Makes a tile. Sorted samples consist of as many levels with equal counts as fit. */
function tileOf(distribution: Distribution, bytes: number): Tile {
  const sorted = distribution === "sorted";
  return Tile.of(BYTES, distribution, sorted ? levels(bytes) : TILE_SAMPLES);
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
