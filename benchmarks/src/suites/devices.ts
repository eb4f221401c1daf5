import { type Engine, openEngine } from "@polybin/core";
import { cuda } from "@polybin/cuda";
import { Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";

const SIZES: readonly number[] = [2 ** 31, 2 ** 33];
const DISTRIBUTIONS = ["uniform", "zeros"] as const;

/** Compares all GPUs of this machine with one, on the same resident data. */
export async function devices(bench: Bench): Promise<void> {
  const count = await countDevices();
  if (count < 2) {
    bench.report.miss(`several devices against one: this machine has ${count}`);
    return;
  }
  // Exact kernel timings cost microseconds per call, so whole calls use engines without them.
  for (const variant of ["kernels", "whole call"] as const) {
    const exactTimings = variant === "kernels";
    await using one = await openEngine({ backend: cuda({ device: 0, exactTimings }) });
    await using all = await openEngine({ backend: cuda({ devices: "all", exactTimings }) });
    for (const distribution of DISTRIBUTIONS) {
      const tile = Tile.of({ type: "u8", top: 256, channels: 1 }, distribution);
      for (const bytes of SIZES) {
        await compete(bench, tile, one, 1, bytes, variant);
        await compete(bench, tile, all, count, bytes, variant);
      }
    }
  }
}

/** Measures the kernels' time, or the whole call on the host's clock. */
async function compete(
  bench: Bench,
  tile: Tile,
  engine: Engine,
  count: number,
  bytes: number,
  variant: "kernels" | "whole call",
): Promise<void> {
  const what = `per-lane on ${count} devices, ${tile.name}, n = ${bytes}, ${variant}`;
  if (!bench.hasTime(what)) return;
  await using data = await bench.load(tile, bytes, engine);
  const cell = { algorithm: "per-lane" } as const;
  // The ceiling belongs to one device.
  const ceiling = await bench.ceiling(bytes);
  const timings = variant === "kernels";
  await bench.rounds(what, {
    truth: () => data.truth(cell),
    call: () => engine.histograms(data.resident, { ...cell, timings }),
    time: (told, ms) => (timings ? told!.kernelMs : ms),
    row: {
      algorithm: "per-lane",
      variant,
      type: "u8",
      n: bytes,
      distribution: tile.name,
      residence: "resident",
      devices: count,
    },
    bytes,
    ceiling: ceiling === null ? null : ceiling * count,
  });
}

async function countDevices(): Promise<number> {
  let count = 0;
  while ((await cuda({ device: count }).probe()).available) count++;
  return count;
}
