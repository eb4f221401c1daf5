import type { Task, TaskResult } from "@polybin/cluster/shards";
import { PolybinError, type Timings } from "@polybin/core";
import type { JointColumn, JointResult } from "../joint.ts";
import { type JointOptions, listed, pair } from "../joint-request.ts";
import { typeName } from "../output/table-json.ts";
import { valueTextOf } from "../output/value-text.ts";
import { checkOneStdin, parseAlgorithm, parseThreads } from "../request.ts";
import { type BinsText, binsText } from "./bins-text.ts";
import { countFiles, type What } from "./count.ts";
import { shardPart } from "./part.ts";
import { parseReading } from "./reading.ts";
import {
  checkOnce,
  type PartRequest,
  parsePart,
  refuse,
  type TableRequest,
  type WorkRequest,
} from "./request.ts";
import { described } from "./result.ts";

/** A joint histogram of two columns of a table, checked as far as possible before a byte is read. */
interface TableJointRequest extends PartRequest, WorkRequest, Pick<TableRequest, "type" | "reading"> {
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

/** Makes the result that the outputs show. @param merged number of shards, if they were merged */
export function jointResult(
  task: Task,
  { joint, rows }: Extract<TaskResult, { readonly count: "joint" }>,
  timings: Timings,
  work: JointResult["work"],
  merged?: number,
): JointResult {
  const { name, more, bytes } = described(task);
  const columns = task.columns.map(
    ({ name: channel, type }): JointColumn => ({
      input: {
        ...{ name, kind: "table", type: typeName(type), samples: rows, width: null, height: null },
        ...(more > 0 && { files: more + 1 }),
      },
      channel,
      damage: null,
      values: valueTextOf(type),
    }),
  );
  return {
    columns: [columns[0]!, columns[1]!],
    joint,
    work,
    timings,
    bytes: bytes ?? 0,
    isMasked: joint.masked > 0,
    ...(merged === undefined ? {} : { merged }),
  };
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
    backend: options.backend,
    algorithm: parseAlgorithm(options.algorithm),
    k: undefined,
    threads: parseThreads(options.threads),
  };
}

/** Reads --columns. @throws ERR_INPUT unless it names two columns */
export function twoColumns(text: string): readonly [string, string] {
  const columns = listed(text, "--columns", "names of columns");
  if (columns.length !== 2) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected two names of columns for --columns but received ${JSON.stringify(text)}`,
    );
  }
  checkOnce(columns, "--columns");
  return [columns[0]!, columns[1]!];
}

/** One number of bins for both columns or one for each, and the same for ranges. */
export function bothBins({
  bins,
  range,
}: Pick<JointOptions, "bins" | "range">): readonly [BinsText, BinsText] {
  const [n, m] = pair(bins === undefined ? [undefined] : listed(bins, "--bins", "numbers"));
  const ends = range === undefined || !range.includes(",") ? null : range.split(",");
  if (ends !== null && ends.length !== 2 && ends.length !== 4) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected LO,HI, LO,HI,LO,HI, data or type for --range but received ${JSON.stringify(range)}`,
    );
  }
  const [first, second] =
    ends === null
      ? [range, range]
      : pair(ends.length === 2 ? [range] : [ends.slice(0, 2).join(","), ends.slice(2).join(",")]);
  return [binsText({ bins: n, range: first }), binsText({ bins: m, range: second })];
}
