import { PolybinError } from "@polybin/core";
import {
  type BinsText,
  bothBins,
  checkOneStdin,
  type PartRequest,
  parsePart,
  parseReading,
  parseWork,
  refuse,
  twoColumns,
  type WorkRequest,
} from "../options/index.ts";
import type { JointResult } from "../output/index.ts";
import { countFiles, jointResult, shardPart, type TableInput, type What } from "../tables/index.ts";
import type { JointOptions } from "./request.ts";

/** A joint histogram of two columns of a table, checked as far as possible before a byte is read. */
interface TableJointRequest extends PartRequest, WorkRequest, Pick<TableInput, "type" | "reading"> {
  readonly columns: readonly [string, string];
  readonly bins: readonly [BinsText, BinsText];
}

/**
 * Counts two columns of tables, or a shard of them.
 * @returns null if the counts went to the file of --out
 */
export async function tableJoint(
  paths: readonly string[],
  options: JointOptions,
  signal: AbortSignal,
): Promise<JointResult | null> {
  checkOneStdin(paths);
  const request = parse(options);
  const what: What = { count: "joint", columns: request.columns, by: null, bins: request.bins };
  if (request.out !== null) {
    await shardPart(paths, request, what, signal);
    return null;
  }
  const { task, result, timings, work } = await countFiles(paths, request, what, signal);
  if (result.count !== "joint") throw new PolybinError("ERR_INTERNAL", "expected counts of two columns");
  return jointResult(task, result, timings, work);
}

function parse(options: JointOptions): TableJointRequest {
  refuse(
    options,
    "--columns",
    ["channels", "type", "raw", "lenient", "mask"],
    "is for pictures and plain values",
  );
  return {
    columns: twoColumns(options.columns!),
    type: null,
    reading: parseReading(options),
    bins: bothBins(options),
    ...parsePart(options),
    ...parseWork(options),
  };
}
