import { basename } from "node:path";
import {
  type ColumnExtent,
  type CountTask,
  checkShared,
  checkVersions,
  countPlan,
  Inputs,
  type PartialResult,
  type Plan,
  runShard,
  type Shard,
  type Task,
  type TaskResult,
  VALUES_COLUMN,
  VALUES_FORMAT,
} from "@polybin/cluster/shards";
import { keptTables, type Table } from "@polybin/columns";
import { PolybinError, type SampleType, type Timings } from "@polybin/core";
import { HEAD_BYTES, pictureFormat } from "@polybin/pictures/formats";
import { inputName } from "../base/index.ts";
import { Choice } from "../engine/index.ts";
import { expectPlain, guessedFormat } from "../input/index.ts";
import {
  axisOptionsOf,
  type BinsText,
  checkOnce,
  hasBins,
  type Reading,
  type WorkRequest,
} from "../options/index.ts";
import type { Work } from "../output/index.ts";
import { progressBar, type Watch } from "../terminal/index.ts";
import { LeftOut, tellGuesses } from "./notes.ts";

/** The part of a request that decides what is counted. */
export interface What {
  readonly count: Plan["count"];
  readonly columns: readonly string[];
  readonly by: string | null;
  /** One for all columns, or one for each. */
  readonly bins: readonly BinsText[];
}

/** The columns of the inputs, and how the inputs are read. */
export interface TableInput {
  /** Names of columns. Null: the files have plain values. */
  readonly columns: readonly string[] | null;
  /** The type of plain values. */
  readonly type: SampleType | null;
  readonly reading: Reading;
}

/** How the work is done. */
interface How {
  readonly choice: Pick<Choice, "engine">;
  /** The algorithm and its parameters. */
  readonly counting: Readonly<Record<string, unknown>>;
  /** Whether a backend or an algorithm was asked for, which then counts every row. */
  readonly everyRow?: boolean;
  readonly threads: number | undefined;
  /** Headers of requests over HTTP. */
  readonly headers: Reading["headers"];
  readonly signal: AbortSignal;
  readonly watch: Watch;
  /** Takes what is left out. */
  readonly leftOut: LeftOut;
  /** The tables of the inputs, if something else reads them. */
  readonly tables?: readonly Table[];
}

/** Opens the files of a request. Without columns, they are plain values of the type. */
export async function openInputs(
  paths: readonly string[],
  { columns, type, reading }: TableInput,
  { threads, signal }: Pick<How, "threads" | "signal">,
): Promise<Inputs> {
  const own =
    columns === null
      ? {
          format: VALUES_FORMAT,
          read: { type: type ?? "u8" },
          head: { bytes: HEAD_BYTES, check: checkPlain },
        }
      : reading;
  return Inputs.open(paths, { ...own, threads, signal });
}

/**
 * Opens the tables of several processes. The content shows the format of a file whose name does not.
 * @throws ERR_INPUT for a pipe, and for a file without a version
 */
export async function openShared(
  paths: readonly string[],
  reading: Reading,
  { threads, signal }: Pick<How, "threads" | "signal">,
): Promise<Inputs> {
  await checkShared(paths);
  const format = reading.format ?? (paths.length === 1 ? await guessedFormat(paths[0]!, signal) : null);
  const inputs = await Inputs.open(paths, { ...reading, format, threads, signal });
  try {
    checkVersions(inputs.files);
    return inputs;
  } catch (error) {
    await inputs[Symbol.asyncDispose]();
    throw error;
  }
}

/** @throws ERR_UNSUPPORTED for a picture, ERR_INPUT for a container: their bytes are not their values */
function checkPlain(head: Uint8Array, path: string): void {
  const picture = pictureFormat(head);
  if (picture === null) {
    expectPlain({ name: basename(path), path, head });
    return;
  }
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `expected a table with --column, or plain values, for shards but ${inputName(path)} is a ${picture.name} picture`,
  );
}

/** The files in a few words, for progress and messages. */
export function nameOf(paths: readonly string[]): string {
  return paths.length === 1 ? paths[0]! : `${paths.length} files`;
}

/** The columns that are counted. */
export function columnsIn(columns: readonly string[] | null): readonly string[] {
  return columns ?? [VALUES_COLUMN];
}

/** The options of the engine's calls. */
export function countingOf(algorithm: string, k?: number): Readonly<Record<string, unknown>> {
  return { algorithm, ...(k === undefined ? {} : { k }) };
}

/** The columns that a name stands for: itself, or those of a list with commas. */
function namesIn(name: string, { names }: Inputs): readonly string[] {
  const list = name.split(",");
  return list.length > 1 && !names.includes(name) && list.every((one) => names.includes(one)) ? list : [name];
}

