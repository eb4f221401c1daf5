import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packed } from "../data/feature-rows.ts";
import { SHIFT_BYTES, type ShiftedTable, weightsOf } from "../data/feature-table.ts";
import type { Bench } from "../runner/bench.ts";
import { pythonLines } from "./python.ts";
import { overTorch, TORCH, torchRow } from "./torch-lines.ts";

/** Places of the program: next to the bundled one, or in the checkout. */
const PROGRAM = ["./torch_sums.py", "../../peers/torch_sums.py"]
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find(existsSync);
/** The most rounds per cell, and seconds in all. Some cells take hundreds of times as long as ours. */
const ROUNDS = 7;
const SECONDS = 30;

/** Measures torch.bincount(weights=…) on the same tables in a separate program, and notes the factors. */
export async function torchSums(bench: Bench, tables: readonly ShiftedTable[]): Promise<void> {
  const { report } = bench;
  if (!bench.hasTime(TORCH)) return;
  if (PROGRAM === undefined) {
    report.miss(`${TORCH}: expected torch_sums.py but it does not exist; npm run gpu:bundle packs it`);
    return;
  }
  const scratch = mkdtempSync(join(tmpdir(), "polybin-torch-"));
  try {
    const [of] = tables as [ShiftedTable];
    const file = (name: string, bytes: Uint8Array) => {
      const path = join(scratch, name);
      writeFileSync(path, bytes);
      return path;
    };
    const weights = weightsOf(of.documents);
    await program(bench, PROGRAM, of, [
      `--features=${of.features}`,
      `--bins=${of.row.bins}`,
      `--shift=${SHIFT_BYTES}`,
      `--rounds=${Math.min(ROUNDS, bench.options.rounds)}`,
      `--seconds=${Math.min(SECONDS, bench.secondsLeft)}`,
      `--weights=${file("weights", new Uint8Array(weights.buffer))}`,
      ...tables.map(({ row }) => `--row=${row.name}=${file(row.name, packed("u8", row.values))}`),
    ]);
  } finally {
    rmSync(scratch, { recursive: true });
  }
  report.note(`times ${TORCH}, its fastest way`, overTorch(report.rows));
}

async function program(bench: Bench, path: string, of: ShiftedTable, args: readonly string[]): Promise<void> {
  const { report } = bench;
  const ceiling = await bench.ceiling(of.bytes);
  const reason = await pythonLines([path, ...args], (line) => {
    const row = torchRow(line, of, ceiling);
    if (typeof row === "string") report.miss(row);
    else report.add(row);
  });
  if (reason !== null) report.miss(`${TORCH}, cells after the last row: ${reason}`);
}
