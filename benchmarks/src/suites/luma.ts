import { type Axis, integer, openEngine, regular } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";
import { DISTRIBUTIONS } from "../data/distributions.ts";
import { type Shape, Tile } from "../data/tile.ts";
import { LumaHistogram, lumaDevice } from "../peers/luma.ts";
import type { Bench } from "../runner/bench.ts";
import type { Cell } from "../runner/count.ts";

const BINS = [256, 4096];

/** The 32-bit samples that luma.gl counts. Its domain includes the upper end, and its bins equal ours on these axes. */
const KINDS: readonly {
  readonly type: "u32" | "f32";
  top(bins: number): number;
  axis(bins: number): Axis;
  domain(bins: number): readonly [number, number];
}[] = [
  {
    type: "u32",
    top: (bins) => bins,
    axis: (bins) => integer(0, bins),
    domain: (bins) => [0, bins - 1],
  },
  { type: "f32", top: () => 1, axis: (bins) => regular(bins, 0, 1), domain: () => [0, 1] },
];

/** Compares luma.gl's GPUHistogram with per-lane, on the same samples, on one device and in one process. */
export async function luma(bench: Bench): Promise<void> {
  const device = await lumaDevice();
  await using engine = await openEngine({ backend: webgpu({ device: device.handle }) });
  const factors: unknown[] = [];
  for (const { type, top, axis, domain } of KINDS) {
    for (const bins of BINS) {
      const shape: Shape = { type, top: top(bins), channels: 1 };
      const pixels = bench.options.bytes / Uint32Array.BYTES_PER_ELEMENT;
      for (const distribution of DISTRIBUTIONS) {
        const tile = Tile.of(shape, distribution);
        const cell: Cell = { algorithm: "per-lane", axis: axis(bins) };
        await using data = await bench.load(tile, pixels, engine);
        const ours = await bench.measure(data, cell, {}, engine);
        const values = tile.lay(bench.host(data.bytes), pixels) as Uint32Array | Float32Array;
        const theirs = new LumaHistogram(device, { type, data: values, bins, domain: domain(bins) });
        const row = await bench.rounds(`luma.gl on ${type} ${distribution}, ${bins} bins`, {
          truth: () => data.truth(cell),
          call: async () => {
            const { counts, kernelMs, totalMs } = await theirs.count();
            return [{ counts, bins, underflow: 0, overflow: 0, nan: 0, timings: { kernelMs, totalMs } }];
          },
          time: (timings) => timings!.kernelMs,
          callTime: ({ totalMs }) => totalMs,
          row: {
            backend: null,
            algorithm: null,
            peer: "luma.gl",
            type,
            n: pixels,
            distribution,
            residence: "resident",
          },
          bytes: data.bytes,
          ceiling: await bench.ceiling(data.bytes),
        });
        theirs.free();
        if (ours !== null && row !== null) {
          factors.push({ type, bins, distribution, factor: ours.gbps / row.gbps });
        }
      }
    }
  }
  bench.report.note("per-lane over luma.gl", factors);
  device.destroy();
}
