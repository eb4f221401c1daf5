import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packed } from "../data/feature-rows.ts";
import { SHIFT_BYTES, type ShiftedTable, weightsOf } from "../data/feature-table.ts";
import { jsonLines, python } from "../programs/lines.ts";
import type { Bench } from "../runner/bench.ts";
import { Scope } from "../runner/scope.ts";
import { overTorch, TORCH, type TorchLine, torchRow } from "./torch-lines.ts";

/** The most rounds per cell, and seconds in all. Some cells take hundreds of times as long as ours. */
const ROUNDS = 7;
const SECONDS = 30;

/** Measures torch.bincount(weights=…) on the same tables in a separate program, and notes the factors. */
export async function torchSums(bench: Bench, tables: readonly ShiftedTable[]): Promise<void> {
  const { report } = bench;
  if (!bench.hasTime(TORCH)) return;
  await using scope = new Scope();
  const scratch = scope.folder();
  const [of] = tables as [ShiftedTable];
  const file = (name: string, bytes: Uint8Array) => {
    const path = join(scratch, name);
    writeFileSync(path, bytes);
    return path;
  };
  const weights = weightsOf(of.documents);
  const ceiling = await bench.ceiling(of.bytes);
  const args = [
    `--features=${of.features}`,
    `--bins=${of.row.bins}`,
    `--shift=${SHIFT_BYTES}`,
    `--rounds=${Math.min(ROUNDS, bench.options.rounds)}`,
    `--seconds=${Math.min(SECONDS, bench.secondsLeft)}`,
    `--weights=${file("weights", new Uint8Array(weights.buffer))}`,
    ...tables.map(({ row }) => `--row=${row.name}=${file(row.name, packed("u8", row.values))}`),
  ];
  await jsonLines<TorchLine>(
    report,
    TORCH,
    () => python("torch_sums.py", ...args),
    (line) => report.add(torchRow(line, of, ceiling)),
  );
  report.note(`times ${TORCH}, its fastest way`, overTorch(report.rows));
}
