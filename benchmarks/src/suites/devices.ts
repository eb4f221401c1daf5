import { type Engine, openEngine } from "@polybin/core";
import { cuda } from "@polybin/cuda";
import { BYTES, Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import { counting, kernelMs } from "../runner/count.ts";
import { PER_LANE } from "./sweeps.ts";

/** Compares all GPUs of this machine with one, on the same resident data. */
export async function devices(bench: Bench): Promise<void> {
  const count = await countDevices();
  if (count < 2) {
    bench.report.miss(`several devices against one: this machine has ${count}`);
    return;
  }
  // Exact kernel timings cost microseconds per call, so whole calls use engines without them.
  for (const timings of [true, false]) {
    await using one = await openEngine({ backend: cuda({ device: 0, exactTimings: timings }) });
    await using all = await openEngine({ backend: cuda({ devices: "all", exactTimings: timings }) });
    for (const distribution of ["uniform", "zeros"] as const) {
      const tile = Tile.of(BYTES, distribution);
      for (const n of [2 ** 31, 2 ** 33]) {
        await measure(bench, tile, n, one, { devices: 1, timings });
        await measure(bench, tile, n, all, { devices: count, timings });
      }
    }
  }
}

/** Measures the kernels' time, or the whole call on the host's clock. */
async function measure(
  bench: Bench,
  tile: Tile,
  n: number,
  engine: Engine,
  { devices: many, timings }: { readonly devices: number; readonly timings: boolean },
): Promise<void> {
  const variant = timings ? "kernels" : "whole call";
  const what = `per-lane on ${many} devices, ${tile.name}, n = ${n}, ${variant}`;
  if (!bench.hasTime(what)) return;
  await using data = await bench.load(tile, n, engine);
  // The ceiling belongs to one device.
  const ceiling = await bench.ceiling(n);
  const place = { type: "u8", n, distribution: tile.name, residence: "resident", devices: many } as const;
  await bench.contest(
    what,
    counting({
      row: { ...PER_LANE, variant, ...place } as const,
      ...{ bytes: n, ceiling: ceiling === null ? null : ceiling * many },
      ...(timings && { time: kernelMs }),
      truth: () => data.truth(PER_LANE),
      call: () => engine.histograms(data.resident, { ...PER_LANE, timings }),
    }),
  );
}

async function countDevices(): Promise<number> {
  let count = 0;
  while ((await cuda({ device: count }).probe()).available) count++;
  return count;
}
