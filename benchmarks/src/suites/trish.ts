import { type Backend, openEngine } from "@polybin/core";
import { type Device, limits } from "@polybin/core/backend";
import { Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import { type Row, spreadsOf } from "../runner/row.ts";
import { median } from "../runner/statistics.ts";
import { degraded } from "./degraded.ts";

const DISTRIBUTIONS = ["uniform", "zeros", "picture"] as const;
const SHAPE = { type: "u8", top: 256, channels: 1 } as const;
const KS: readonly number[] = Array.from({ length: limits.TRISH_WORDS }, (_, i) => i + 1);
/** Reduced numbers of blocks per multiprocessor. The number that fits is added. A plan has one block or an even number. */
const OCCUPANCIES = [1, 2, 4, 6, 8, 10, 12];

/** Measures Brown & Snoeyink's Figure 4 for every k, and their degraded self-comparison (6.2). */
export async function trish(bench: Bench): Promise<void> {
  const rows = await trishByK(bench);
  noteSpread(bench, rows);
  await occupancies(bench);
  bench.report.miss(
    "6.2, accumulation switched off: that gives wrong counts, so no such parameter exists; estimated from k = 31 and k = 32",
  );
}

/** Measures Figure 4, and derives the part of 6.2 that follows from it. */
export async function trishByK(bench: Bench, ks: readonly number[] = KS): Promise<readonly Row[]> {
  const { bytes } = bench.options;
  const rows: Row[] = [];
  for (const distribution of DISTRIBUTIONS) {
    await using data = await bench.load(Tile.of(SHAPE, distribution), bytes);
    for (const k of ks) {
      const rowSumEfficiency = limits.rowSumEfficiency(k);
      const row = await bench.measure(data, { algorithm: "trish", k }, { rowSumEfficiency });
      if (row !== null) rows.push(row);
    }
  }
  noteDegraded(bench, bytes, rows);
  return rows;
}

/** Measures the third part of 6.2 with fewer blocks per multiprocessor, by a plan instead of padded shared memory. */
async function occupancies(bench: Bench): Promise<void> {
  const { bytes } = bench.options;
  const tile = Tile.of(SHAPE, "uniform");
  for (const blocks of [...OCCUPANCIES, Number.POSITIVE_INFINITY]) {
    await using engine = await openEngine({ backend: withBlocks(bench.target.timed(), blocks) });
    await using data = await bench.load(tile, bytes, engine);
    const variant = `k=${limits.TRISH_K}, ${Number.isFinite(blocks) ? blocks : "all"} blocks a multiprocessor`;
    await bench.measure(data, { algorithm: "trish", k: limits.TRISH_K }, { variant }, engine);
  }
}

/** Makes a backend that reports room for at most this number of blocks per multiprocessor. */
function withBlocks(backend: Backend, blocks: number): Backend {
  const open = async (): Promise<Device> => {
    const device = await backend.open();
    const unit = device.limits.unit!;
    return {
      name: device.name,
      readsFiles: device.readsFiles,
      limits: { ...device.limits, unit: { ...unit, blocks: Math.min(unit.blocks, blocks) } },
      refuses: (plan) => device.refuses?.(plan) ?? null,
      upload: (samples, options) => device.upload(samples, options),
      prepare: (job) => device.prepare(job),
      extent: (input, channels, options) => device.extent(input, channels, options),
      close: () => device.close(),
    };
  };
  return { ...backend, open };
}

/** Notes the influence of the data: the lowest worst over best of all k, and that of the authors' k. */
function noteSpread(bench: Bench, rows: readonly Row[]): void {
  const spreads = spreadsOf(rows);
  const least = spreads.toSorted((a, b) => a.worstOverBest - b.worstOverBest)[0];
  if (least === undefined) return;
  bench.report.note("worst over best distribution", {
    least: { k: least.variant, worstOverBest: least.worstOverBest },
    below99Percent: spreads.filter((one) => one.worstOverBest < 0.99).map(({ variant }) => variant),
  });
}

function noteDegraded(bench: Bench, bytes: number, rows: readonly Row[]): void {
  const of = (k: number) => rows.find((row) => row.variant === `k=${k}` && row.distribution === "uniform");
  const [one, best, half] = [of(1), of(31), of(32)];
  if (one === undefined || best === undefined || half === undefined) return;
  bench.report.note("degraded self-comparison (6.2), uniform", {
    ...degraded(bytes, median(one.ms), median(best.ms), median(half.ms)),
    how: "milliseconds = b + a / (words between row sums), solved for k = 31 and k = 32; a is the cost of accumulating",
  });
}
