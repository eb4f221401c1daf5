import { PolybinError } from "@polybin/core";
import { checkTargets, keptInputs } from "../output/targets.ts";
import { checkOneStdin, type HistOptions } from "../request.ts";
import { columnsIn, countFiles, type What } from "./count.ts";
import { shardPart } from "./part.ts";
import { printTable } from "./print.ts";
import { parseTable, type TableRequest } from "./request.ts";
import { described, type TableResult } from "./result.ts";

/** `polybin hist FILE…` with columns, or of a shard. */
export async function tableHist(
  paths: readonly string[],
  options: HistOptions,
  signal: AbortSignal,
): Promise<void> {
  const request = parseTable(options);
  checkOneStdin(paths);
  if (request.out !== null) return shardPart(paths, request, whatOf(request), signal);
  const { svg, png } = await checkTargets(keptInputs(paths), options);
  const result = await counted(paths, request, signal);
  await printTable(result, { view: request.view, byAuto: request.backend === "auto", options, svg, png });
}

/** The columns and bins of a request. */
function whatOf({ columns, by, bins }: TableRequest): What {
  return { count: "hist", columns: columnsIn(columns), by, bins: [bins] };
}

async function counted(
  paths: readonly string[],
  request: TableRequest,
  signal: AbortSignal,
): Promise<TableResult> {
  const { task, result, work, timings } = await countFiles(paths, request, whatOf(request), signal);
  if (result.count !== "hist") throw new PolybinError("ERR_INTERNAL", "expected counts of columns");
  return { ...described(task), rows: result.rows, columns: result.columns, work, merged: null, timings };
}
