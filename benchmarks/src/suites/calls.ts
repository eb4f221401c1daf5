import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Counter, type Engine, type Histogram, integer, openEngine, type Resident } from "@polybin/core";
import { IMITATED } from "../axes/sides.ts";
import { DISTRIBUTIONS, type Values } from "../data/distributions.ts";
import { Tile } from "../data/tile.ts";
import { DawnFloor } from "../peers/dawn.ts";
import type { Bench } from "../runner/bench.ts";
import { type Caller, callAgain, measureCalls, type Pace } from "../runner/calls.ts";
import { movedRow } from "../runner/ceiling.ts";
import { callerOf, refusesSync, type Way } from "../runner/counter.ts";
import type { Row } from "../runner/row.ts";
import { throughput } from "../runner/statistics.ts";
import { aSecond, bySize, CUB_ON_DEVICE, CUB_ON_HOST, ratios } from "../tables/calls.ts";
import { wantedOf, wantedText } from "../tables/wanted.ts";
import { CallPeers } from "./calls-peers.ts";
import { cubKernels } from "./cub.ts";

const SHAPE = { type: "u8", top: 256, channels: 1 } as const;
const AXIS = integer(0, 256);
const OPTIONS = { axis: AXIS } as const;
/** Number of generated samples. Larger data repeat them. */
const TILE_SAMPLES = 2 ** 22;
/** The fewest sorted samples, which consist of levels with equal counts. */
const SORTED_LEAST = 2 ** 16;
/** How long every call is measured. */
const PACE: Pace = { most: 500, seconds: 0.1, turns: 4 };
/** Share of that time for each distribution other than uniform. */
const OTHERS_SHARE = 0.5;
/** The sizes for one kind of device, as powers of two. */
interface Plan {
  /** Sizes of uniform bytes, with every kind of call. */
  readonly sizes: readonly number[];
  /** Sizes of the other distributions, with the plain kinds of call. */
  readonly others: readonly number[];
  /** Sizes of uniform bytes in host memory. */
  readonly host: readonly number[];
}
const PLANS: Readonly<Record<"cuda" | "webgpu" | "software", Plan>> = {
  cuda: {
    sizes: [6, 10, 13, 16, 18, 20, 22, 24, 26, 28, 30, 32],
    others: [16, 20, 22, 24, 26, 28, 30],
    host: [6, 10, 13, 16, 18, 20, 22, 24, 26, 28, 30],
  },
  webgpu: {
    sizes: [6, 10, 13, 16, 18, 20, 22, 24, 26, 28, 30],
    others: [16, 22, 28],
    host: [6, 10, 16, 20, 24, 28],
  },
  // A software device takes milliseconds per call. This only shows that everything runs.
  software: { sizes: [6, 10], others: [10], host: [10] },
};
/** The largest data for many calls at once. Larger ones only wait for the kernels and would take seconds. */
const MOST_TOGETHER = 2 ** 26;
/** The largest data for one `countAll`, which holds all its results. */
const MOST_AT_ONCE = 2 ** 24;

/** The pace of a software device. */
const SOFTWARE_PACE: Pace = { most: 5, seconds: 0.01, turns: 1 };
const SOFTWARE_TOGETHER = 8;

const PLAIN: readonly Way[] = [{ call: "countSync" }, { call: "count" }];
const EVERY: readonly Way[] = [
  ...PLAIN,
  { call: "histogram" },
  { call: "accumulate", inFlight: 8 },
  { call: "count", inFlight: 8 },
  { call: "count", inFlight: 128 },
  { call: "countAll", inFlight: 256 },
];

/**
 * Measures whole calls until the counts are on the host: by size, distribution and kind of call, from device memory and
 * host memory. Also measures the kernels alone, the plain copies, and other programs' calls.
 */
