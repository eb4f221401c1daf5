import type { AlgorithmParameters, Slug } from "../../algorithms/index.ts";
import type { Axis } from "../../axis/index.ts";
import type { CellsPart, PreparedCells } from "../../backend/index.ts";
import {
  checkNames,
  checkSwitch,
  expected,
  MAX_SAMPLES,
  needsObject,
  ownOptions,
  PolybinError,
  type Talk,
} from "../../base/index.ts";
import type { JointHistogram } from "../../result/index.ts";
import type { Host } from "../host.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { checkCounting, checkProgress, type Progress } from "../options.ts";
import { type Column, sameLength, sourceFrom } from "./columns.ts";
import { jointOf } from "./count.ts";
import { columnOf, type JointColumnRequest } from "./explain.ts";
import { type Found, findJoint, foundIn, foundWithout, type Gathered, gather } from "./find.ts";
import type { ColumnShape, JointJobs } from "./jobs.ts";
import { checkColumns, type JointSource, type Selection } from "./options.ts";

/** Options of `prepare` for several columns. */
export interface JointPrepareOptions extends AlgorithmParameters {
  /** Type and axis of each column. */
  readonly columns: readonly JointColumnRequest[];
  /** The algorithm's slug. Default: "auto". */
  readonly algorithm?: Slug | "auto" | (string & {}) | undefined;
  /** Whether to measure how long each call takes. Otherwise the results' `timings` are null. Default: false. */
  readonly timings?: boolean | undefined;
}

/** The samples of one call of a joint counter: one input per column, and which of their samples to count. */
export type JointCounterInput =
  | readonly JointSource[]
  | (Pick<Selection, "mask" | "where"> & { readonly columns: readonly JointSource[] });

/** The parts of an engine that a counter uses. */
interface Parts {
  readonly host: Host;
  readonly lifecycle: Lifecycle;
  readonly jobs: JointJobs;
}

/** Counts several columns over the same axes again and again. `engine.prepare({ columns })` creates it. */
export class JointCounter {
  readonly #parts: Parts;
  readonly #columns: readonly ColumnShape[];
  readonly #axes: readonly Axis[];
  readonly #choice: Omit<JointPrepareOptions, "columns">;

  /** @internal Use engine.prepare. */
  constructor(parts: Parts, columns: readonly ColumnShape[], choice: Omit<JointPrepareOptions, "columns">) {
    this.#parts = parts;
    this.#columns = columns;
    this.#axes = columns.map(({ axis }) => axis);
    this.#choice = choice;
  }

