import { type Engine, openEngine } from "@polybin/core";
import { cuda } from "@polybin/cuda";
import { Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";

const BYTES = 2 ** 33;
const DISTRIBUTIONS = ["uniform", "zeros"] as const;

/** All GPUs of this machine against one, on resident data that both count whole. */
export async function devices(bench: Bench): Promise<void> {
  const count = await countDevices();
  if (count < 2) {
    bench.report.miss(`several devices against one: this machine has ${count}`);
    return;
  }
  await using one = await openEngine({ backend: cuda({ device: 0, exactTimings: true }) });
  await using all = await openEngine({ backend: cuda({ devices: "all", exactTimings: true }) });
  for (const distribution of DISTRIBUTIONS) {
    const tile = Tile.of({ type: "u8", top: 256, channels: 1 }, distribution);
    await compete(bench, tile, one, 1);
    await compete(bench, tile, all, count);
  }
}

/** By the kernels' own time, and by the whole call's as the host sees it. */
async function compete(bench: Bench, tile: Tile, engine: Engine, count: number): Promise<void> {
  await using data = await bench.load(tile, BYTES, engine);
  const cell = { algorithm: "per-lane" } as const;
  // The ceiling is one device's.
  const ceiling = await bench.ceiling(BYTES);
  for (const [variant, time] of [
    ["kernels", "kernelMs"],
    ["whole call", "totalMs"],
  ] as const) {
    const what = `per-lane on ${count} devices, ${tile.name}, ${variant}`;
    if (!bench.hasTime(what)) continue;
    await bench.rounds(what, {
      truth: () => data.truth(cell),
      call: () => engine.histograms(data.resident, { ...cell, timings: true }),
      time: (timings) => timings[time],
      row: {
        algorithm: "per-lane",
        variant,
        type: "u8",
        n: BYTES,
        distribution: tile.name,
        residence: "resident",
        devices: count,
      },
      bytes: BYTES,
      ceiling: ceiling === null ? null : ceiling * count,
    });
  }
}

async function countDevices(): Promise<number> {
  let count = 0;
  while ((await cuda({ device: count }).probe()).available) count++;
  return count;
}
