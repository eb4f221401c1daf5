import { type Engine, type JointCounter, PolybinError, type SampleType } from "@polybin/core";
import { loadedOnce } from "@polybin/core/backend";
import {
  bothValid,
  type Chunk,
  type CountsBatch,
  type CountsChunk,
  sampleTypeOf,
  type ValueArray,
  type ValuesChunk,
  valuesOf,
} from "../../table/index.ts";
import { exactDoubles } from "../exact/kernel/index.ts";
import { FEW_VALUES, MANY_VALUES, MOST_COUNTED_BINS, PIECE_BYTES, WAITING_BYTES } from "../limits.ts";
import type { JointPartial } from "../partial/joint-partial.ts";
import { namesWithRows, type PassPlan } from "../partial/plan.ts";
import { ProfilePartial } from "../partial/profile-partial.ts";
import type { ColumnThreads } from "../threads/column-threads.ts";
import { addBins, addSums, addText, hasSums } from "./adding.ts";
import { type DenseValues, widened } from "./dense.ts";
import { OverCounter } from "./over-counter.ts";
import { PairCounter } from "./pair-counter.ts";
import { PieceCounter } from "./piece-counter.ts";
import { rowHashes } from "./row-hashes.ts";
import { Scratch } from "./scratch.ts";

/** The counters of a column. The second one counts 64-bit integers that are exact as doubles, which is faster. */
interface Counters {
  readonly own: PieceCounter;
  readonly exact: PieceCounter | null;
}

/** Options of `PassCounting.open`. */
export interface PassOptions {
  /** Threads that add up columns. At most 8 start. 0: the calling thread adds them up. Default: the number of processors, once there is much to add. */
  readonly threads?: number | undefined;
  /** The number of values of all columns, about. Threads start at once if there are many. Default: unknown. */
  readonly values?: number | undefined;
}

const columnThreads = loadedOnce(() => import("../threads/column-threads.ts"));

/** Receives the values of a column that are not null. */
export type Keep = (column: number, values: DenseValues) => void;

/** Counts the rows of one pass. The engine counts bins while this thread, or others, add up moments and values. */
export class PassCounting {
  readonly #engine: Engine;
  readonly #scratch: Scratch;
  /** The arrays that the current batch uses. */
  readonly #taken: Float64Array[] = [];
  readonly #partial: ProfilePartial;
  readonly #counters: readonly (Counters | null)[];
  readonly #joint: readonly JointCounter[];
  readonly #columns: ReadonlyMap<string, number>;
  readonly #pairs: PairCounter | null;
  readonly #over: OverCounter | null;
  /** The columns that batches must hold with their rows. */
  readonly #withRows: ReadonlySet<string>;
  readonly #most: number | undefined;
  #threads: ColumnThreads | null = null;
  /** Values that this thread has added up, or expects. */
  #added = 0;

  private constructor(
    most: number | undefined,
    engine: Engine,
    partial: ProfilePartial,
    counters: readonly (Counters | null)[],
    joint: readonly JointCounter[],
  ) {
    this.#most = most;
    this.#engine = engine;
    this.#scratch = new Scratch(engine);
    this.#partial = partial;
    this.#counters = counters;
    this.#joint = joint;
    this.#columns = new Map(partial.plan.columns.map(({ name }, i) => [name, i]));
    this.#pairs = partial.pairs && new PairCounter(partial.pairs, partial.plan.columns);
    this.#over = partial.over && new OverCounter(partial.over, partial.plan.columns);
    this.#withRows = namesWithRows(partial.plan);
  }

  /** Opens the counters of a plan. @throws ERR_LIMIT if the plan has too many bins, ERR_UNSUPPORTED if the engine cannot count pairs. */
  static async open(
    engine: Engine,
    plan: PassPlan,
    { threads, values = 0 }: PassOptions = {},
  ): Promise<PassCounting> {
    const types = new Map(plan.columns.map(({ name, logical }) => [name, sampleTypeOf(logical)]));
    checkBins(plan);
    const partial = ProfilePartial.empty(plan);
    const bytes = Math.min(PIECE_BYTES, Math.floor(WAITING_BYTES / plan.columns.length));
    const counters = partial.columns.map(({ bins }): Counters | null => {
      if (bins === null) return null;
      const { axis, type } = bins;
      const counter = (as: SampleType) =>
        new PieceCounter(() => engine.prepare({ type: as, axis }), bins, bytes);
      return { own: counter(type), exact: isWide(type) ? counter("f64") : null };
    });
    const joint: JointCounter[] = [];
    for (const { columns, axes } of plan.joint) {
      const both = columns.map((name, i) => ({ type: types.get(name)!, axis: axes[i]! }));
      joint.push(await engine.prepare({ columns: both }));
    }
    const counting = new PassCounting(threads, engine, partial, counters, joint);
    if (values >= MANY_VALUES) counting.#added = FEW_VALUES;
    await counting.#startThreads();
    return counting;
  }

