import { PolybinError } from "@polybin/core";
import { checkOneStdin } from "../options/index.ts";
import { checkTargets, keptInputs, printTable, type TableResult } from "../output/index.ts";
import { columnsIn, countFiles, described, shardPart, type What } from "../tables/index.ts";
import type { HistOptions } from "./request.ts";
import { parseTable, type TableRequest } from "./table-request.ts";

/** `polybin hist FILE…` with columns, or of a shard. */
export async function tableHist(
  paths: readonly string[],
  options: HistOptions,
  signal: AbortSignal,
): Promise<void> {
  const request = parseTable(options);
  checkOneStdin(paths);
  if (request.out !== null) return shardPart(paths, request, whatOf(request), signal);
  const targets = await checkTargets(keptInputs(paths), options);
  const result = await counted(paths, request, signal);
  const { json, csv } = options;
  await printTable(result, { view: request.view, byAuto: request.backend === "auto", json, csv, ...targets });
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
