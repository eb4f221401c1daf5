import type { Axis } from "../../axis/index.ts";
import {
  type CallControl,
  checkNames,
  expected,
  needsObject,
  ownOptions,
  PolybinError,
} from "../../base/index.ts";
import {
  arrayOver,
  type ByteStream,
  type Countable,
  isByteStream,
  SAMPLE_TYPES,
  type SampleType,
} from "../../input/index.ts";
import type { CountedJointHistogram as JointHistogram } from "../../result/index.ts";
import type { ColumnShape } from "../jobs/cells-jobs.ts";
import { sourceIn } from "../opened/open-backend.ts";
import { checkProgress, type Progress } from "../options/options.ts";
import type { GivenWeights, JointColumnInput, Mask, Selection } from "../options/selection-options.ts";
import type { WeightingOptions } from "../options/weighting-options.ts";
import type { JointPrepareOptions } from "./columns-request.ts";
import { type Described, describedInput } from "./inputs/described.ts";
import { openNow } from "./inputs/inputs.ts";
import { wholePiece } from "./inputs/pieces.ts";
import type { Request } from "./inputs/request.ts";
import { openGroupsNow, openMaskNow, whereOf } from "./inputs/selection.ts";
import { isWeightList, weightColumns } from "./inputs/weights.ts";
import { callOf, checkOpen } from "./open-call.ts";
import { resultOf } from "./results.ts";
import { type CallCounts, type Running, run, tallyOf } from "./run.ts";
import type { Call, Column } from "./tallies/call.ts";
import { CellsTally } from "./tallies/cells-tally.ts";
import { FoundTally } from "./tallies/found-tally.ts";
import { Total } from "./total.ts";

/** The samples of one call of a counter of columns. */
export type JointCounterInput =
  | readonly JointColumnInput[]
  | (Pick<Selection, "mask" | "where"> & {
      readonly columns: readonly JointColumnInput[];
      /** The group of each sample, if the counter has groups. */
      readonly by?: JointColumnInput | null | undefined;
      /** One weight per sample, if the counter has weights, or a list of columns of weights if it has a list. */
      readonly weights?: GivenWeights | readonly GivenWeights[] | null | undefined;
    });

interface Given {
  readonly columns: readonly JointColumnInput[];
  readonly mask?: Mask | null | undefined;
  readonly where?: Uint32Array | null | undefined;
  readonly by?: JointColumnInput | null | undefined;
  readonly weights?: GivenWeights | readonly GivenWeights[] | null | undefined;
}

interface AbortOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The checked options of `prepare`. */
export interface Prepared {
  readonly columns: readonly ColumnShape[];
  readonly options: JointPrepareOptions;
  readonly weighting: WeightingOptions;
}

/**
 * Counts columns over the same axes again and again, with a mask, groups or weights. `engine.prepare({ columns })` creates
 * it.
 * @typeParam R the result of a call
 */
export class JointCounter<R = JointHistogram> implements AsyncDisposable {
  readonly #running: Running;
  readonly #prepared: Prepared;
  #total = new Total();
  #freed = false;

  /** @internal Use engine.prepare. */
  constructor(running: Running, prepared: Prepared) {
    this.#running = running;
    this.#prepared = prepared;
  }

