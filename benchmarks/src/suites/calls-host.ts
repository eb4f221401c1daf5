import { availableParallelism, totalmem } from "node:os";
import { cpu, openEngine } from "@polybin/core";
import { native } from "@polybin/native";
import { piscina } from "@polybin/piscina";
import { axisOf, shapeOf, TYPES } from "../axes/cell.ts";
import { DISTRIBUTIONS, type Distribution } from "../data/distributions.ts";
import { pixelBytes, type Shape, Tile } from "../data/tile.ts";
import { PeerPool, peerCaller } from "../peers/pool.ts";
import { LOOP_WAYS } from "../peers/process.ts";
import { type CallData, type CallPlace, callersOn } from "../runner/call-cells.ts";
import { type Caller, measureCalls, type Pace } from "../runner/calls.ts";
import { progressLine } from "../runner/progress.ts";
import type { Report } from "../runner/report.ts";
import { Scope } from "../runner/scope.ts";
import { wantedText } from "../tables/wanted.ts";
import { wantedOfHost } from "../tables/wanted-host.ts";
import type { HostOptions } from "./host-options.ts";

const BINS = 256;
const TILE_SAMPLES = 2 ** 20;

/** The cells of a suite. */
interface Plan {
  readonly types: readonly Shape["type"][];
  readonly distributions: readonly Distribution[];
  /** Exponents of the sizes in bytes, for uniform data and for the other distributions. */
  readonly uniform: readonly number[];
  readonly others: readonly number[];
  /** The largest data in bytes of types wider than a byte. */
  readonly mostWide: number;
  readonly peers: readonly string[];
  /** Variants of the plain loop. */
  readonly loops: readonly string[];
  readonly pace: Pace;
}
const QUICK: Pick<Plan, "types" | "distributions" | "uniform" | "others" | "pace"> = {
  ...{ types: ["u8", "f32"], distributions: ["uniform"], uniform: [12], others: [] },
  pace: { most: 5, seconds: 0.01, turns: 1 },
};
const CALLS: Plan = {
  ...{ types: TYPES, distributions: DISTRIBUTIONS, mostWide: 2 ** 26 },
  ...{ uniform: [6, 10, 13, 14, 16, 18, 20, 22, 24, 26, 28], others: [14, 16, 22, 24] },
  ...{ peers: ["c", "numpy", "opencv"], loops: Object.keys(LOOP_WAYS) },
  pace: { most: 200, seconds: 0.1, turns: 5 },
};
/** The largest data in bytes for many calls at once, which would take seconds. */
const MOST_TOGETHER = 2 ** 18;
/** Copies of the samples in memory: ours, and one per peer. The rest of the memory is for everything else. */
const MEMORY_SHARE = 0.5;

/**
 * Measures calls on the CPU, ours and other programs', alternately: by type, size and distribution, from ordinary memory
 * and from memory of `engine.allocate`, awaited and synchronous.
 */
export async function callsOnHost(report: Report, options: HostOptions): Promise<void> {
  await measureAll(report, options);
  const wanted = wantedOfHost(report.rows);
  report.note("what calls should come to", wanted);
  if (!options.quick) console.log(wantedText(wanted).join("\n"));
}

async function measureAll(report: Report, { quick, hasTime }: HostOptions): Promise<void> {
  const plan: Plan = quick ? { ...CALLS, ...QUICK } : CALLS;
  const most = (totalmem() * MEMORY_SHARE) / (plan.peers.length + plan.loops.length + 1);
  await using scope = new Scope();
  const scratch = scope.folder();
  const oracle = scope.own(await openEngine({ backend: cpu() }));
  const sides = [{ engine: oracle, threads: 1 }];
  for (const threads of new Set([1, availableParallelism()])) {
    for (const backend of [native({ threads }), piscina({ threads })]) {
      const found = await backend.probe();
      if (found.available) sides.push({ engine: scope.own(await openEngine({ backend })), threads });
      else report.missOnce(`${backend.id}: ${found.reason}`);
    }
  }
  /** Measures one size of one distribution. */
  const measure = async (tile: Tile, bytes: number, pool: PeerPool) => {
    const [{ type }, n] = [tile.shape, bytes / pixelBytes(tile.shape)];
    const axis = axisOf({ type, bins: BINS });
    const counts = tile.counts(oracle, n, { axis });
    const of: CallData = { tile, n, bytes, axis, truth: () => counts };
    const ordinary = tile.lay(new Uint8Array(bytes), n);
    pool.write(ordinary);
    await using prepared = new Scope();
    const callers: Caller[] = [];
    for (const { engine, threads } of sides) {
      const isMany = engine.backend !== "cpu" && tile.name === "uniform" && type === "u8";
      const places: readonly CallPlace[] = [
        // Compared with memory of `engine.allocate`, ordinary memory is an upload.
        { residence: "upload", input: ordinary, ...(isMany && { many: MOST_TOGETHER }) },
        { residence: "resident", input: tile.lay(engine.allocate(bytes), n) },
      ];
      // `countSync` of the worker pool counts on the calling thread, whatever the number of workers.
      const ours = await callersOn(report, engine, of, places, {
        threads,
        sync: threads === 1,
      });
      callers.push(...prepared.own(ours).callers);
    }
    const place = {
      type,
      bins: BINS,
      n,
      distribution: tile.name,
      residence: "resident",
    } as const;
    for (const entrant of pool.entrants) {
      if (!(await pool.load(entrant, n, type))) continue;
      const { peer, variant, threads } = entrant;
      callers.push(peerCaller(peer, { row: { variant, threads, ...place }, bytes, truth: of.truth }));
    }
    await measureCalls(report, callers, plan.pace);
  };
  {
    using progress = progressLine();
    const passes = [
      { isUniform: true, exponents: plan.uniform },
      { isUniform: false, exponents: plan.others },
    ];
    for (const { isUniform, exponents } of passes) {
      const distributions = plan.distributions.filter((one) => (one === "uniform") === isUniform);
      for (const type of distributions.length === 0 || exponents.length === 0 ? [] : plan.types) {
        if (!hasTime(`calls on ${type}, ${isUniform ? "uniform" : "all other distributions"}`)) continue;
        const shape = shapeOf(type);
        const job = { type, bins: BINS, lo: 0, hi: shape.top };
        using pool = new PeerPool(report, scratch, job, plan.peers, plan.loops);
        for (const distribution of distributions) {
          const tile = Tile.of(shape, distribution, TILE_SAMPLES);
          for (const exponent of exponents) {
            const bytes = 2 ** exponent;
            const what = `calls on ${type} ${distribution}, ${bytes} bytes`;
            // Sorted samples consist of levels with equal counts, which need enough samples.
            const isFew = distribution === "sorted" && bytes / pixelBytes(shape) < 2 ** 16;
            if ((type !== "u8" && bytes > plan.mostWide) || isFew) continue;
            if (bytes > most) {
              report.missOnce(`${what}: the machine has too little memory for all programs at once`);
              continue;
            }
            if (!hasTime(what)) continue;
            progress.show(what);
            await measure(tile, bytes, pool).catch((error: Error) => report.lose(what, error));
          }
        }
      }
    }
  }
}
