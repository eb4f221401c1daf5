import { type Engine, type JointCounter, PolybinError, type SampleType } from "@polybin/core";
import type { Batch, Chunk, ValueArray, ValuesChunk } from "../../table/index.ts";
import { exactDoubles } from "../exact/kernel/index.ts";
import { Moments } from "../exact/moments.ts";
import { TextMoments } from "../exact/text-moments.ts";
import { PIECE_BYTES, WAITING_BYTES } from "../limits.ts";
import type { ColumnPartial } from "../partial/column-partial.ts";
import type { JointPartial } from "../partial/joint-partial.ts";
import { type PassPlan, sampleTypeOf } from "../partial/plan.ts";
import { ProfilePartial } from "../partial/profile-partial.ts";
import { bothValid, eachWords, valuesOf, widened } from "./dense.ts";
import { PieceCounter } from "./piece-counter.ts";
import { Scratch } from "./scratch.ts";

/** The counters of a column. The second one counts 64-bit integers that are exact as doubles, which is faster. */
interface Counters {
  readonly own: PieceCounter;
  readonly exact: PieceCounter | null;
}

/**
 * Bins that the counters of one pass have at most. A bin takes about 50 bytes in all, in the counter, its result and the
 * sums, so this bounds them to about 1.6 GB.
 */
const MOST_BINS = 2 ** 25;

/** Receives the values of a column that are not null. */
export type Keep = (column: number, values: ValueArray) => void;

/** Counts the rows of one pass. The engine counts bins while this thread adds up moments and values. */
export class PassCounting {
  readonly #engine: Engine;
  readonly #scratch: Scratch;
  /** The arrays that the current batch uses. */
  readonly #taken: Float64Array[] = [];
  readonly #partial: ProfilePartial;
  readonly #counters: readonly (Counters | null)[];
  readonly #joint: readonly JointCounter[];
  readonly #columns: ReadonlyMap<string, number>;

  private constructor(
    engine: Engine,
    partial: ProfilePartial,
    counters: readonly (Counters | null)[],
    joint: readonly JointCounter[],
  ) {
    this.#engine = engine;
    this.#scratch = new Scratch(engine);
    this.#partial = partial;
    this.#counters = counters;
    this.#joint = joint;
    this.#columns = new Map(partial.plan.columns.map(({ name }, i) => [name, i]));
  }

  /** Prepares the counters of a plan. @throws ERR_AXIS, ERR_LIMIT, ERR_UNSUPPORTED if the engine cannot count over an axis. */
  static async open(engine: Engine, plan: PassPlan): Promise<PassCounting> {
    const types = new Map(plan.columns.map(({ name, logical }) => [name, sampleTypeOf(logical)]));
    checkBins(plan);
    const counters: (Counters | null)[] = [];
    const bytes = Math.min(PIECE_BYTES, Math.floor(WAITING_BYTES / plan.columns.length));
    for (const { name, axis } of plan.columns) {
      const type = types.get(name)!;
      if (axis === null) counters.push(null);
      else {
        const exact = isWide(type)
          ? new PieceCounter(await engine.prepare({ type: "f64", axis }), bytes)
          : null;
        counters.push({ own: new PieceCounter(await engine.prepare({ type, axis }), bytes), exact });
      }
    }
    const joint: JointCounter[] = [];
    for (const { columns, axes } of plan.joint) {
      const both = columns.map((name, i) => ({ type: types.get(name)!, axis: axes[i]! }));
      joint.push(await engine.prepare({ columns: both }));
    }
    return new PassCounting(engine, ProfilePartial.empty(plan), counters, joint);
  }

  /** The engine that counts. */
  get engine(): Engine {
    return this.#engine;
  }