  /** Counts columns, as `engine.joint` or `engine.histogram` does. */
  count(input: JointCounterInput, options: CallControl<Progress> = {}): Promise<R> {
    const own = ownOptions(options);
    return this.#running.lifecycle.run(own, async (talk) => {
      checkNames(own, ["signal", "onProgress"]);
      checkProgress(own.onProgress);
      return this.#result(await this.#run(input, talk, false));
    });
  }

  /**
   * Counts columns synchronously. It blocks the thread until it returns.
   * @throws ERR_UNSUPPORTED for weights and streams, and if neither the device nor this thread can count these samples
   * synchronously.
   */
  countSync(input: JointCounterInput): R {
    const { lifecycle } = this.#running;
    try {
      lifecycle.check(undefined);
      return this.#result(this.#now(input));
    } catch (error) {
      throw lifecycle.signed(error);
    }
  }

  /**
   * Counts each input separately. If one input fails, the whole call rejects.
   * @returns one result per input, in the order of the inputs.
   */
  countAll(inputs: readonly JointCounterInput[], options: AbortOptions = {}): Promise<R[]> {
    return this.#call(options, async ({ signal }) => {
      if (!Array.isArray(inputs)) throw expected("ERR_INPUT", "inputs", "an array of inputs", inputs);
      const all: R[] = [];
      for (const input of inputs) all.push(this.#result(await this.#run(input, { signal }, false)));
      return all;
    });
  }

  /**
   * Adds the counts or sums of an input to those of earlier calls. A call that rejects adds nothing. Sums are exact over
   * all calls.
   */
  accumulate(input: JointCounterInput, options: AbortOptions = {}): Promise<void> {
    const total = this.#total;
    const adding = this.#call(options, async ({ signal }) => {
      const counted = await this.#run(input, { signal }, true);
      total.add(counted, counted.call.where?.length ?? counted.call.total ?? 0);
    });
    const settled = adding.catch(() => {});
    total.adding.add(settled);
    settled.then(() => total.adding.delete(settled));
    return adding;
  }

  /**
   * Returns everything that was accumulated and starts again from zero. It waits for the calls made before it. If it
   * rejects, what was accumulated is kept.
   */
  take(options: AbortOptions = {}): Promise<R> {
    return this.#call(options, async ({ signal }) => {
      const total = this.#total;
      this.#total = new Total();
      await Promise.all(total.adding);
      try {
        signal?.throwIfAborted();
        return this.#result(total.counted() ?? (await this.#run(this.#nothing(), { signal }, true)));
      } catch (error) {
        this.#total.merge(total);
        throw error;
      }
    });
  }

  /** Waits for running calls and drops what was accumulated. You can call it more than once. */
  async free(): Promise<void> {
    this.#freed = true;
    await Promise.all(this.#total.adding);
    this.#total = new Total();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.free();
  }

  #call<T>(options: AbortOptions, work: (talk: AbortOptions) => Promise<T>): Promise<T> {
    const own = ownOptions(options);
    return this.#running.lifecycle.run({ signal: own.signal }, async (talk) => {
      checkNames(own, ["signal"]);
      return work(talk);
    });
  }

  #result(counted: CallCounts): R {
    return resultOf(counted) as R;
  }

  async #run(input: JointCounterInput, talk: CallControl<Progress>, isPart: boolean): Promise<CallCounts> {
    const request = this.#requestOf(this.#given(input), isPart);
    const [counted] = await run(this.#running, request, talk);
    return counted!;
  }

  #requestOf({ columns, mask, where, by, weights }: Given, isPart: boolean): Request {
    const { options, weighting, columns: own } = this.#prepared;
    return {
      columns: {
        kind: "inputs",
        inputs: columns.map((one, k) => this.#column(one, k)),
        axes: own.map(({ axis }): Axis => axis),
      },
      least: 1,
      select: { mask, where },
      rows: options.by ? { kind: "groups", by: { codes: by!, groups: options.by.groups } } : { kind: "one" },
      sums: options.weights ? { ...weightColumns(weights!), options: weighting, isPart } : null,
      choice: options.weights ? {} : options,
      timings: options.timings === true,
    };
  }

  /** Checks the parts of an input. @throws ERR_INPUT */
  #given(input: JointCounterInput): Given {
    if (this.#freed) throw new PolybinError("ERR_INPUT", "expected a counter but it was freed");
    const given = ownOptions(input);
    const isList = Array.isArray(given);
    if (!isList) checkNames(given, ["columns", "mask", "where", "by", "weights"], { of: "an input" });
    const own = (isList ? { columns: given } : given) as Given;
    const { columns: shapes, options } = this.#prepared;
    if (!Array.isArray(own.columns) || own.columns.length !== shapes.length) {
      const received = Array.isArray(own.columns) ? own.columns.length : own.columns;
      throw expected("ERR_INPUT", "columns", `an array of ${shapes.length}`, received);
    }
    for (const name of ["by", "weights"] as const) {
      const isAsked = options[name] !== undefined;
      if ((own[name] !== undefined && own[name] !== null) === isAsked) continue;
      const what = isAsked
        ? `${name} for a counter with ${name}`
        : `no ${name} for a counter without ${name}`;
      throw new PolybinError("ERR_INPUT", `expected ${what}`);
    }
    if (options.weights) checkGivenWeights(options.weights, own.weights);
    return own;
  }

  /** Describes a column as it was prepared. @throws ERR_INPUT for samples of another type or number of channels */
  #column(given: JointColumnInput, k: number): Described {
    const { type, interleaved, channel } = this.#prepared.columns[k]!;
    const own = describedInput(given, `column ${k}`);
    if (isByteStream(own.input)) return { type, interleaved, channel, ...own };
    const source = sourceIn(this.#running.opened, own.input as Exclude<Countable, ByteStream>, type);
    if (source.type !== type) throw expected("ERR_INPUT", `the type of column ${k}`, type, source.type);
    if (source.channels !== interleaved) {
      throw expected("ERR_INPUT", `the channels of column ${k}`, String(interleaved), source.channels);
    }
    return { channel, type, ...own };
  }

  /** Counts in place without waiting. */
  #now(input: JointCounterInput): CallCounts {
    const { opened } = this.#running;
    const { columns: shapes, options } = this.#prepared;
    if (options.weights !== undefined) {
      throw new PolybinError(
        "ERR_UNSUPPORTED",
        "weights are not added up synchronously: await count instead",
      );
    }
    const since = performance.now();
    const given = this.#given(input);
    const request = this.#requestOf(given, false);
    const open = {
      given: given.columns.map((one, k) => {
        const input = openNow(opened, this.#column(one, k), `column ${k}`);
        return { input, channel: shapes[k]!.channel };
      }),
      mask: openMaskNow(opened, given.mask),
      where: whereOf(given.where),
      groups: options.by ? openGroupsNow(opened, { codes: given.by!, groups: options.by.groups }) : null,
      ...{ weights: null, isRead: false },
    };
    checkOpen(request, open);
    const axes = shapes.map(({ axis }) => axis);
    const { call, results } = callOf(this.#running, request, open, axes);
    const columns = results[0]!;
    const piece = wholePiece(call.total!);
    const tally = this.#countedNow(call, columns, piece);
    const timings = options.timings ? { ...tally.timings, totalMs: performance.now() - since } : null;
    return { call, columns, tally, timings, piece };
  }

  /** Counts by the device's kernel if it counts synchronously, otherwise by cells that this thread finds. */
  #countedNow(call: Call, columns: readonly Column[], piece: ReturnType<typeof wholePiece>) {
    const timed = this.#prepared.options.timings === true;
    const rows = { rows: { kind: "one" } } as const;
    const tally = tallyOf(this.#running, { call, isRead: false }, columns, rows);
    if ((tally instanceof CellsTally || tally instanceof FoundTally) && tally.addNow(piece, timed))
      return tally;
    const found = new FoundTally(call, columns);
    if (found.addNow(piece, timed)) return found;
    const { algorithm } = found.provenance;
    const message = `${call.opened.backend} cannot count synchronously with ${algorithm}: await count instead`;
    throw new PolybinError("ERR_UNSUPPORTED", message, { algorithm: algorithm ?? undefined });
  }

  /** An input without samples. */
  #nothing(): JointCounterInput {
    const { columns, options } = this.#prepared;
    const none = (type: SampleType, channels: number) =>
      SAMPLE_TYPES.includes(type)
        ? { data: arrayOver(type, new Uint8Array(0)), channels }
        : { data: new Uint8Array(0), type, channels };
    return {
      columns: columns.map(({ type, interleaved }) => none(type, interleaved)),
      ...(options.by && { by: none(options.by.type, 1) }),
      ...(options.weights && {
        weights:
          typeof options.weights === "string"
            ? new Float32Array(0)
            : options.weights.map(() => new Float32Array(0)),
      }),
    };
  }
}

/** @throws ERR_INPUT unless weights are one column, or as many as a counter was prepared for */
function checkGivenWeights(
  types: NonNullable<JointPrepareOptions["weights"]>,
  given: Given["weights"],
): void {
  const isAsked = typeof types !== "string";
  const isList = isWeightList(given);
  if (isList === isAsked && (!isList || given.length === types.length)) return;
  const what = isAsked ? `a list of ${types.length} columns` : "one column";
  throw expected("ERR_INPUT", "weights", what, given);
}

needsObject(JointCounter, "counter");