  /** Counts columns, as `engine.joint` does. */
  count(input: JointCounterInput, options: Talk<Progress> = {}): Promise<JointHistogram> {
    const { lifecycle } = this.#parts;
    const own = ownOptions(options);
    return lifecycle.run(own, async (talk) => {
      const start = performance.now();
      checkNames(own, ["signal", "onProgress"]);
      checkProgress(own.onProgress);
      const gathered = this.#gather(input);
      const running = { ...talk, timings: this.#choice.timings };
      return lifecycle.ownTurn(
        async () => this.#result(gathered, await findJoint(gathered, running), start),
        talk.signal,
      );
    });
  }

  /**
   * Counts each input separately, in as few trips to the device as possible. If one input fails, the whole call
   * rejects.
   * @returns one result per input, in the order of the inputs.
   */
  countAll(
    inputs: readonly JointCounterInput[],
    options: Pick<Talk<Progress>, "signal"> = {},
  ): Promise<JointHistogram[]> {
    const { lifecycle } = this.#parts;
    const own = ownOptions(options);
    return lifecycle.run({ signal: own.signal }, async ({ signal }) => {
      const start = performance.now();
      checkNames(own, ["signal"]);
      if (!Array.isArray(inputs)) throw expected("ERR_INPUT", "inputs", "an array of inputs", inputs);
      const all = inputs.map((input) => this.#gather(input));
      const found = await lifecycle.ownTurn(() => this.#findAll(all, signal), signal);
      return all.map((gathered, i) => this.#result(gathered, found[i]!, start));
    });
  }

  #result(gathered: Gathered, found: Found, start: number): JointHistogram {
    return jointOf(gathered, found, this.#choice.timings ? start : null);
  }

  /** Counts inputs of equal shape together, if the device can. */
  async #findAll(all: readonly Gathered[], signal: AbortSignal | undefined): Promise<Found[]> {
    const timed = this.#choice.timings === true;
    const found: Found[] = new Array(all.length);
    const together = new Map<PreparedCells, number[]>();
    for (const [i, gathered] of all.entries()) {
      if (gathered.inputs.samples === 0) {
        found[i] = foundWithout(gathered);
        continue;
      }
      const prepared = await gathered.planned.prepared();
      together.set(prepared, [...(together.get(prepared) ?? []), i]);
    }
    for (const [prepared, which] of together) {
      const inputs = which.map((i) => all[i]!.inputs);
      let parts: readonly CellsPart[];
      if (prepared.countAll !== undefined) parts = await prepared.countAll(inputs, { signal, timed });
      else {
        const counted: CellsPart[] = [];
        for (const one of inputs) counted.push(await prepared.count(one, { signal, timed }));
        parts = counted;
      }
      signal?.throwIfAborted();
      if (parts.length !== inputs.length) {
        const message = `expected counts of ${inputs.length} inputs but the device returned ${parts.length}`;
        throw new PolybinError("ERR_MISCOUNT", message);
      }
      for (const [at, i] of which.entries()) found[i] = foundIn(all[i]!, parts[at]!);
    }
    return found;
  }

  /** Checks an input. @throws ERR_INPUT */
  #gather(given: JointCounterInput): Gathered {
    const { host, jobs } = this.#parts;
    const input = ownOptions(given);
    const isList = Array.isArray(input);
    if (!isList) checkNames(input, ["columns", "mask", "where"], { of: "an input" });
    const { columns, mask, where } = isList
      ? { columns: input }
      : (input as Exclude<typeof input, readonly unknown[]>);
    const wanted = this.#columns.length;
    if (!Array.isArray(columns) || columns.length !== wanted) {
      const received = Array.isArray(columns) ? columns.length : columns;
      throw expected("ERR_INPUT", "columns", `an array of ${wanted}`, received);
    }
    const checked = columns.map((one: JointSource, k): Column => {
      const source = sourceFrom(host, one, `column ${k}`);
      const { type, interleaved, channel } = this.#columns[k]!;
      if (source.type !== type) throw expected("ERR_INPUT", `the type of column ${k}`, type, source.type);
      if (source.channels !== interleaved) {
        throw expected("ERR_INPUT", `the channels of column ${k}`, String(interleaved), source.channels);
      }
      return { source, channel };
    });
    sameLength(checked);
    return gather(host, jobs, checked, this.#axes, { ...this.#choice, mask, where });
  }
}

needsObject(JointCounter, "counter");

/**
 * Creates a counter of several columns. It plans for the maximum number of samples, which shows whether the device can
 * count them and lets the device start to build its kernels.
 * @throws ERR_INPUT, ERR_AXIS, ERR_LIMIT, ERR_UNSUPPORTED
 */
export async function prepareJointCounter(parts: Parts, options: JointPrepareOptions): Promise<JointCounter> {
  const { host, jobs } = parts;
  checkNames(options, ["columns", "algorithm", "timings", ...host.parameters]);
  const { columns, ...choice } = options;
  checkCounting({ algorithm: choice.algorithm }, host);
  checkSwitch(choice.timings, "timings");
  if (!Array.isArray(columns)) throw expected("ERR_INPUT", "columns", "an array of columns", columns);
  checkColumns(columns.length, 2, undefined);
  const own = columns.map((column, k) => columnOf(column, `columns[${k}]`));
  const any = jobs.of({ columns: own, samples: MAX_SAMPLES, mask: "none", listed: false }, choice);
  await any.prepared();
  return new JointCounter(parts, own, choice);
}
