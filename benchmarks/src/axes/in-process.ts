import { extname } from "node:path";
import { testBed } from "../command/checkout.ts";
import { Tile } from "../data/tile.ts";
import type { PageFindings } from "../page/count.ts";
import { LumaHistogram, lumaContest, lumaDevice } from "../peers/luma.ts";
import type { Bench } from "../runner/bench.ts";
import { cellKey } from "../runner/names.ts";
import { throughput } from "../runner/statistics.ts";
import { axisOf, bytesOf, type Data, shapeOf } from "./cell.ts";
import type { Workshop } from "./workshop.ts";

/** Peers within this process: luma.gl over Dawn, and WebGPU in a page of Chromium. */
const MEASURES = { "luma.gl": luma, chromium };
export const IN_PROCESS: readonly string[] = Object.keys(MEASURES);

const BINS = 256;
const DISTRIBUTION = "uniform";
/** Size of the data that a page counts. */
const PAGE_BYTES = 2 ** 20;

/** Measures these peers together with WebGPU, or reports why not. */
export async function inProcess(
  shop: Workshop,
  { peers }: { readonly peers: readonly string[] },
): Promise<void> {
  const { report, benches, end } = shop;
  const bench = benches.get("webgpu");
  for (const [name, measure] of Object.entries(MEASURES)) {
    if (!peers.includes(name)) continue;
    try {
      if (bench === undefined) throw new Error("it needs webgpu, which is not available");
      if (performance.now() >= end) throw new Error("the time was used up");
      await measure(shop, bench);
    } catch (error) {
      report.miss(`${name}: ${(error as Error).message.split("\n")[0]}`);
    }
  }
}

/** The head of a peer's row. */
function headOf(of: Data, peer: string, variant?: string) {
  return { ...of, backend: null, algorithm: null, peer, variant, residence: "resident" as const };
}

/** Whether a resumed run's file has this cell already. */
function isKnown({ report }: Workshop, row: Parameters<typeof cellKey>[0]): boolean {
  return report.rows.some((known) => cellKey(known) === cellKey(row));
}

/** Measures luma.gl's GPUHistogram on 32-bit floats, with the number of samples of webgpu's line of types. */
async function luma(shop: Workshop, bench: Bench): Promise<void> {
  const of: Data = { type: "f32", bins: BINS, n: shop.floats, distribution: DISTRIBUTION };
  if (isKnown(shop, headOf(of, "luma.gl"))) return;
  const bytes = bytesOf(of);
  const tile = Tile.of(shapeOf("f32"), DISTRIBUTION, Math.min(of.n, 2 ** 22));
  const data = tile.lay(new Uint8Array(bytes), of.n) as Float32Array;
  const device = await lumaDevice();
  const theirs = new LumaHistogram(device, { type: "f32", data, bins: BINS, domain: [0, 1] });
  const truth = () => tile.counts(bench.oracle, of.n, { axis: axisOf(of) });
  const ceiling = await bench.ceiling(bytes);
  await bench.contest("luma.gl on f32", lumaContest(theirs, of, { bytes, ceiling, truth }));
  theirs.free();
  device.destroy();
}

/** Measures bytes in a page of a headless Chromium, on its own GPU. */
async function chromium(shop: Workshop): Promise<void> {
  const { report, oracle, rounds, cellSeconds } = shop;
  const of: Data = { type: "u8", bins: BINS, n: PAGE_BYTES, distribution: DISTRIBUTION };
  const head = headOf(of, "chromium", "per-lane in a page");
  if (isKnown(shop, head)) return;
  const [bundles, sites] = [await testBed("bundle.ts"), await testBed("site.ts")];
  if (bundles === null || sites === null)
    throw new Error("it needs a checkout and a Node that runs TypeScript");
  const module = new URL(`../page/count${extname(import.meta.url)}`, import.meta.url);
  const { code } = await bundles.bundleForBrowser(module);
  const tile = Tile.of(shapeOf("u8"), DISTRIBUTION, of.n);
  const body = tile.lay(new Uint8Array(of.n), of.n);
  const opened = await sites.openSite({
    ...sites.moduleSite(code),
    "/data": { type: "application/octet-stream", body },
  });
  if (typeof opened === "string") throw new Error(opened);
  await using site = opened;
  const found = (await site.page.evaluate(`measure(${rounds}, ${cellSeconds})`)) as PageFindings;
  const [truth] = await tile.counts(oracle, of.n, { axis: axisOf(of) });
  if (found.counts.some((count, bin) => count !== truth!.counts[bin])) {
    process.exitCode = 1;
    throw new Error("NOT EXACT");
  }
  const { ms, callMs } = found;
  const device = `${found.device} in Chromium ${site.version}`;
  report.add({ ...head, device, ms, callMs, gbps: throughput(of.n, ms), ceilingPercent: null, exact: true });
}
