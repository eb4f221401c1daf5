import {
  type Chunk,
  type CountsBatch,
  type CountsChunk,
  freeing,
  type ReadOptions,
  readAhead,
  type Table,
} from "@polybin/columns";
import { type Engine, PolybinError } from "@polybin/core";
import { checkNames, loadedOnce } from "@polybin/core/backend";
import { columnOf } from "../inputs.ts";
import { OpenTables } from "../open-tables.ts";
import { OPENING_NAMES, type Opening } from "../opening.ts";
import type { PartialResult } from "../partial.ts";
import type { Shard, ShardRead } from "../shard.ts";
import { stateOf } from "../state.ts";
import { type Task, type TaskColumn, type TaskFile, taskId } from "../task.ts";
import type { Counted, Counting, Rows, ShardCounter } from "./counter.ts";
import { ExtentCounter } from "./extent.ts";
import { HistCounter } from "./hist.ts";
import { JointCounter } from "./joint.ts";

const profiling = loadedOnce(() => import("../profile.ts"));

/** How far a shard is. Bytes are those of the files' parts. */
export interface ShardProgress {
  readonly done: number;
  readonly total: number | null;
  readonly rows: number;
}

/** Options of `runShard`. */
export interface RunOptions extends Opening {
  /** Tables that are open already, one for each file. They stay open. Null: the file is opened and closed. */
  readonly tables?: readonly (Table | null)[] | undefined;
  /** Tables that stay open for later calls. Pass it to every call of a process. Default: a file is opened and closed. */
  readonly openTables?: OpenTables | undefined;
  /** Options of the engine's calls, such as the algorithm. */
  readonly counting?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Whether the engine counts every row, as for a backend that was asked for. Default: only with an algorithm. Otherwise,
   * a value that a file lists with a count is counted once, by the calling thread.
   */
  readonly everyRow?: boolean | undefined;
  readonly onProgress?: ((progress: ShardProgress) => void) | undefined;
  /** Called with each table when it was read. */
  readonly onRead?: ((table: Table) => void) | undefined;
  /** Called with how the engine counted, once for each of its calls. */
  readonly onCounted?: ((found: Counted) => void) | undefined;
}

/**
 * Counts a shard. Memory is bounded by the reader's batches and by the cells of the task.
 * @param task a checked task
 * @param shard a checked shard of it
 * @throws ERR_INPUT if a file changed since the task was planned, is damaged, or lies outside `allow`.
 */
export async function runShard(
  engine: Engine,
  task: Task,
  shard: Shard,
  options: RunOptions = {},
): Promise<PartialResult> {
  const own = ["tables", "openTables", "counting", "everyRow", "onProgress", "onRead", "onCounted"];
  checkNames(options, [...OPENING_NAMES, ...own]);
  const {
    counting = {},
    everyRow = isChosen(counting),
    signal,
    onCounted,
    openTables = new OpenTables(0),
  } = options;
  signal?.throwIfAborted();
  const counter = await counterOf(task, { engine, options: counting, everyRow, signal, onCounted });
  const progress = new Progress(shard, options.onProgress);
  const run: ShardRun = { task, counter, options: { ...options, openTables }, progress };
  const held: (() => Promise<void>)[] = [];
  try {
    for (const [i, read] of shard.reads.entries()) {
      for (const next of shard.reads.slice(i + held.length, i + AHEAD)) held.push(holdOpen(run, next));
      await countFile(run, read);
      await held.shift()?.();
    }
    const { job, of, index } = shard;
    return { task: taskId(task), job, of, covered: [[index, index]], payload: await counter.take() };
  } finally {
    await Promise.all(held.map((release) => release()));
    await counter.close?.();
  }
}

const isChosen = ({ algorithm = "auto" }: Readonly<Record<string, unknown>>): boolean => algorithm !== "auto";

/** Files of a shard that are opened while one is counted, and that one. */
const AHEAD = 4;

/** Opens the table of a read, and keeps it open until the returned function is called. Counting it has the errors. */
function holdOpen({ task, options }: ShardRun, { file }: ShardRead): () => Promise<void> {
  if ((options.tables?.[file] ?? null) !== null) return async () => {};
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = options.openTables
    .use(task.files[file]!, task.read, openingOf(options), () => promise)
    .catch(() => {});
  return () => {
    resolve();
    return held;
  };
}

const openingOf = ({ allow, headers, s3, retries, threads }: RunOptions): Opening => {
  return { allow, headers, s3, retries, threads };
};

async function counterOf(task: Task, counting: Counting): Promise<ShardCounter> {
  switch (task.count) {
    case "hist":
      return new HistCounter(task, counting);
    case "joint":
      return new JointCounter(
        task.columns.map(({ axis }) => axis!),
        counting,
      );
    case "extent":
      return new ExtentCounter(task.columns.length);
    case "profile": {
      const { profileCounter } = await profiling();
      return profileCounter(task, counting);
    }
  }
}

/** Values that the files of a shard share. */
interface ShardRun {
  readonly task: Task;
  readonly counter: ShardCounter;
  readonly options: RunOptions & { readonly openTables: OpenTables };
  readonly progress: Progress;
}

