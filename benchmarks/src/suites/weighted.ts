import { DISTRIBUTIONS, type Distribution } from "../data/distributions.ts";
import { rowOf } from "../data/feature-rows.ts";
import { ShiftedTable } from "../data/feature-table.ts";
import { torchSums } from "../peers/torch.ts";
import type { Bench } from "../runner/bench.ts";
import { claimed, LoadedTable, type SumsCell } from "../runner/sums.ts";

const BINS = 256;

/** Counts and sums, sums alone, and squares in addition, for the algorithm that `auto` chooses. */
const CELLS: readonly SumsCell[] = [
  { algorithm: "weighted-fixed-point" },
  { algorithm: "weighted-fixed-point", counts: false },
  { algorithm: "weighted-fixed-point", squares: true },
];

/** The other algorithms and torch, on fewer distributions because some take a hundred times as long. */
const OTHERS: readonly SumsCell[] = (
  ["weighted-collision-free", "weighted-collision", "weighted-collision-reduced", "weighted-hybrid"] as const
).flatMap((algorithm) => [{ algorithm }, { algorithm, precision: "fast" }]);
const OTHERS_ON: readonly Distribution[] = ["uniform", "zeros", "gauss"];

/**
 * Measures weighted sums over a resident table of bytes, on all distributions. A gibibyte has 1024 features of 2^20
 * documents. On CUDA, torch.bincount is measured, too.
 */
export async function weighted(bench: Bench, features = 1024): Promise<void> {
  const documents = Math.floor(bench.options.bytes / features);
  const tables = DISTRIBUTIONS.map(
    (distribution) => new ShiftedTable(rowOf(distribution, BINS, documents), "u8", features),
  );
  const ceiling = await bench.ceiling(features * documents);
  const measure = async (of: ShiftedTable, cells: readonly SumsCell[]) => {
    const there = claimed(bench, cells);
    await using loaded = there.length === 0 ? null : await LoadedTable.load(bench, of);
    if (loaded !== null) for (const cell of there) await loaded.measure(cell, { ceiling });
  };
  for (const of of tables) await measure(of, CELLS);
  const some = tables.filter(({ row }) => OTHERS_ON.includes(row.name as Distribution));
  if (bench.target.id === "cuda") await torchSums(bench, some);
  for (const of of some) await measure(of, OTHERS);
}
