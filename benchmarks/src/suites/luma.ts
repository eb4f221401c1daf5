import { integer, openEngine, regular } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";
import { DISTRIBUTIONS } from "../data/distributions.ts";
import { Tile } from "../data/tile.ts";
import { LumaHistogram, lumaContest, lumaDevice } from "../peers/luma.ts";
import type { Bench } from "../runner/bench.ts";

/** Compares luma.gl's GPUHistogram with per-lane, on the same samples, on one device and in one process. */
export async function luma(bench: Bench): Promise<void> {
  const device = await lumaDevice();
  await using engine = await openEngine({ backend: webgpu({ device: device.handle }) });
  const pixels = bench.options.bytes / Uint32Array.BYTES_PER_ELEMENT;
  const factors: unknown[] = [];
  for (const type of ["u32", "f32"] as const) {
    for (const bins of [256, 4096]) {
      const isWhole = type === "u32";
      // luma.gl's domain includes the upper end, and its bins equal ours on these axes.
      const [top, axis] = isWhole ? [bins, integer(0, bins)] : [1, regular(bins, 0, 1)];
      const domain = isWhole ? ([0, bins - 1] as const) : ([0, 1] as const);
      for (const distribution of DISTRIBUTIONS) {
        const tile = Tile.of({ type, top, channels: 1 }, distribution);
        const cell = { algorithm: "per-lane", axis };
        await using data = await bench.load(tile, pixels, engine);
        const ours = await bench.measure(data, cell, {}, engine);
        const values = tile.lay(bench.host(data.bytes), pixels) as Uint32Array | Float32Array;
        const theirs = new LumaHistogram(device, { type, data: values, bins, domain });
        const { bytes } = data;
        const of = { bytes, ceiling: await bench.ceiling(bytes), truth: () => data.truth(cell) };
        const contest = lumaContest(theirs, { type, bins, n: pixels, distribution }, of);
        const row = await bench.contest(`luma.gl on ${type} ${distribution}, ${bins} bins`, contest);
        theirs.free();
        if (ours !== null && row !== null)
          factors.push({ type, bins, distribution, factor: ours.gbps / row.gbps });
      }
    }
  }
  bench.report.note("per-lane over luma.gl", factors);
  device.destroy();
}