async function countFile(run: ShardRun, read: ShardRead): Promise<void> {
  const { task, options } = run;
  const { file } = read;
  await checkState(task, file, options);
  const count = async (table: Table): Promise<void> => {
    await countTable(run, read, table);
    options.onRead?.(table);
  };
  const given = options.tables?.[file] ?? null;
  const { openTables } = options;
  await (given === null
    ? openTables.use(task.files[file]!, task.read, openingOf(options), count)
    : count(given));
  // A file that changed while it was read would be counted in two states.
  await checkState(task, file, options);
}

async function countTable(
  { task, counter, options: { signal }, progress }: ShardRun,
  { file, first, end }: ShardRead,
  table: Table,
): Promise<void> {
  const all = task.by === null ? task.columns : [...task.columns, task.by];
  checkFormat(table, task.files[file]!);
  // Several files of a profile need not have the same columns. A single one has all columns of its task.
  const isPartial = task.count === "profile" && task.files.length > 1;
  const wanted = isPartial ? all.filter(({ name }) => hasColumn(table, name)) : all;
  for (const column of wanted) checkType(table, column);
  // The column of the groups may be counted, too, and a reader returns each column once.
  const names = [...new Set(wanted.map(({ name }) => name))];
  const places = wanted.map(({ name }) => names.indexOf(name));
  const options: ReadOptions = {
    columns: names,
    ...(table.parts === null ? {} : { parts: partsOf(table, first, end) }),
    signal,
    onProgress: ({ rows, bytes, totalBytes }) => progress.within(bytes, totalBytes, rows),
  };
  const free = freeing(table);
  const read = counter.read?.(table, options, file) ?? table.read(options);
  for await (const batch of readAhead<CountsBatch>(read)) {
    signal?.throwIfAborted();
    if (batch.rows > 0) await counter.add(rowsOf(batch, places, file, task));
    free(batch);
  }
  signal?.throwIfAborted();
  progress.next();
}

const hasColumn = ({ columns }: Table, name: string): boolean =>
  columns.some((column) => column.name === name);

function rowsOf(
  { rows, columns }: CountsBatch,
  places: readonly number[],
  file: number,
  { by }: Task,
): Rows<Chunk | CountsChunk> {
  const chunks = places.map((place) => columns[place]!);
  // Counters of groups read all rows.
  const groups = by === null ? null : (chunks.pop() as Chunk);
  return { rows, file, columns: chunks, by: groups };
}

/** @throws ERR_INPUT if the file is not in the state that the task names */
async function checkState({ files }: Task, file: number, options: RunOptions): Promise<void> {
  const { location, size, version } = files[file]!;
  const now = await stateOf(location, options);
  const [what, before, after] =
    size === now.size ? ["version", version, now.version] : ["number of bytes", size, now.size];
  if (before === after) return;
  throw new PolybinError(
    "ERR_INPUT",
    `expected ${location} to stay as it was when the task was made but its ${what} changed from ${before} to ${after}; ` +
      "nothing was counted; start the task again",
  );
}

/** @throws ERR_INPUT if the file is of another kind than in the task */
function checkFormat({ name, format }: Table, file: TaskFile): void {
  if (format === file.format) return;
  throw new PolybinError(
    "ERR_INPUT",
    `expected ${name} to be ${file.format} as in the task but it is ${format}; start the task again`,
  );
}

/** @throws ERR_INPUT if the column is missing, or has another type than in the task */
function checkType(table: Table, { name, type }: TaskColumn): void {
  const own = columnOf(table, name).type;
  if (sameType(own, type)) return;
  throw new PolybinError(
    "ERR_INPUT",
    `expected column ${JSON.stringify(name)} of ${table.name} to be ${JSON.stringify(type)} as in the task but it is ` +
      `${JSON.stringify(own)}; start the task again`,
  );
}

function sameType(a: object, b: object): boolean {
  const [x, y] = [Object.entries(a).sort(), Object.entries(b).sort()];
  return JSON.stringify(x) === JSON.stringify(y);
}

function partsOf({ name, parts }: Table, first: number, end: number): number[] {
  const { length } = parts!;
  if (end > length) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected at least ${end} parts in ${name} but it has ${length}; start the task again`,
    );
  }
  return Array.from({ length: end - first }, (_, i) => first + i);
}

/** Adds up the progress of the files of a shard. */
class Progress {
  readonly #tell: ((progress: ShardProgress) => void) | undefined;
  readonly #files: number;
  #before = { bytes: 0, rows: 0 };
  #now = { bytes: 0, rows: 0 };

  constructor({ reads }: Shard, tell: RunOptions["onProgress"]) {
    this.#tell = tell;
    this.#files = reads.length;
  }

  within(bytes: number, total: number | null, rows: number): void {
    this.#now = { bytes, rows };
    this.#tell?.({
      done: this.#before.bytes + bytes,
      // The bytes of the files that follow are unknown until they are opened.
      total: this.#files === 1 ? total : null,
      rows: this.#before.rows + rows,
    });
  }

  next(): void {
    this.#before = { bytes: this.#before.bytes + this.#now.bytes, rows: this.#before.rows + this.#now.rows };
    this.#now = { bytes: 0, rows: 0 };
  }
}
