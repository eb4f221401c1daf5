import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { type Counter, cpu, type Engine, type Histogram, openEngine } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { axisOf, shapeOf, TYPES } from "../axes/cell.ts";
import { DISTRIBUTIONS, type Distribution } from "../data/distributions.ts";
import { pixelBytes, type Shape, Tile } from "../data/tile.ts";
import { peerCaller } from "../peers/callers.ts";
import { LOOP_WAYS, loopPeer, PEERS, type Peer, type PeerJob } from "../peers/process.ts";
import { type Caller, measureCalls, type Pace } from "../runner/calls.ts";
import { callerOf, refusesSync, type Way } from "../runner/counter.ts";
import { progressLine } from "../runner/progress.ts";
import type { Report } from "../runner/report.ts";
import { wantedText } from "../tables/wanted.ts";
import { wantedOfHost } from "../tables/wanted-host.ts";
import type { HostOptions } from "./host-options.ts";

const BINS = 256;
const TILE_SAMPLES = 2 ** 20;

/** Exponents of the sizes in bytes, for uniform data and for the other distributions. */
interface Plan {
  readonly types: readonly Shape["type"][];
  readonly distributions: readonly Distribution[];
  readonly uniform: readonly number[];
  readonly others: readonly number[];
  readonly pace: Pace;
}
const PLANS: Readonly<Record<"quick" | "full", Plan>> = {
  quick: {
    types: ["u8", "f32"],
    distributions: ["uniform"],
    uniform: [12],
    others: [],
    pace: { most: 5, seconds: 0.01, turns: 1 },
  },
  full: {
    types: TYPES,
    distributions: DISTRIBUTIONS,
    uniform: [6, 10, 13, 14, 16, 18, 20, 22, 24, 26, 28],
    others: [14, 16, 22, 24],
    pace: { most: 200, seconds: 0.1, turns: 5 },
  },
};
/** Limits in bytes for wider types and for many calls at once, which would take seconds. */
const MOST_WIDE = 2 ** 26;
const MOST_TOGETHER = 2 ** 18;
const MOST_AT_ONCE = 2 ** 16;

const TOGETHER: readonly Way[] = [
  { call: "histogram" },
  { call: "accumulate", inFlight: 8 },
  { call: "count", inFlight: 8 },
  { call: "count", inFlight: 128 },
  { call: "countAll", inFlight: 256 },
];

/** An engine and its number of threads. */
interface Side {
  readonly engine: Engine;
  readonly threads: number;
}

/** One size of one distribution. */
interface Data {
  readonly tile: Tile;
  readonly n: number;
  readonly bytes: number;
}

/**
 * Measures calls on the CPU, ours and other programs', alternately: by type, size and distribution, from ordinary memory
 * and from memory of `engine.allocate`, awaited and synchronous.
 */
export async function callsOnHost(report: Report, { quick, hasTime }: HostOptions): Promise<void> {
  const plan = PLANS[quick ? "quick" : "full"];
  const scratch = mkdtempSync(join(tmpdir(), "polybin-calls-"));
  await using oracle = await openEngine({ backend: cpu() });
  const counts = [...new Set([1, availableParallelism()])];
  const sides: Side[] = [{ engine: oracle, threads: 1 }];
  for (const threads of counts)
    sides.push({ engine: await openEngine({ backend: piscina({ threads }) }), threads });
  const { show, clear } = progressLine();
  try {
    for (const isUniform of [true, false]) {
      const distributions = plan.distributions.filter((one) => (one === "uniform") === isUniform);
      for (const type of distributions.length === 0 ? [] : plan.types) {
        if (!hasTime(`calls on ${type}, ${isUniform ? "uniform" : "all other distributions"}`)) continue;
        const job: PeerJob = {
          file: join(scratch, "data"),
          n: 0,
          type,
          bins: BINS,
          lo: 0,
          hi: shapeOf(type).top,
        };
        const peers = peersFor(report, job, scratch);
        for (const distribution of distributions) {
          const tile = Tile.of(shapeOf(type), distribution, TILE_SAMPLES);
          for (const exponent of isUniform ? plan.uniform : plan.others) {
            const bytes = 2 ** exponent;
            const what = `calls on ${type} ${distribution}, ${bytes} bytes`;
            const n = bytes / pixelBytes(tile.shape);
            if ((type !== "u8" && bytes > MOST_WIDE) || !fits(tile, n)) continue;
            if (!hasTime(what)) continue;
            show(what);
            try {
              const of: Data = { tile, n, bytes };
              const theirs = await load(peers, report, job, of);
              await using ours = await callersOn(report, sides, oracle, of);
              await measureCalls(report, [...ours.callers, ...theirs], plan.pace);
            } catch (error) {
              report.lose(what, error as Error);
            }
          }
        }
        for (const { peer } of peers) peer.close();
      }
    }
  } finally {
    clear();
    for (const { engine } of sides) await engine.close();
    rmSync(scratch, { recursive: true });
  }
  const wanted = wantedOfHost(report.rows);
  report.note("what calls should come to", wanted);
  if (!quick) console.log(wantedText(wanted).join("\n"));
}

