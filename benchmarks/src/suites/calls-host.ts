import { availableParallelism } from "node:os";
import { cpu, openEngine } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { axisOf, shapeOf, TYPES } from "../axes/cell.ts";
import { DISTRIBUTIONS, type Distribution } from "../data/distributions.ts";
import { pixelBytes, type Shape, Tile } from "../data/tile.ts";
import { PeerPool, peerCaller } from "../peers/pool.ts";
import { LOOP_WAYS } from "../peers/process.ts";
import { type CallData, callersOn } from "../runner/call-cells.ts";
import { type Caller, measureCalls, type Pace } from "../runner/calls.ts";
import { progressLine } from "../runner/progress.ts";
import type { Report } from "../runner/report.ts";
import { Scope } from "../runner/scope.ts";
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
const QUICK: Plan = {
  ...{ types: ["u8", "f32"], distributions: ["uniform"], uniform: [12], others: [] },
  pace: { most: 5, seconds: 0.01, turns: 1 },
};
const FULL: Plan = {
  ...{ types: TYPES, distributions: DISTRIBUTIONS },
  ...{ uniform: [6, 10, 13, 14, 16, 18, 20, 22, 24, 26, 28], others: [14, 16, 22, 24] },
  pace: { most: 200, seconds: 0.1, turns: 5 },
};
/** Limits in bytes for wider types and for many calls at once, which would take seconds. */
const MOST_WIDE = 2 ** 26;
const MOST_TOGETHER = 2 ** 18;

/**
 * Measures calls on the CPU, ours and other programs', alternately: by type, size and distribution, from ordinary memory
 * and from memory of `engine.allocate`, awaited and synchronous.
 */
export async function callsOnHost(report: Report, { quick, hasTime }: HostOptions): Promise<void> {
  const plan = quick ? QUICK : FULL;
  await using scope = new Scope();
  const scratch = scope.folder();
  const oracle = scope.own(await openEngine({ backend: cpu() }));
  const sides = [{ engine: oracle, threads: 1 }];
  for (const threads of new Set([1, availableParallelism()]))
    sides.push({ engine: scope.own(await openEngine({ backend: piscina({ threads }) })), threads });
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
      const own = tile.lay(engine.allocate(bytes), n);
      const places = [
        { residence: "upload", input: ordinary, ...(isMany && { many: MOST_TOGETHER }) },
        { residence: "resident", input: own },
      ] as const;
      // `countSync` counts on the calling thread, whatever the number of workers.
      const ours = await callersOn(report, engine, of, places, { threads, sync: threads === 1 });
      callers.push(...prepared.own(ours).callers);
    }
    const place = {
      type,
      bins: BINS,
      n,
      distribution: tile.name,
      residence: "resident",
      threads: 1,
    } as const;
    for (const entrant of pool.entrants) {
      if (!(await pool.load(entrant, n, type))) continue;
      const { peer, variant } = entrant;
      callers.push(peerCaller(peer, { row: { variant, ...place }, bytes, truth: of.truth }));
    }
    await measureCalls(report, callers, plan.pace);
  };
  {
    using progress = progressLine();
    for (const isUniform of [true, false]) {
      const distributions = plan.distributions.filter((one) => (one === "uniform") === isUniform);
      for (const type of distributions.length === 0 ? [] : plan.types) {
        if (!hasTime(`calls on ${type}, ${isUniform ? "uniform" : "all other distributions"}`)) continue;
        const shape = shapeOf(type);
        const job = { type, bins: BINS, lo: 0, hi: shape.top };
        using pool = new PeerPool(report, scratch, job, ["c", "numpy", "opencv"], Object.keys(LOOP_WAYS));
        for (const distribution of distributions) {
          const tile = Tile.of(shape, distribution, TILE_SAMPLES);
          for (const exponent of isUniform ? plan.uniform : plan.others) {
            const bytes = 2 ** exponent;
            const what = `calls on ${type} ${distribution}, ${bytes} bytes`;
            // Sorted samples consist of levels with equal counts, which need enough samples.
            const isFew = distribution === "sorted" && bytes / pixelBytes(shape) < 2 ** 16;
            if ((type !== "u8" && bytes > MOST_WIDE) || isFew || !hasTime(what)) continue;
            progress.show(what);
            await measure(tile, bytes, pool).catch((error: Error) => report.lose(what, error));
          }
        }
      }
    }
  }
  const wanted = wantedOfHost(report.rows);
  report.note("what calls should come to", wanted);
  if (!quick) console.log(wantedText(wanted).join("\n"));
}
