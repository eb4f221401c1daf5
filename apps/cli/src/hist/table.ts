import { PolybinError } from "@polybin/core";
import { checkOneStdin } from "../options/index.ts";
import { checkTargets, keptInputs, printTable, type TableResult } from "../output/index.ts";
import {
  columnsIn,
  countAll,
  countFiles,
  described,
  shardPart,
  spooled,
  unspooled,
  type What,
} from "../tables/index.ts";
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
  const { range, edges } = request.bins;
  // Two passes are needed if the data decide the bins, and a stream has one.
  const isReread = edges === null && (range === null || typeof range === "string");
  await using kept = isReread ? await spooled(paths, signal) : unspooled(paths);
  return await kept.named(() => countedFiles(kept.paths, request, signal));
}

async function countedFiles(
  paths: readonly string[],
  request: TableRequest,
  signal: AbortSignal,
): Promise<TableResult> {
  const what = whatOf(request);
  const isAll = request.columns?.length === 0;
  const { notRead, ...found } = isAll
    ? await countAll(paths, request, what, signal)
    : { ...(await countFiles(paths, request, what, signal)), notRead: [] };
  const { task, result, work, timings } = found;
  if (result.count !== "hist") throw new PolybinError("ERR_INTERNAL", "expected counts of columns");
  const { rows, columns } = result;
  return { ...described(task), rows, columns, notRead, work, merged: null, timings };
}