/** Sorted samples consist of levels with equal counts, which need enough samples. */
function fits({ name }: Tile, n: number): boolean {
  return name !== "sorted" || n >= 2 ** 16;
}

/** A peer and its way of counting. */
interface Entrant {
  readonly peer: Peer;
  readonly variant: string;
}

function peersFor(report: Report, job: PeerJob, scratch: string): Entrant[] {
  const of: Entrant[] = Object.keys(LOOP_WAYS).map((variant) => ({ peer: loopPeer(job, variant), variant }));
  for (const kind of PEERS.filter(({ name }) => ["c", "numpy", "opencv"].includes(name))) {
    const why = kind.refuses(job) ?? kind.absent(scratch);
    if (why === null) of.push({ peer: kind.start(job, scratch), variant: "" });
    else report.missOnce(`${kind.name}, ${job.type}: ${why}`);
  }
  return of;
}

/** Passes the data to all peers. A peer that cannot take them is excluded. */
async function load(
  peers: readonly Entrant[],
  report: Report,
  { file, type }: PeerJob,
  { tile, n, bytes }: Data,
): Promise<Caller[]> {
  const data = tile.lay(new Uint8Array(bytes), n);
  const to = openSync(file, "w");
  writeSync(to, new Uint8Array(data.buffer));
  closeSync(to);
  await using oracle = await openEngine({ backend: cpu() });
  const truth = await tile.counts(oracle, n, { axis: axisOf({ type: tile.shape.type, bins: BINS }) });
  const callers: Caller[] = [];
  for (const { peer, variant } of peers) {
    try {
      await peer.data(file, n);
    } catch (error) {
      report.missOnce(`${peer.name}, ${type}: ${(error as Error).message}`);
      continue;
    }
    callers.push(
      peerCaller({
        peer,
        row: {
          ...(variant === "" ? {} : { variant }),
          ...{ type, bins: BINS, n, distribution: tile.name, residence: "resident", threads: 1 },
        },
        bytes,
        truth: async () => truth,
      }),
    );
  }
  return callers;
}

/** Makes our callers: every engine on ordinary memory and on its own, with every kind of call. */
async function callersOn(
  report: Report,
  sides: readonly Side[],
  oracle: Engine,
  { tile, n, bytes }: Data,
): Promise<AsyncDisposable & { readonly callers: readonly Caller[] }> {
  const { type } = tile.shape;
  const options = { axis: axisOf({ type, bins: BINS }) };
  const truth = await tile.counts(oracle, n, options);
  const ordinary = tile.lay(new Uint8Array(bytes), n);
  const callers: Caller[] = [];
  const counters: Counter<Histogram>[] = [];
  for (const { engine, threads } of sides) {
    const counter = await engine.prepare({ type, ...options });
    counters.push(counter);
    const own = tile.lay(engine.allocate(bytes), n);
    for (const [residence, input] of [
      ["upload", ordinary],
      ["resident", own],
    ] as const) {
      const { backend, algorithm } = await counter.count(input);
      const row = {
        ...{ backend, device: engine.device, algorithm, threads, type, bins: BINS, n },
        ...{ distribution: tile.name, residence },
      };
      const why = refusesSync(counter, input);
      if (why !== null) report.missOnce(`${backend}, countSync: ${why}`);
      const isPlain =
        residence === "resident" || backend === "cpu" || tile.name !== "uniform" || type !== "u8";
      const ways: readonly Way[] = [
        // `countSync` counts on the calling thread, whatever the number of workers.
        ...(threads === 1 && why === null ? [{ call: "countSync" } as const] : []),
        { call: "count" },
        ...(isPlain ? [] : TOGETHER),
      ];
      for (const way of ways) {
        const { inFlight = 1 } = way;
        if (inFlight > 8 && bytes > (way.call === "countAll" ? MOST_AT_ONCE : MOST_TOGETHER)) continue;
        callers.push(
          callerOf({ engine, counter, options, input, bytes, truth: async () => truth, row }, way),
        );
      }
    }
  }
  return {
    callers,
    [Symbol.asyncDispose]: async () => {
      for (const counter of counters) await counter.free();
    },
  };
}