  /** Counts a batch. Its arrays must not change until the promise settles. One batch is counted at a time. */
  async add(
    batch: Batch,
    { signal, keep }: { signal?: AbortSignal | undefined; keep?: Keep } = {},
  ): Promise<void> {
    signal?.throwIfAborted();
    const counting: Promise<void>[] = [];
    const work: (() => void)[] = [];
    for (const chunk of batch.columns) {
      const index = this.#columns.get(chunk.name);
      if (index === undefined)
        throw new PolybinError("ERR_INPUT", `expected columns of the plan but received ${chunk.name}`);
      const column = this.#partial.columns[index]!;
      column.rows += chunk.rows;
      column.nulls += chunk.nulls;
      if (!("values" in chunk)) work.push(() => addTexts(column, chunk));
      else {
        const values = widened(valuesOf(chunk), sampleTypeOf(column.plan.logical)!);
        keep?.(index, values);
        const doubles = this.#doublesOf(values);
        counting.push(this.#countBins(index, values, doubles, signal));
        work.push(() => addValues(column, values));
      }
    }
    for (const [i, joint] of this.#partial.joint.entries())
      counting.push(this.#addJoint(i, joint, batch, signal));
    // A rejection that nobody awaits yet must not end the process.
    const counted = Promise.all(counting);
    counted.catch(() => {});
    for (const step of work) step();
    await counted;
    this.#giveBack();
    this.#partial.rows += batch.rows;
  }

  /** Counts values that `add` passed to `keep` in an earlier pass. */
  async addKept(
    index: number,
    values: ValueArray,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    const doubles = this.#doublesOf(values);
    const counting = this.#countBins(index, values, doubles, signal);
    counting.catch(() => {});
    addValues(this.#partial.columns[index]!, values);
    await counting;
    this.#giveBack();
  }

  /** Returns what was counted. Nothing can be added afterwards. */
  async take(): Promise<ProfilePartial> {
    for (const [i, counters] of this.#counters.entries()) {
      for (const counter of allOf(counters)) this.#partial.columns[i]!.bins!.add(await counter.take());
    }
    await this.close();
    return this.#partial;
  }

  /** Frees the counters. */
  async close(): Promise<void> {
    await Promise.all(this.#counters.flatMap(allOf).map((counter) => counter.free()));
  }

  /** 64-bit integers as doubles, if all of them are exact. */
  #doublesOf(values: ValueArray): Float64Array | null {
    if (!(values instanceof BigInt64Array || values instanceof BigUint64Array)) return null;
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
    batch: Batch,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const [x, y] = joint.plan.columns.map((name) => batch.columns.find((chunk) => chunk.name === name)) as [
      ValuesChunk,
      ValuesChunk,
    ];
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

/** @throws ERR_LIMIT if the counters of all columns together have too many bins. They are prepared at once. */
function checkBins({ columns }: PassPlan): void {
  const bins = columns.reduce(
    (sum, { axis, logical }) =>
      sum + (axis === null ? 0 : axis.bins * (isWide(sampleTypeOf(logical)!) ? 2 : 1)),
    0,
  );
  if (bins <= MOST_BINS) return;
  throw new PolybinError(
    "ERR_LIMIT",
    `expected at most ${MOST_BINS} counted bins in all columns together but ${columns.length} columns have ${bins}; ` +
      "pass fewer bins, or profile the columns in groups with columns",
  );
}

/** Whether values are 64-bit integers, which engines count as doubles. */
const isWide = (type: SampleType): boolean => type === "i64" || type === "u64";

function allOf(counters: Counters | null): PieceCounter[] {
  return counters === null ? [] : counters.exact === null ? [counters.own] : [counters.own, counters.exact];
}

function addValues({ moments, values, heavy }: ColumnPartial, all: ValueArray): void {
  if (moments instanceof Moments) moments.add(all);
  if (values !== null) eachWords(all, (words) => values.addWords(words));
  if (heavy !== null) eachWords(all, (words) => heavy.addWords(words));
}

function addTexts({ moments, values, heavy }: ColumnPartial, chunk: Exclude<Chunk, ValuesChunk>): void {
  eachText(chunk, (text, count) => {
    if (moments instanceof TextMoments) moments.add(text, count);
    values?.addKey(text, count);
    heavy?.addKey(text, count);
  });
}

/** Calls `use` for each string of a chunk, once per string of a dictionary. */
function eachText(chunk: Exclude<Chunk, ValuesChunk>, use: (text: string, count: number) => void): void {
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