export async function calls(bench: Bench): Promise<void> {
  const { target, report } = bench;
  await using engine = await openEngine({ backend: target.backend() });
  const software = IMITATED.test(engine.device);
  const plan = PLANS[software ? "software" : target.id];
  const scratch = mkdtempSync(join(tmpdir(), "polybin-calls-"));
  const peers = software ? null : CallPeers.open(bench, scratch);
  const before = target.sleeps && !software ? { before: () => bench.between() } : {};
  const pace = { ...(software ? SOFTWARE_PACE : PACE), ...before };
  const shop: Shop = { bench, engine, peers, pace, software };
  try {
    if (target.id === "webgpu") await floor(shop);
    for (const distribution of DISTRIBUTIONS) {
      const tile = Tile.of(SHAPE, distribution, Math.min(TILE_SAMPLES, 2 ** Math.max(...plan.sizes)));
      const exponents = distribution === "uniform" ? plan.sizes : plan.others;
      if (distribution === "sorted" && 2 ** exponents[0]! < SORTED_LEAST) continue;
      for (const exponent of exponents) await resident(shop, tile, 2 ** exponent);
      if (distribution !== "uniform") continue;
      for (const exponent of plan.host) await fromHost(shop, tile, 2 ** exponent);
      if (target.id === "cuda") await cubKernels(bench, plan.sizes, plan.others);
    }
  } finally {
    peers?.close();
    rmSync(scratch, { recursive: true });
  }
  const wanted = wantedOf(report.rows, target.id);
  report.note("what calls should come to", wanted);
  printTables(report.rows);
  if (!software) console.log(`\n${wantedText(wanted).join("\n")}`);
}

/** Prints summary tables of the rows. */
function printTables(rows: readonly Row[]): void {
  const calls = { rows, basis: "calls" } as const;
  const [ours, done, home] = ["`@polybin/cuda`, countSync", CUB_ON_DEVICE, CUB_ON_HOST] as const;
  for (const table of [
    bySize(calls),
    aSecond(calls),
    ratios({ rows, basis: "kernels" }, "`@polybin/cuda`, per-lane", "CUB"),
    ratios(calls, ours, done),
    ratios(calls, "`@polybin/cuda`, count", home),
    bySize({ ...calls, residence: "upload" }),
  ])
    if (table.length > 0) console.log(`\n${table.join("\n")}`);
}

interface Shop {
  readonly bench: Bench;
  /** An engine as a program opens it. The bench's own engine reports kernel times. */
  readonly engine: Engine;
  readonly peers: CallPeers | null;
  readonly pace: Pace;
  readonly software: boolean;
}

function prepared({ engine }: Shop): Promise<Counter<Histogram>> {
  return engine.prepare({ type: "u8", ...OPTIONS });
}

/** Makes the head of our rows. */
function rowOf(
  { backend, algorithm, bins }: Histogram,
  n: number,
  place: Pick<Row, "distribution" | "residence">,
) {
  return { backend, algorithm, type: "u8", bins, n, ...place } as const;
}

async function resident(shop: Shop, tile: Tile, bytes: number): Promise<void> {
  const { bench, engine, peers } = shop;
  const what = `calls on resident ${tile.name}, n = ${bytes}`;
  if (!bench.hasTime(what)) return;
  try {
    if (bench.target.id !== "cuda") {
      await using timed = await bench.load(tile, bytes);
      await bench.measure(timed, { algorithm: "per-lane" });
    }
    await using loaded = await bench.load(tile, bytes, engine);
    await using counter = await prepared(shop);
    const row = rowOf(await counter.count(loaded.resident), bytes, {
      distribution: tile.name,
      residence: "resident",
    });
    const ways = waysOf(shop, counter, loaded.resident, tile.name, bytes);
    const ours = ways.map((way) =>
      callerOf(
        {
          ...{ engine, counter, options: OPTIONS, input: loaded.resident, bytes },
          truth: () => loaded.truth({ algorithm: "per-lane" }),
          row,
        },
        way,
      ),
    );
    const theirs = (await peers?.onGpu(tile, bytes)) ?? [];
    const { seconds } = shop.pace;
    const share = tile.name === "uniform" ? 1 : OTHERS_SHARE;
    await measureCalls(bench.report, [...ours, ...theirs], { ...shop.pace, seconds: seconds * share });
  } catch (error) {
    bench.report.lose(what, error as Error);
  }
}

