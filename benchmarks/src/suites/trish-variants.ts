import { type Backend, openEngine } from "@polybin/core";
import { type DeviceLimits, limits } from "@polybin/core/backend";
import { BYTES, Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import { rowSums } from "./own-programs.ts";
import { rowSumAddends } from "./sweeps.ts";

/** Blocks per multiprocessor. The paper has one to three. Numbers that do not fit are left out. */
const OCCUPANCIES = [1, 2, 3, 4, 6, 8, 10, 12, 13];

/** Measures what Brown & Snoeyink compare TRISH with: itself, with one idea taken away (5.3 and 6.2). */
export async function trishVariants(bench: Bench): Promise<void> {
  await rowSumAddends(bench);
  await occupancies(bench);
  // The program runs on CUDA, so its numbers are no other backend's.
  if (bench.engine.backend === "cuda") await rowSums(bench);
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
  return {
    ...backend,
    open: async () => {
      const device = await backend.open();
      const changed = change(device.limits);
      return new Proxy(device, {
        get: (of, name) => {
          if (name === "limits") return changed;
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
