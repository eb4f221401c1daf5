import { type Backend, type Engine, openEngine } from "@polybin/core";
import { type Device, type DeviceLimits, limits } from "@polybin/core/backend";
import { Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import { rowSums } from "./row-sums.ts";

/** Blocks per multiprocessor. The paper has one to three. Numbers that do not fit are left out. */
const OCCUPANCIES = [1, 2, 3, 4, 6, 8, 10, 12, 13];
const UNIFORM = Tile.of({ type: "u8", top: 256, channels: 1 }, "uniform");

/** Measures what Brown & Snoeyink compare TRISH with: itself, with one idea taken away (5.3 and 6.2). */
export async function trishVariants(bench: Bench): Promise<void> {
  await rowSumAddends(bench);
  await occupancies(bench);
  await rowSums(bench);
}

/** Measures row sums of pairs and of single bytes (5.3), for the slowest, the recommended and the fastest k. */
export async function rowSumAddends(bench: Bench): Promise<void> {
  await using data = await bench.load(UNIFORM, bench.options.bytes);
  for (const k of [1, limits.TRISH_K, limits.TRISH_WORDS]) {
    for (const rowSums of ["pairs", "singletons"] as const) {
      await bench.measure(data, { algorithm: "trish", k, rowSums });
    }
  }
}

/** Measures fewer blocks per multiprocessor (6.2), by a plan instead of padded shared memory. */
async function occupancies(bench: Bench): Promise<void> {
  const k = limits.TRISH_K;
  for (const blocks of OCCUPANCIES) {
    const backend = withBlocks(bench.target.timed(), blocks);
    await using engine: Engine = await openEngine({ backend });
    const plan = await engine.supports({ algorithm: "trish", samples: bench.options.bytes });
    if (typeof plan === "string" || !backend.fits(plan.sharedBytes)) return;
    await using data = await bench.load(UNIFORM, bench.options.bytes, engine);
    const variant = `k=${k}, ${blocks} blocks a multiprocessor`;
    await bench.measure(data, { algorithm: "trish", k }, { variant }, engine);
  }
}

/**
 * Makes a backend whose plans have this number of blocks per multiprocessor. It reports that many times as many
 * multiprocessors with room for one block each, because the plan rounds other numbers down to even ones.
 */
export function withBlocks(
  backend: Backend,
  blocks: number,
): Backend & { fits(sharedBytes: number): boolean } {
  let real: DeviceLimits | undefined;
  const open = async (): Promise<Device> => {
    const device = await backend.open();
    real = device.limits;
    const { units, unit } = real;
    return {
      name: device.name,
      readsFiles: device.readsFiles,
      limits: { ...real, units: units * blocks, ...(unit && { unit: { ...unit, blocks: 1 } }) },
      refuses: (plan) => device.refuses?.(plan) ?? null,
      upload: (samples, options) => device.upload(samples, options),
      prepare: (job) => device.prepare(job),
      extent: (input, channels, options) => device.extent(input, channels, options),
      close: () => device.close(),
    };
  };
  /** Whether a multiprocessor has room for them. */
  const fits = (sharedBytes: number): boolean => {
    const unit = real?.unit;
    if (unit === undefined) return blocks === 1;
    const room = Math.floor(unit.sharedBytes / (sharedBytes + unit.reservedBytes));
    return blocks <= Math.min(unit.blocks, room);
  };
  return { ...backend, open, fits };
}