/** The plan of a request. @throws ERR_INPUT if a column is named twice, or bins are given and no column has any */
export function planOf(
  inputs: Inputs,
  { count, columns: given, by, bins }: What,
  extents?: ReadonlyMap<string, ColumnExtent>,
): Plan {
  const columns = given.flatMap((name) => namesIn(name, inputs));
  checkOnce(columns, "--column");
  const types = columns.map((name) => inputs.column(name).type);
  const isGiven = bins.some((text) => text.bins !== null || text.range !== null || text.edges !== null);
  if (isGiven && !types.some(hasBins)) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected no --bins, --range and --edges for columns without numbers (${columns.join(", ")})`,
    );
  }
  return {
    count,
    columns: columns.map((name, i) => ({ name, axis: axisOptionsOf(types[i]!, bins[i] ?? bins[0]!) })),
    by,
    extents,
  };
}

/** Bytes of values of a first pass that are kept for the second one. */
const KEPT_BYTES = 50_331_648;

/** A whole result, and how it was counted. */
export interface Counted {
  readonly task: Task;
  readonly result: TaskResult;
  readonly work: Work | null;
  readonly timings: Timings;
}

/**
 * Counts everything in this process: a first pass for the ranges if the data decide them and the files do not state
 * them, and one for the counts.
 * @param start when the files began to be opened, which reads their first bytes
 * @throws ERR_AXIS for two passes over standard input.
 */
async function countWhole(inputs: Inputs, what: What, how: How, start: number): Promise<Counted> {
  const size = inputs.files.reduce((sum, file) => sum + (file.size ?? 0), 0);
  let last: ShardCounted | null = null;
  let { tables } = inputs;
  const count: CountTask = async (task, [shard], pass) => {
    if (task.count === "extent") {
      checkRereadable(inputs, task);
      tables = keptTables(inputs.tables, KEPT_BYTES);
    }
    const total = (task.count === "extent" ? pass + 2 : pass + 1) * size;
    const watch: Watch = ({ done }) =>
      how.watch({ done: done + pass * size, total: total === 0 ? null : total });
    last = await countShard(inputs, task, shard!, { ...how, tables, watch });
    return last.partial;
  };
  const { task, result } = await countPlan(inputs, planOf(inputs, what), { shards: 1 }, count);
  const { work, kernelMs, uploadMs } = last!;
  const totalMs = performance.now() - start;
  const readMs = Math.max(0, totalMs - kernelMs - uploadMs);
  return { task, result, work, timings: { readMs, uploadMs, kernelMs, totalMs } };
}

/** Opens the files of a request and counts everything in this process, with a progress bar on a terminal. */
export async function countFiles(
  paths: readonly string[],
  request: WorkRequest & TableInput,
  given: What | ((inputs: Inputs) => What),
  signal: AbortSignal,
): Promise<Counted> {
  const start = performance.now();
  const { backend, threads, algorithm, k } = request;
  await using choice = await Choice.of({
    backend,
    threads,
    algorithm,
    segments: null,
    joint: true,
    table: true,
  });
  await using inputs = await openInputs(paths, request, { threads, signal });
  const { watch, clear } = await progressBar(nameOf(paths), "B");
  try {
    const what = typeof given === "function" ? given(inputs) : given;
    const leftOut = new LeftOut();
    const { headers } = request.reading;
    const everyRow = backend !== "auto" || algorithm !== "auto";
    const counting = countingOf(algorithm, k);
    const how = { choice, counting, everyRow, threads, headers, signal, watch, leftOut };
    const counted = await countWhole(inputs, what, how, start);
    clear();
    tellGuesses(inputs.tables);
    leftOut.tell();
    return counted;
  } finally {
    clear();
  }
}

/** The counts of a shard, and how they were counted. */
interface ShardCounted {
  readonly partial: PartialResult;
  /** Null if nothing had to be counted on a device. */
  readonly work: Work | null;
  readonly kernelMs: number;
  readonly uploadMs: number;
}

/** Counts one shard. */
export async function countShard(
  inputs: Inputs,
  task: Task,
  shard: Shard,
  { choice, counting, everyRow, threads, headers, signal, watch, leftOut, tables = inputs.tables }: How,
): Promise<ShardCounted> {
  const engine = await choice.engine(valuesOf(inputs, task), "f64");
  let work: Work | null = null;
  let [kernelMs, uploadMs] = [0, 0];
  const partial = await runShard(engine, task, shard, {
    threads,
    headers,
    signal,
    tables: inputs.isOpen ? tables : undefined,
    counting: { ...counting, timings: true },
    everyRow,
    onProgress: watch,
    onRead: (table) => leftOut.see(table),
    onCounted: (found) => {
      work ??= found;
      kernelMs += found.timings?.kernelMs ?? 0;
      uploadMs += found.timings?.uploadMs ?? 0;
    },
  });
  return { partial, work, kernelMs, uploadMs };
}

/** The number of values, for the choice of a backend. Null if it is unknown, as for a pipe. */
function valuesOf({ tables, files }: Inputs, { columns }: Task): number | null {
  let values = 0;
  for (const [i, { rows }] of tables.entries()) {
    const { size } = files[i]!;
    if (rows === null && size === null) return null;
    // A value takes a few bytes of text.
    values += rows === null ? size! / TEXT_BYTES : rows * columns.length;
  }
  return Math.ceil(values);
}

const TEXT_BYTES = 4;

/** @throws ERR_AXIS */
function checkRereadable({ files }: Inputs, { columns }: Task): void {
  const stream = files.find(({ size }) => size === null);
  if (stream === undefined) return;
  const names = columns.map(({ name }) => name).join(", ");
  const what = stream.location === "-" ? "standard input" : stream.location;
  throw new PolybinError(
    "ERR_AXIS",
    `expected a range for ${names}, since ${what} can be read once; give --range LO,HI or --edges, or pass a file`,
  );
}
