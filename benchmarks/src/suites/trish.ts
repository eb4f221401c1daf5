import { limits } from "@polybin/core/backend";
import { Tile } from "../data/tile.ts";
import type { Bench } from "../runner/bench.ts";
import { type Row, spreadsOf } from "../runner/row.ts";

const DISTRIBUTIONS = ["uniform", "zeros", "picture"] as const;
const SHAPE = { type: "u8", top: 256, channels: 1 } as const;
const KS: readonly number[] = Array.from({ length: limits.TRISH_WORDS }, (_, i) => i + 1);

/** Measures Brown & Snoeyink's Figure 4 for every k, and notes the influence of the data. */
export async function trish(bench: Bench): Promise<void> {
  noteSpread(bench, await trishByK(bench));
}

/** Measures Figure 4. */
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
  return rows;
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
