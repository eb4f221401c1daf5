import { readFile } from "node:fs/promises";
import {
  type ColumnExtent,
  checkShared,
  checkVersions,
  decodePart,
  decodeTwo,
  encodePart,
  encodeTwo,
  finish,
  type Inputs,
  outsideStated,
  type Part,
  type Plan,
  partText,
  planTask,
  shardsOf,
  type Task,
  type Two,
  twoText,
} from "@polybin/cluster/shards";
import { PolybinError } from "@polybin/core";
import { Choice } from "../engine/index.ts";
import { hasBins, type PartRequest, type WorkRequest } from "../options/index.ts";
import { checkOutput, keptInputs, type Target, writeWhole } from "../output/index.ts";
import { progressBar } from "../terminal/index.ts";
import { countingOf, countShard, nameOf, openInputs, planOf, type TableInput, type What } from "./count.ts";
import { LeftOut, tellGuesses } from "./notes.ts";

/** Counts a shard, or everything as one shard, and writes the partial result to a file. */
export async function shardPart(
  paths: readonly string[],
  request: PartRequest & WorkRequest & TableInput,
  what: What,
  signal: AbortSignal,
): Promise<void> {
  const { backend, threads, algorithm, k, out, extentFrom } = request;
  const kept = [
    ...keptInputs(paths),
    ...(extentFrom === null ? [] : [{ path: extentFrom, is: "the file of --extent-from" }]),
  ];
  const target = await checkOutput(kept, "--out", out!);
  // One run may read a stream once. Shards are other processes, and so is the pass that found an extent.
  const isShared = request.shard !== null || extentFrom !== null;
  if (isShared) await checkShared(paths);
  const table = request.columns !== null;
  await using choice = await Choice.of({ backend, threads, algorithm, segments: null, joint: true, table });
  await using inputs = await openInputs(paths, request, { threads, signal });
  if (isShared) checkVersions(inputs.files);
  const plan = await planOfShard(inputs, request, what);
  const task = planTask(inputs, plan);
  if (task.count === "extent" && !request.extent) throw refuseUnknown(task, nameOf(paths));
  const { index, of } = request.shard ?? { index: 0, of: 1 };
  const shard = shardsOf(task, inputs.tables, { shards: of })[index]!;
  const { watch, clear } = await progressBar(nameOf(paths), "B");
  try {
    const leftOut = new LeftOut();
    const { headers } = request.reading;
    const how = { choice, counting: countingOf(algorithm, k), threads, headers, signal, watch, leftOut };
    const { partial } = await countShard(inputs, task, shard, how);
    if (!request.extent) checkStated(inputs, plan, { task, partial }, nameOf(paths));
    await writePart(target, { task, partial });
    clear();
    tellGuesses(inputs.tables);
    leftOut.tell();
  } finally {
    clear();
  }
}

/** Writes a part as JSON if the name ends in .json, else as bytes. */
export async function writePart(target: Target, part: Part): Promise<void> {
  await writeWhole([{ target, data: isText(target) ? partText(part) : encodePart(part) }]);
}

/** Writes the parts of two tables as `writePart` writes one. */
export async function writeTwo(target: Target, parts: Two<Part>): Promise<void> {
  await writeWhole([{ target, data: isText(target) ? twoText(parts) : encodeTwo(parts) }]);
}

const isText = ({ typed }: Target): boolean => typed.toLowerCase().endsWith(".json");

/** Reads a part. @throws ERR_INPUT with the name of the file */
export const readPart = (path: string): Promise<Part> => read(path, decodePart);

/** Reads the parts of two tables. @throws ERR_INPUT with the name of the file */
export const readTwo = (path: string): Promise<Two<Part>> => read(path, decodeTwo);

async function read<T>(path: string, decode: (bytes: Uint8Array) => T): Promise<T> {
  const bytes = await readFile(path);
  try {
    return decode(bytes);
  } catch (error) {
    throw error instanceof PolybinError
      ? new PolybinError(error.code, `${path}: ${error.message}`, { cause: error })
      : error;
  }
}

/** The plan of a shard. All shards must find the same, so nothing that one shard alone could see decides it. */
async function planOfShard(inputs: Inputs, request: PartRequest, what: What): Promise<Plan> {
  if (request.extent) return extentPlan(inputs, what);
  const extents = request.extentFrom === null ? undefined : await extentsIn(request.extentFrom, inputs);
  return planOf(inputs, what, extents);
}

const TWO_STEPS =
  "give --range LO,HI, or find it first: the same command with --extent for every shard, " +
  "polybin merge FILES --out extent.json, then --extent-from extent.json";

/** An ERR_AXIS for columns whose range nothing states. */
const refuseUnknown = ({ columns }: Task, name: string): PolybinError =>
  new PolybinError(
    "ERR_AXIS",
    `expected a range that all shards share for ${columns.map((column) => column.name).join(", ")}, since ${name} does not state it; ${TWO_STEPS}`,
  );

/**
 * Checks the statistics by which all shards have the same bins.
 * @throws ERR_INPUT if values lie outside of the range that they state
 */
function checkStated(inputs: Inputs, plan: Plan, { task, partial }: Part, name: string): void {
  const wrong = outsideStated(inputs, plan, task, partial);
  if (wrong.length === 0) return;
  throw new PolybinError(
    "ERR_INPUT",
    `expected the values of ${wrong.join(", ")} in the range that ${name} states but some are outside; ${TWO_STEPS}`,
  );
}

/** The first pass over all columns with bins. */
function extentPlan(inputs: Inputs, { columns }: What): Plan {
  const own = columns.filter((name) => hasBins(inputs.column(name).type));
  if (own.length === 0) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected columns of numbers with --extent but received ${columns.join(", ")}`,
    );
  }
  return { count: "extent", columns: own.map((name) => ({ name })) };
}

/** The extents of a first pass over the same files. @throws ERR_INPUT */
async function extentsIn(path: string, inputs: Inputs): Promise<ReadonlyMap<string, ColumnExtent>> {
  const { task, partial } = await readPart(path);
  if (task.count !== "extent") {
    throw new PolybinError(
      "ERR_INPUT",
      `expected extents in ${path}, as --extent writes them, but it has the counts of ${task.count}`,
    );
  }
  const same = [inputs.files, inputs.read].map((of) => JSON.stringify(of));
  if (JSON.stringify(task.files) !== same[0] || JSON.stringify(task.read) !== same[1]) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected extents of the same files in ${path} but they are of other files, or these have changed since`,
    );
  }
  const result = finish(task, partial);
  return result.count === "extent" ? result.extents : new Map();
}
