import { type Counter, type Engine, type JointCounter, PolybinError } from "@polybin/core";
import type { Batch, Chunk, ValueArray, ValuesChunk } from "../../table/index.ts";
import { Moments } from "../exact/moments.ts";
import { TextMoments } from "../exact/text-moments.ts";
import type { ColumnPartial } from "../partial/column-partial.ts";
import type { JointPartial } from "../partial/joint-partial.ts";
import { type PassPlan, sampleTypeOf } from "../partial/plan.ts";
import { ProfilePartial } from "../partial/profile-partial.ts";
import { bothValid, eachWords, valuesOf, widened } from "./dense.ts";

/** Receives the values of a column that are not null. */
export type Keep = (column: number, values: ValueArray) => void;

/** Milliseconds that the parts of a pass took on this thread. */
export interface Spent {
  moments: number;
  values: number;
}

/** Counts the rows of one pass. The engine counts bins while this thread adds up moments and values. */
export class PassCounting {
  readonly #engine: Engine;
  readonly #partial: ProfilePartial;
  readonly #counters: readonly (Counter | null)[];
  readonly #joint: readonly JointCounter[];
  readonly #columns: ReadonlyMap<string, number>;
  readonly spent: Spent = { moments: 0, values: 0 };

  private constructor(
    engine: Engine,
    partial: ProfilePartial,
    counters: readonly (Counter | null)[],
    joint: readonly JointCounter[],
  ) {
    this.#engine = engine;
    this.#partial = partial;
    this.#counters = counters;
    this.#joint = joint;
    this.#columns = new Map(partial.plan.columns.map(({ name }, i) => [name, i]));
  }

  /** Prepares the counters of a plan. @throws ERR_AXIS, ERR_LIMIT, ERR_UNSUPPORTED if the engine cannot count over an axis. */
  static async open(engine: Engine, plan: PassPlan): Promise<PassCounting> {
    const types = new Map(plan.columns.map(({ name, logical }) => [name, sampleTypeOf(logical)]));
    const counters: (Counter | null)[] = [];
    for (const { name, axis } of plan.columns) {
      counters.push(axis === null ? null : await engine.prepare({ type: types.get(name)!, axis }));
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
      if (!("values" in chunk)) work.push(() => this.#addTexts(column, chunk));
      else {
        const values = widened(valuesOf(chunk), sampleTypeOf(column.plan.logical)!);
        keep?.(index, values);
        counting.push(...this.#startBins(index, values, signal));
        work.push(() => this.#addValues(column, values));
      }
    }
    for (const [i, joint] of this.#partial.joint.entries())
      counting.push(this.#addJoint(i, joint, batch, signal));
    // A rejection that nobody awaits yet must not end the process.
    const counted = Promise.all(counting);
    counted.catch(() => {});
    for (const step of work) step();
    await counted;
    this.#partial.rows += batch.rows;
  }

  /** Counts values that `add` passed to `keep` in an earlier pass. */
  async addKept(
    index: number,
    values: ValueArray,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    const counting = Promise.all(this.#startBins(index, values, signal));
    counting.catch(() => {});
    this.#addValues(this.#partial.columns[index]!, values);
    await counting;
  }

  /** Returns what was counted. Nothing can be added afterwards. */
  async take(): Promise<ProfilePartial> {
    for (const [i, counter] of this.#counters.entries()) {
      if (counter !== null) this.#partial.columns[i]!.bins!.add(await counter.take());
    }
    await this.close();
    return this.#partial;
  }

  /** Frees the counters. */
  async close(): Promise<void> {
    await Promise.all(this.#counters.map((counter) => counter?.free()));
  }

  #startBins(index: number, values: ValueArray, signal: AbortSignal | undefined): Promise<void>[] {
    const counter = this.#counters[index]!;
    return counter === null || values.length === 0 ? [] : [counter.accumulate(values, { signal })];
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

  #addValues({ moments, values, heavy }: ColumnPartial, all: ValueArray): void {
    const start = performance.now();
    if (moments instanceof Moments) moments.add(all);
    const then = performance.now();
    if (values !== null) eachWords(all, (words) => values.addWords(words));
    if (heavy !== null) eachWords(all, (words) => heavy.addWords(words));
    this.spent.moments += then - start;
    this.spent.values += performance.now() - then;
  }

  #addTexts(column: ColumnPartial, chunk: Exclude<Chunk, ValuesChunk>): void {
    const start = performance.now();
    eachText(chunk, (text, count) => {
      if (column.moments instanceof TextMoments) column.moments.add(text, count);
      column.values?.addKey(text, count);
      column.heavy?.addKey(text, count);
    });
    this.spent.values += performance.now() - start;
  }
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