  /** The engine that counts. */
  get engine(): Engine {
    return this.#engine;
  }

  /** Takes note of rows that a sample is chosen from. */
  see(rows: number): void {
    this.#partial.seen += rows;
  }

  /** Counts a batch. Its arrays must not change until the promise settles. One batch is counted at a time. */
  async add(
    batch: CountsBatch,
    { signal, keep }: { signal?: AbortSignal | undefined; keep?: Keep } = {},
  ): Promise<void> {
    signal?.throwIfAborted();
    await this.#startThreads();
    const counting: Promise<unknown>[] = [];
    const work: (() => void)[] = [];
    for (const chunk of batch.columns) {
      const index = this.#columns.get(chunk.name);
      if (index === undefined)
        throw new PolybinError("ERR_INPUT", `expected columns of the plan but received ${chunk.name}`);
      const column = this.#partial.columns[index]!;
      column.rows += chunk.rows;
      column.nulls += chunk.nulls;
      const dense = denseOf(chunk, sampleTypeOf(column.plan.logical));
      if (dense === null) {
        work.push(() => eachText(chunk as TextChunk, (text, count) => addText(column, text, count)));
        continue;
      }
      keep?.(index, dense);
      const { counted, added } = this.#addDense(index, dense, signal);
      counting.push(counted);
      work.push(added);
    }
    for (const [i, joint] of this.#partial.joint.entries())
      counting.push(this.#addJoint(i, joint, batch, signal));
    // A rejection that nobody awaits yet must not end the process.
    const counted = Promise.all(counting);
    counted.catch(() => {});
    for (const step of work) step();
    for (const chunk of batch.columns) this.#checkRows(chunk);
    this.#pairs?.add(batch);
    this.#over?.add(batch);
    this.#partial.different?.addWords(rowHashes(batch, [...this.#columns.keys()]), null);
    await counted;
    this.#giveBack();
    this.#partial.rows += batch.rows;
  }

  /** Lets threads add up columns from now on, if they are asked for, or there is much to add. */
  async #startThreads(): Promise<void> {
    if (this.#threads !== null || this.#most === 0) return;
    if (this.#most === undefined && this.#added < FEW_VALUES) return;
    const { ColumnThreads } = await columnThreads();
    this.#threads = new ColumnThreads(this.#partial.columns, this.#most);
  }

  /** @throws ERR_INPUT for a column without rows, if its rows matter */
  #checkRows(chunk: Chunk | CountsChunk): void {
    const { rowLimit } = this.#partial.plan;
    if ("counts" in chunk && (rowLimit !== null || this.#withRows.has(chunk.name))) throw withoutRows(chunk);
  }

  /** Counts values that `add` passed to `keep` in an earlier pass. */
  async addKept(
    index: number,
    values: DenseValues,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    const { counted, added } = this.#addDense(index, values, signal);
    counted.catch(() => {});
    added();
    await counted;
    this.#giveBack();
  }

  /** Lets the engine count bins, and threads add up. Returns their promises, and the work that remains for this thread. */
  #addDense(
    index: number,
    dense: DenseValues,
    signal: AbortSignal | undefined,
  ): { readonly counted: Promise<unknown>; readonly added: () => void } {
    const column = this.#partial.columns[index]!;
    const single = dense.values.subarray(dense.counts.length);
    const counted = this.#countBins(index, single, this.#doublesOf(single), signal);
    const threads = this.#threads;
    if (threads?.has(index))
      return { counted: Promise.all([counted, threads.add(index, dense)]), added: () => {} };
    if (hasSums(column)) this.#added += dense.values.length;
    return {
      counted,
      added: () => {
        addBins(column, dense);
        addSums(column, dense);
      },
    };
  }

  /** Returns what was counted. Nothing can be added afterwards. */
  async take(): Promise<ProfilePartial> {
    for (const counter of this.#counters.flatMap(allOf)) await counter.end();
    await this.#threads?.addTo(this.#partial.columns);
    await this.close();
    return this.#partial;
  }

  /** Frees the counters. */
  async close(): Promise<void> {
    await Promise.all([
      ...this.#counters.flatMap(allOf).map((counter) => counter.free()),
      this.#threads?.close(),
    ]);
  }

  /** 64-bit integers as doubles, if all of them are exact. */
  #doublesOf(values: ValueArray): Float64Array | null {
    if (!isBig(values) || values.length === 0) return null;
    const array = this.#scratch.take(values.length);
    this.#taken.push(array);
    return exactDoubles(values, array) ? array.subarray(0, values.length) : null;
  }

  /** Lets the next batch use the arrays of this one, which has been counted. */
  #giveBack(): void {
    for (const array of this.#taken.splice(0)) this.#scratch.give(array);
  }

  async #countBins(
    index: number,
    values: ValueArray,
    doubles: Float64Array | null,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const counters = this.#counters[index]!;
    if (counters === null || values.length === 0) return;
    const { own, exact } = counters;
    await (doubles === null ? own.add(values, signal) : exact!.add(doubles, signal));
  }

  async #addJoint(
    index: number,
    joint: JointPartial,
    batch: CountsBatch,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const pair = joint.plan.columns.map((name) => batch.columns.find((chunk) => chunk.name === name));
    for (const chunk of pair) if (chunk !== undefined && "counts" in chunk) throw withoutRows(chunk);
    const [x, y] = pair as [ValuesChunk, ValuesChunk];
    if (x === undefined || y === undefined || batch.rows === 0) return;
    const types = joint.plan.columns.map(
      (name) => sampleTypeOf(this.#partial.columns[this.#columns.get(name)!]!.plan.logical)!,
    );
    const columns = [x, y].map(({ values }, i) => widened(values, types[i]!));
    const bits = bothValid(x.validity, y.validity);
    const input = bits === null ? { columns } : { columns, mask: { bits } };
    joint.add(await this.#joint[index]!.count(input, { signal }));
  }
}

function withoutRows({ name }: CountsChunk): PolybinError {
  return new PolybinError(
    "ERR_INPUT",
    `expected the rows of column ${JSON.stringify(name)}, which pairs and duplicates need, but received values without rows; ` +
      "read batches with batchesFor, or pass the column in rows",
  );
}

/** @throws ERR_LIMIT if the counters of all columns together have too many bins. They are prepared at once. */
function checkBins({ columns }: PassPlan): void {
  const bins = columns.reduce(
    (sum, { axis, logical }) =>
      sum + (axis === null ? 0 : axis.bins * (isWide(sampleTypeOf(logical)!) ? 2 : 1)),
    0,
  );
  if (bins <= MOST_COUNTED_BINS) return;
  throw new PolybinError(
    "ERR_LIMIT",
    `expected at most ${MOST_COUNTED_BINS} counted bins in all columns together but ${columns.length} columns have ${bins}; ` +
      "pass fewer bins, or profile the columns in groups with columns",
  );
}

/** Whether values are 64-bit integers, which engines count as doubles. */
const isWide = (type: SampleType): boolean => type === "i64" || type === "u64";

function allOf(counters: Counters | null): PieceCounter[] {
  return counters === null ? [] : counters.exact === null ? [counters.own] : [counters.own, counters.exact];
}

const isBig = (values: ValueArray): values is BigInt64Array | BigUint64Array =>
  values instanceof BigInt64Array || values instanceof BigUint64Array;

/** No counts: all values occur once. */
const ONCE = new Uint32Array(0);

/** Returns the values of a chunk that are not null; null for strings. */
function denseOf(chunk: Chunk | CountsChunk, type: SampleType | null): DenseValues | null {
  if (type === null) return null;
  const { values, counts } =
    "counts" in chunk
      ? { values: chunk.values as ValueArray, counts: chunk.counts }
      : { values: valuesOf(chunk as ValuesChunk), counts: ONCE };
  return { values: widened(values, type), counts };
}

type TextChunk = Exclude<Chunk, ValuesChunk> | CountsChunk;

/** Calls `use` for each string of a chunk, once per string of a dictionary. */
function eachText(chunk: TextChunk, use: (text: string, count: number) => void): void {
  if ("counts" in chunk) {
    for (const [i, count] of chunk.counts.entries()) use(chunk.values[i] as string, count);
    return;
  }
  if ("strings" in chunk) {
    for (const text of chunk.strings) if (text !== null) use(text, 1);
    return;
  }
  const { codes, dictionary, validity } = chunk;
  const counts = new Float64Array(dictionary.length);
  for (let row = 0; row < codes.length; row++) {
    if (validity === null || ((validity.bits[row >> 3]! >> (row & 7)) & 1) === 1) counts[codes[row]!]! += 1;
  }
  for (const [code, count] of counts.entries()) if (count > 0) use(dictionary[code]!, count);
}
