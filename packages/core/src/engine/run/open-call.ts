import type { Axis, AxisOptions } from "../../axis/index.ts";
import { expected, MAX_SAMPLES, PolybinError } from "../../base/index.ts";
import {
  type Countable,
  channelsOf,
  isByteStream,
  isFileInput,
  type Segments,
  segmentsOf,
} from "../../input/index.ts";
import { MAX_JOINT_COLUMNS } from "../../plan/index.ts";
import { groupAxis } from "../jobs/cells-jobs.ts";
import { checkSaid } from "../jobs/said.ts";
import { isRounded } from "../samples/rounded-resident.ts";
import { axisOf, axisOptionsOf } from "./inputs/axes.ts";
import { type Described, describedInput } from "./inputs/described.ts";
import { inputAtHome, type OpenInput, openInput } from "./inputs/inputs.ts";
import type { Columns, Request } from "./inputs/request.ts";
import {
  checkLength,
  checkMask,
  checkWhere,
  type OpenGroups,
  type OpenMask,
  openGroups,
  openMask,
  whereOf,
} from "./inputs/selection.ts";
import { checkWeightCount, type OpenWeights, openWeights } from "./inputs/weights.ts";
import type { Call, CallParts, Column } from "./tallies/call.ts";

/** A call whose inputs are open. */
export interface OpenCall {
  readonly call: Call;
  /** The columns of each result, the groups' column first. */
  readonly results: readonly (readonly Column[])[];
  /** All inputs, each once. */
  readonly inputs: readonly OpenInput[];
  /** Whether some input is read piece by piece. */
  readonly isRead: boolean;
}

/** Returns true if an input of a request is a stream or a file. */
export function readsPieces({ columns, select, rows, sums }: Request): boolean {
  const given = [
    ...(columns.kind === "inputs" ? columns.inputs : [columns.input]),
    select.mask,
    rows.kind === "groups" ? rows.by?.codes : null,
    ...(sums?.weights ?? []),
  ];
  return given.some((one) => {
    const isDescribed = typeof one === "object" && one !== null && !ArrayBuffer.isView(one) && "input" in one;
    const input: unknown = isDescribed ? (one as Described).input : one;
    return isByteStream(input) || isFileInput(input);
  });
}

/** Open inputs, by what the caller passed. */
type Known = Map<unknown, OpenInput>;

/** Opens the inputs of calls, each once, and releases them. */
export class Inputs {
  readonly #parts: Pick<CallParts, "opened">;
  readonly #signal: AbortSignal | undefined;
  readonly #columns: Known = new Map();
  readonly #weights: Known = new Map();
  /** Inputs that were opened otherwise. */
  readonly #others: OpenInput[] = [];

  constructor(parts: Pick<CallParts, "opened">, signal: AbortSignal | undefined) {
    this.#parts = parts;
    this.#signal = signal;
  }