/** Lists the kinds of call: all that end in time for uniform bytes, the plain ones for other distributions. */
function waysOf(
  { bench: { report }, software }: Shop,
  counter: Counter<Histogram>,
  input: Resident | Values,
  distribution: string,
  bytes: number,
): readonly Way[] {
  const wanted = distribution === "uniform" ? EVERY : PLAIN;
  return wanted.filter(({ call, inFlight = 1 }) => {
    if (software && inFlight > SOFTWARE_TOGETHER) return false;
    if (inFlight > 8 && bytes > (call === "countAll" ? MOST_AT_ONCE : MOST_TOGETHER)) return false;
    if (call !== "countSync") return true;
    const why = refusesSync(counter, input);
    if (why !== null) report.missOnce(`countSync: ${why}`);
    return why === null;
  });
}

/** Measures calls from ordinary and from page-locked memory, and plain copies of the same size. */
async function fromHost(shop: Shop, tile: Tile, bytes: number): Promise<void> {
  const { bench, engine, peers } = shop;
  const what = `calls on the host's ${tile.name}, n = ${bytes}`;
  if (!bench.hasTime(what)) return;
  try {
    await using counter = await prepared(shop);
    const truth = () => tile.counts(bench.oracle, bytes, OPTIONS);
    const callers: Caller[] = [];
    const places = [
      ["pageable", new Uint8Array(bytes)],
      [bench.target.id === "cuda" ? "pinned" : "allocated", engine.allocate(bytes)],
    ] as const;
    for (const [memory, from] of places) {
      const input = tile.lay(from, bytes);
      const ceiling = await plainCopy(bench, bytes, memory);
      const place = { distribution: tile.name, residence: "upload", memory } as const;
      const row = rowOf(await counter.count(input), bytes, place);
      for (const way of waysOf(shop, counter, input, "", bytes)) {
        callers.push(callerOf({ engine, counter, options: OPTIONS, input, bytes, truth, row, ceiling }, way));
      }
    }
    const [[, from], [, to]] = places;
    bench.report.add(await memcpy(from, to));
    callers.push(...((await peers?.onHost(tile, bytes)) ?? []));
    await measureCalls(bench.report, callers, shop.pace);
  } catch (error) {
    bench.report.lose(what, error as Error);
  }
}

/** Measures how fast the bus copies this number of bytes to the device, in GB/s. Only CUDA can measure it. */
async function plainCopy(
  bench: Bench,
  bytes: number,
  memory: "pageable" | "pinned" | "allocated",
): Promise<number | null> {
  if (bench.target.id !== "cuda" || memory === "allocated") return null;
  return bench.copyCeiling(bytes, memory, bytes <= 2 ** 24 ? 101 : 15);
}

/** Measures the host's own copy of this number of bytes, from ordinary memory to the engine's. */
async function memcpy(from: Uint8Array, to: Uint8Array): Promise<Row> {
  const copy = () => to.set(from);
  await callAgain(copy, 100, PACE.seconds / 4);
  const ms = await callAgain(copy, PACE.most, PACE.seconds);
  return {
    ...movedRow({
      ...{ peer: "copy", memory: "pageable", variant: "memcpy on the host", bytes: from.length },
      ...{ residence: "upload", ms, ceilingPercent: null },
    }),
    gbps: throughput(from.length, ms),
  };
}

/** Measures Dawn's floor. */
async function floor({ bench, pace }: Shop): Promise<void> {
  const dawn = await DawnFloor.open();
  await measureCalls(bench.report, [dawn.caller(1), dawn.caller(256)], pace);
  dawn.close();
}
