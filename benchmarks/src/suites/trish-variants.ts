import { type Backend, isPolybinError, openEngine } from "@polybin/core";
import { type Device, type DeviceLimits, type Job, limits } from "@polybin/core/backend";
import { BYTES, Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import { kernelMs } from "../runner/count.ts";
import { throughput } from "../runner/statistics.ts";
import { ROW_SUMS, type RowSums, rowSums } from "./own-programs.ts";
import { rowSumAddends } from "./sweeps.ts";

/** Blocks per multiprocessor. The paper has one to three. Numbers that do not fit are left out. */
const OCCUPANCIES = [1, 2, 3, 4, 6, 8, 10, 12, 13];

/** Measures what Brown & Snoeyink compare TRISH with: itself, with one idea taken away (5.3 and 6.2). */
export async function trishVariants(bench: Bench): Promise<void> {
  await rowSumAddends(bench);
  await occupancies(bench);
  await (bench.target.id === "webgpu" ? rowSumsByPlan(bench) : rowSums(bench));
}

/** The paper's k = 1 and 31 (6.2), the best k of Figure 4, and some between, as peers/trish.cu has them. */
const ROW_SUM_KS = [1, 4, 15, 21, 31, 32, 63];

/** The most bytes per counter of a thread on average, so that uniform bytes fill none of them (255). */
const MEAN_COUNT = 100;

/**
 * Measures Count with row sums and without (6.2) on WebGPU. Its kernel takes the number of loops between row sums from the
 * plan, so a plan without an end turns them off. Uniform bytes are so few that no counter is full. Zeros then fill one, and
 * the engine must refuse their count.
 */
export async function rowSumsByPlan(bench: Bench, ks: readonly number[] = ROW_SUM_KS): Promise<void> {
  const { report, options, target } = bench;
  await using whole = await openEngine({ backend: target.timed() });
  await using endless = await openEngine({ backend: withoutRowSums(target.timed()) });
  const plan = await whole.supports({ algorithm: "trish", samples: options.bytes });
  if (typeof plan === "string") throw new Error(plan);
  const threads = plan.blocks * plan.threads;
  const n = Math.min(options.bytes, 2 ** Math.floor(Math.log2(threads * limits.TRISH_BINS * MEAN_COUNT)));
  const cells: RowSums["cells"][number][] = [];
  for (const engine of [whole, endless]) {
    const isWhole = engine === whole;
    await using zeros = await bench.load(Tile.of(BYTES, "zeros"), n, engine);
    const isLost = await engine.histograms(zeros.resident, { algorithm: "trish" }).then(
      () => false,
      (error) => isPolybinError(error) && error.code === "ERR_MISCOUNT",
    );
    if (isLost === isWhole) {
      report.miss(`${ROW_SUMS}: zeros were ${isLost ? "lost with" : "counted without"} row sums`);
      return;
    }
    await using uniform = await bench.load(Tile.of(BYTES, "uniform"), n, engine);
    for (const k of ks) {
      if (!bench.hasTime(`${ROW_SUMS}, k=${k}`)) continue;
      const call = () => engine.histograms(uniform.resident, { algorithm: "trish", k, timings: true });
      await bench.warmUp(call);
      const ms: number[] = [];
      for (let run = 0; run < options.rounds; run++) ms.push(kernelMs(await call()));
      cells.push({ k, rowSums: isWhole, ms, gbps: throughput(n, ms) });
    }
  }
  const note: RowSums = { n, blocks: plan.blocks, cells };
  report.note(ROW_SUMS, note, { backend: "webgpu", algorithm: "trish" });
}

/** Measures fewer blocks per multiprocessor (6.2), by a plan instead of padded shared memory. */
async function occupancies(bench: Bench): Promise<void> {
  const [k, n] = [limits.TRISH_K, bench.options.bytes];
  for (const blocks of OCCUPANCIES) {
    const backend = withBlocks(bench.target.timed(), blocks);
    await using engine = await openEngine({ backend });
    const plan = await engine.supports({ algorithm: "trish", samples: n });
    if (typeof plan === "string" || !backend.fits(plan.sharedBytes)) return;
    await using data = await bench.load(Tile.of(BYTES, "uniform"), n, engine);
    const variant = `k=${k}, ${blocks} blocks a multiprocessor`;
    await bench.measure(data, { algorithm: "trish", k }, { variant }, engine);
  }
}

/** Makes a backend whose device states other limits. */
export function withLimits(backend: Backend, change: (limits: DeviceLimits) => DeviceLimits): Backend {
  return withDevice(backend, ({ limits }) => ({ limits: change(limits) }));
}

/** Words per thread that no launch reaches. */
const ENDLESS = 2 ** 31;

/** Makes a backend whose plans of trish have no row sums before the end. */
function withoutRowSums(backend: Backend): Backend {
  return withDevice(backend, (device) => ({
    prepare: (job: Job) =>
      device.prepare(
        job.kind === "channels" ? { ...job, plan: { ...job.plan, wordsPerThread: ENDLESS } } : job,
      ),
  }));
}

/** Makes a backend whose device has other members. */
function withDevice(backend: Backend, change: (device: Device) => object): Backend {
  return {
    ...backend,
    open: async () => {
      const device = await backend.open();
      const changed = change(device);
      return new Proxy(device, {
        get: (of, name) => {
          if (name in changed) return Reflect.get(changed, name);
          const own: unknown = Reflect.get(of, name);
          return typeof own === "function" ? own.bind(of) : own;
        },
      });
    },
  };
}

/**
 * Makes a backend whose plans have this number of blocks per multiprocessor. It reports that many times as many
 * multiprocessors with room for one block each, because the plan rounds other numbers down to even ones.
 */
export function withBlocks(
  backend: Backend,
  blocks: number,
): Backend & { fits(sharedBytes: number): boolean } {
  let unit: DeviceLimits["unit"];
  const own = withLimits(backend, (real) => {
    unit = real.unit;
    return { ...real, units: real.units * blocks, ...(unit && { unit: { ...unit, blocks: 1 } }) };
  });
  /** Whether a multiprocessor has room for them. */
  const fits = (sharedBytes: number): boolean => {
    if (unit === undefined) return blocks === 1;
    const room = Math.floor(unit.sharedBytes / (sharedBytes + unit.reservedBytes));
    return blocks <= Math.min(unit.blocks, room);
  };
  return { ...own, fits };
}