  get all(): readonly OpenInput[] {
    return [...this.#columns.values(), ...this.#weights.values(), ...this.#others];
  }

  /** Opens the input of a column. Columns that are channels of one input share it. */
  open(given: Described, name: string): Promise<OpenInput> {
    return this.#openAmong(this.#columns, given, name);
  }

  /** Does the same for columns of weights. */
  openWeights(given: Described, name: string): Promise<OpenInput> {
    return this.#openAmong(this.#weights, given, name);
  }

  async #openAmong(all: Known, given: Described, name: string): Promise<OpenInput> {
    const known = all.get(given.input);
    if (known !== undefined) {
      const { type, interleaved } = given;
      checkSaid({ type, interleaved }, { ...known, pixels: 0 });
      return known;
    }
    const input = await openInput(this.#parts.opened, given, name, this.#signal);
    all.set(given.input, input);
    return input;
  }

  keep(input: OpenInput | null | undefined): void {
    if (input) this.#others.push(input);
  }

  /** Releases streams and files. Samples in memory or on the device are the caller's. */
  async end(): Promise<void> {
    const read = this.all.filter((input) => input.isRead);
    if (read.length > 0) await Promise.all(read.map((input) => input.end()));
  }
}

/**
 * Opens the inputs of a request and finds its axes.
 * @throws ERR_INPUT, ERR_AXIS, ERR_LIMIT, ERR_UNSUPPORTED; the signal's reason
 */
export async function openCall(
  parts: CallParts,
  request: Request,
  inputs: Inputs,
  signal: AbortSignal | undefined,
): Promise<OpenCall> {
  const { opened } = parts;
  const { columns, select, rows, sums } = request;
  const given = await columnsOf(columns, inputs);
  // A small call pays for each promise, so nothing is awaited that it does not have.
  const hasMask = select.mask !== undefined && select.mask !== null;
  const mask = hasMask ? await openMask(opened, select.mask, signal) : null;
  inputs.keep(mask?.input);
  const groups = rows.kind === "groups" ? await openGroups(opened, rows.by, signal) : null;
  inputs.keep(groups?.input);
  const weights =
    sums === null
      ? null
      : await openWeights(opened, sums, totalOf(given), {
          open: (one, name) => inputs.openWeights(one, name),
          signal,
        });
  const isRead = inputs.all.some((input) => input.isRead);
  const where = whereOf(select.where);
  const open = { given, mask, where, groups, weights, isRead };
  checkOpen(request, open);
  const axes = await axesOf(parts, columns, given, { hasWeights: sums !== null, signal });
  const isConverted = ({ input }: Given, k: number) =>
    parts.jobs.counted(axes[k]!, input.type).reduction !== null;
  const readable = !isRead && given.some(isConverted) ? await convertible(parts, given, axes, signal) : given;
  return { ...callOf(parts, request, { ...open, given: readable }, axes), inputs: inputs.all, isRead };
}

/** Copies columns from the device if this thread converts their samples. @throws ERR_UNSUPPORTED if they cannot be copied */
async function convertible(
  { opened, jobs }: CallParts,
  given: readonly Given[],
  axes: readonly Axis[],
  signal: AbortSignal | undefined,
): Promise<readonly Given[]> {
  const homes = new Map<OpenInput, Promise<OpenInput>>();
  return Promise.all(
    given.map(async (one, k) => {
      const { input, channel } = one;
      const { reduction } = jobs.counted(axes[k]!, input.type);
      if (reduction === null || isRounded(opened, input.whole!, reduction)) return one;
      const home = homes.get(input) ?? inputAtHome(opened, input, signal);
      homes.set(input, home);
      return { input: await home, channel };
    }),
  );
}

/** The open inputs of a call, by their role. */
export interface OpenInputs {
  readonly given: readonly Given[];
  readonly mask: OpenMask | null;
  readonly where: Uint32Array | null;
  readonly groups: OpenGroups | null;
  readonly weights: readonly OpenWeights[] | null;
  readonly isRead: boolean;
}

/** Returns the number of samples of columns; null: it is not known. */
function totalOf(given: readonly Given[]): number | null {
  return given.find(({ input }) => input.total !== null)?.input.total ?? null;
}

/** Checks the lengths of open inputs, as far as they are known. @throws ERR_INPUT, ERR_LIMIT */
export function checkOpen({ columns, least }: Request, open: OpenInputs): void {
  const { given, mask, where, groups, weights } = open;
  sameLength(given);
  const total = totalOf(given);
  if (total !== null) {
    if (mask !== null) checkMask(mask, total);
    if (where !== null) checkWhere(where, total);
    if (groups !== null) checkLength(groups.input, "by.codes", "one code per sample", total);
    for (const one of weights ?? []) checkWeightCount(one, total);
  }
  checkColumns(columns.kind === "each" ? 1 : given.length, least, groups !== null);
}

/** Returns the call of open inputs over known axes. @throws ERR_INPUT, ERR_UNSUPPORTED */
export function callOf(
  parts: CallParts,
  request: Request,
  { given, mask, where, groups, weights, isRead }: OpenInputs,
  axes: readonly Axis[],
): Pick<OpenCall, "call" | "results"> {
  const { opened, jobs, cellsJobs } = parts;
  const total = totalOf(given);
  const columnOf = (input: OpenInput, channel: number, axis: Axis): Column => {
    const { type, channels: interleaved } = input;
    return { input, channel, type, interleaved, axis, counted: jobs.counted(axis, type) };
  };
  const first = groups && columnOf(groups.input, 0, groupAxis(groups.groups));
  const own = given.map(({ input, channel }, k) => columnOf(input, channel, axes[k]!));
  for (const { input, counted } of own) {
    const { reduction } = counted;
    if (reduction !== null && input.whole !== null) isRounded(opened, input.whole, reduction);
  }
  const of = (some: readonly Column[]) => (first === null ? some : [first, ...some]);
  const call: Call = {
    ...{ opened, jobs, cellsJobs, mask, weights, total },
    where: isRead ? (where?.toSorted() ?? null) : where,
    segments: segmentsIn(request, given, total),
    isWeightList: request.sums?.isList ?? false,
    weighting: request.sums?.options ?? {},
    choice: request.choice,
    planned: isRead ? MAX_SAMPLES : total!,
    groups: groups?.groups ?? null,
  };
  return { call, results: request.columns.kind === "each" ? own.map((one) => of([one])) : [of(own)] };
}

/** An input, and the channel that is a column. */
export interface Given {
  readonly input: OpenInput;
  readonly channel: number;
}

async function columnsOf(columns: Columns, inputs: Inputs): Promise<readonly Given[]> {
  if (columns.kind !== "inputs") {
    const given = describedInput(columns.input, "the samples");
    const input = await inputs.open(given, "the samples");
    const which = given.channel === undefined ? columns.which : { channel: given.channel };
    return channelsOf(input, which).map((channel) => ({ input, channel }));
  }
  const all: Given[] = [];
  for (const [k, one] of columns.inputs.entries()) {
    const given = describedInput(one, `column ${k}`);
    const input = await inputs.open(given, `column ${k}`);
    const { channel } = given;
    const [only] = channelsOf(input, channel === undefined ? "only" : { channel });
    all.push({ input, channel: only! });
  }
  return all;
}

/** @throws ERR_INPUT for columns that are known to have different lengths */
function sameLength(columns: readonly Given[]): void {
  const first = columns.findIndex(({ input }) => input.total !== null);
  const total = columns[first]?.input.total;
  for (const [k, { input }] of columns.entries()) {
    if (input.total === null || input.total === total) continue;
    throw expected(
      "ERR_INPUT",
      `the number of samples of column ${k}`,
      `${total}, as column ${first} has,`,
      input.total,
    );
  }
}

/** Checks the number of columns, the groups' column included. @throws ERR_INPUT, ERR_LIMIT */
export function checkColumns(columns: number, least: number, hasGroups: boolean): void {
  if (columns < least) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected at least ${least} columns but received ${columns}: engine.histogram counts one column`,
    );
  }
  const all = columns + (hasGroups ? 1 : 0);
  if (all <= MAX_JOINT_COLUMNS) return;
  const what = `at most ${MAX_JOINT_COLUMNS}${hasGroups ? ", the groups' column included," : ""}`;
  throw expected("ERR_LIMIT", "columns", what, all);
}

async function axesOf(
  { opened }: CallParts,
  columns: Columns,
  given: readonly Given[],
  how: { readonly hasWeights: boolean; readonly signal: AbortSignal | undefined },
): Promise<readonly Axis[]> {
  const { axes } = columns;
  const isListed = axes !== undefined || columns.kind !== "each";
  if (axes !== undefined && (!Array.isArray(axes) || axes.length !== given.length)) {
    const received = Array.isArray(axes) ? axes.length : axes;
    const what = `an array of ${given.length}, one per ${columns.kind === "each" ? "channel" : "column"},`;
    throw expected("ERR_INPUT", "axes", what, received);
  }
  if (!isListed) {
    const channels = given.map(({ channel }) => channel);
    const axis = await axisOf(
      opened,
      given[0]!.input,
      channels,
      (columns as { axis: AxisOptions }).axis,
      how,
    );
    return given.map(() => axis);
  }
  const all: Axis[] = [];
  for (const [k, { input, channel }] of given.entries()) {
    all.push(await axisOf(opened, input, [channel], axisOptionsOf(axes?.[k]), how));
  }
  return all;
}

/** @throws ERR_INPUT for segments that do not fit the samples; ERR_UNSUPPORTED if their number is not known */
function segmentsIn(
  { rows, columns }: Request,
  given: readonly Given[],
  total: number | null,
): Segments | null {
  if (rows.kind !== "segments") return null;
  if (total === null) {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      "expected samples whose number is known for segments but received a stream without bytes: pass its length as bytes",
    );
  }
  const first = columns.kind === "inputs" ? columns.inputs[0]! : columns.input;
  const { input } = describedInput(first as Countable, "the samples");
  const { whole } = given[0]!.input;
  const image =
    whole?.input.kind === "samples" || whole?.input.kind === "resident" ? rows.imageOf(input) : null;
  return segmentsOf(rows.how, { pixels: total, image });
}
