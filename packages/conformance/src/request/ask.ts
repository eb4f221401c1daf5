import { type Engine, isPolybinError } from "@polybin/core";
import type { AnyResult } from "../oracle/results.ts";
import { Skip } from "../skip.ts";
import { bitsOfMask, groupsData, listOf, maskData, weightsData } from "./expected.ts";
import type { GivenInput, Inputs } from "./inputs.ts";
import { asked, listed } from "./over.ts";
import { type Column, type How, isEach, type Request, type Weighing } from "./request.ts";
import { countedPixels, type Data, isRead, isStream, numbersOf, samplesOf } from "./samples.ts";

/** Counts into memory of the device, and reads it: the bins, underflow, overflow and NaN of each channel. */
export type Encode = (
  engine: Engine,
  input: object,
  options: object,
) => Promise<readonly ArrayLike<number>[]>;

/** Everything that a request is asked with. */
export interface Asking {
  readonly engine: Engine;
  readonly inputs: Inputs;
  readonly signal?: AbortSignal | undefined;
  /** Called when the engine was called and has not answered yet. */
  readonly onCalled?: (() => void) | undefined;
  /** Absent: the backend does not encode. */
  readonly encode?: Encode | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: calls of many overloads
type Any = any;

/** Asks an engine. Resolves to one result, or to one per column, or for `countAll` to those of two equal inputs. */
export async function ask(request: Request, asking: Asking): Promise<readonly AnyResult[]> {
  const { way } = request;
  if (way === "call") {
    const call = await callOf(request, asking);
    const answer = call();
    asking.onCalled?.();
    return [await answer].flat(2);
  }
  if (way === "encode") return encoded(request, asking);
  await using counter: Any = await (asking.engine as Any).prepare(counterOptions(request));
  const make = () => counterInput(request, asking);
  const how = asking.signal && { signal: asking.signal };
  if (way === "countAll") return (await counter.countAll([await make(), await make()], how)).flat();
  if (way === "countSync") return [counter.countSync(await make())].flat();
  if (way === "count") return [await counter.count(await make(), how)].flat();
  await counter.accumulate(await make(), how);
  await counter.accumulate(await make(), how);
  return [await counter.take()].flat();
}

/** Makes the inputs of a request, and returns its call. */
async function callOf(request: Request, asking: Asking): Promise<() => Promise<AnyResult>> {
  const { columns, as, rows, weights, how } = request;
  const engine: Any = asking.engine;
  const { columns: inputs, ...parts } = await given(request, asking);
  const { signal } = asking;
  const options = { ...parts, ...adding(weights), ...howOf(how), ...(signal && { signal }) };
  const [first] = columns as [Column];
  const axes = columns.map((column) => listed(column.over));
  const { input, channel, ...shape } = inputs[0]!;
  if (as !== "list") {
    const which = {
      ...(as === "each" ? asked(first.over) : { axes }),
      channels: channelsIn(request),
      ...options,
    };
    return as === "channels"
      ? () => engine.joint(input, which)
      : () => engine.histograms(input, { ...shape, ...which });
  }
  const cut = rows !== null && "cut" in rows ? rows : null;
  const isOne = columns.length === 1;
  const of = isOne ? input : inputs.map(passed);
  const over = {
    ...(isOne ? { ...shape, ...(channel === undefined ? {} : { channel }), ...asked(first.over) } : { axes }),
    ...options,
    ...(cut?.leave ? { leave: true } : {}),
  };
  if (cut === null) return isOne ? () => engine.histogram(of, over) : () => engine.joint(of, over);
  const rowsOf = () => engine.segments(of, cut.cut, over);
  return cut.leave ? () => rowsOf().then(readAll) : rowsOf;
}

async function readAll(rows: { read(): Promise<AnyResult>; free(): Promise<void> }): Promise<AnyResult> {
  try {
    return await rows.read();
  } finally {
    await rows.free();
  }
}

async function encoded(request: Request, asking: Asking): Promise<readonly AnyResult[]> {
  const { engine, inputs, encode = encodeNowhere } = asking;
  const [{ data, over }] = request.columns as [Column];
  const { input } = await inputs.of(data);
  const rows = await encode(engine, input, {
    ...asked(over),
    ...howOf(request.how),
    channels: channelsIn(request),
  });
  return rows.map((row) => {
    const counts = Float64Array.from(row).subarray(0, row.length - 3);
    const [underflow, overflow, nan] = Array.from(row).slice(-3);
    return { axis: null, counts, underflow, overflow, nan };
  });
}

/** Asks a backend without an encoder, which one that encodes refuses. @throws Skip for a backend that encodes */
const encodeNowhere: Encode = async (engine, input, options) => {
  const asked = engine.encode({}, input as never, { ...options, into: {} } as never);
  const error: unknown = await asked.catch((thrown: unknown) => thrown);
  if (isPolybinError(error) && error.code === "ERR_INPUT") throw new Skip("this run has no option encode");
  throw error;
};

const channelsIn = ({ columns }: Request): readonly number[] => columns.map(({ channel }) => channel);

/** Whether the counter of a request counts channels as `histogram` and `histograms` do. Another one has a list of columns. */
function isPlainCounter({ columns, as, select, rows, weights }: Request): boolean {
  const isAlone = select.mask === null && select.where === null && rows === null && weights === null;
  return (columns.length === 1 || as === "each") && isAlone && !isRead(columns[0]!.data.form);
}

/** Returns what the counter of a request is prepared with. */
export function counterOptions(request: Request): object {
  const { columns, as, rows, weights, how } = request;
  const by = rows !== null && "by" in rows ? rows.by : null;
  const shapes = columns.map(({ data, channel, over }) => ({
    ...{ type: data.type, ...asked(over) },
    ...(data.channels > 1 ? { interleaved: data.channels, channel } : {}),
  }));
  if (isPlainCounter(request)) {
    const { channel: _, ...each } = shapes[0]!;
    return { ...(as === "each" ? { ...each, channels: channelsIn(request) } : shapes[0]!), ...howOf(how) };
  }
  return {
    columns: shapes,
    ...(by && { by: { type: by.type, groups: by.groups } }),
    ...(weights && { weights: weightTypes(weights) }),
    ...adding(weights),
    ...howOf(how),
  };
}

/** Returns what a counter of the request counts. */
export async function counterInput(request: Request, asking: Pick<Asking, "inputs">): Promise<Any> {
  const { columns: inputs, by, ...others } = await given(request, asking);
  if (isPlainCounter(request)) return inputs[0]!.input;
  const columns = inputs.map(passed);
  const parts = { ...others, ...(by && { by: by.codes }) };
  return Object.keys(parts).length === 0 ? columns : { columns, ...parts };
}

interface GivenColumn extends GivenInput {
  readonly channel?: number;
}

interface GivenRequest {
  readonly columns: readonly GivenColumn[];
  readonly mask?: unknown;
  readonly where?: Uint32Array;
  readonly by?: { readonly codes: unknown; readonly groups: number };
  readonly weights?: unknown;
}

/** Makes the inputs of a request. Columns of the same data have the same input. */
async function given(request: Request, { inputs }: Pick<Asking, "inputs">): Promise<GivenRequest> {
  const { columns, select, rows, weights } = request;
  const { mask, where } = select;
  const made = new Map<Data, GivenInput>();
  for (const { data } of columns) if (!made.has(data)) made.set(data, await inputs.of(data));
  const n = countedPixels(columns[0]!.data);
  const by = rows !== null && "by" in rows ? rows.by : null;
  const isCut = rows !== null && "cut" in rows;
  return {
    columns: columns.map(({ data, channel }) => ({
      ...made.get(data)!,
      ...(data.channels > 1 && !isEach(request) ? { channel } : {}),
      // Segments need to know the length of a stream.
      ...(isCut && isStream(data.form) ? { bytes: samplesOf(data).byteLength } : {}),
    })),
    ...(mask && { mask: await masking(mask.form === "bits", maskData(mask, n), inputs) }),
    ...(where && { where: listOf(n, where) }),
    ...(by && { by: { codes: passed(await inputs.of(groupsData(by, n))), groups: by.groups } }),
    ...(weights && { weights: await weighing(weights, weightsData(weights, n), inputs) }),
  };
}

async function masking(isBits: boolean, data: Data, inputs: Inputs): Promise<unknown> {
  return isBits ? { bits: bitsOfMask(numbersOf(data, 0)) } : (await inputs.of(data)).input;
}

/** The types of the weights of a counter. */
function weightTypes(weights: Weighing): unknown {
  const types = weightsData(weights, 0).map(({ type }) => (type === "f32" ? "f32" : "f64"));
  return weights.more === undefined ? types[0] : types;
}

/** A column of weights is an array of floats or numbers, or an input with its description. */
async function weighing({ more }: Weighing, all: readonly Data[], inputs: Inputs): Promise<unknown> {
  const columns: unknown[] = [];
  for (const data of all) {
    const one = await inputs.of(data);
    const isPlain = data.channels === 1;
    columns.push(data.type === "u8" ? one : passed(isPlain ? one : { ...one, channel: data.channels - 1 }));
  }
  return more === undefined ? columns[0] : columns;
}

/** How weights are added up. */
function adding(weights: Weighing | null): object {
  return {
    ...(weights?.squares && { squares: true }),
    ...(weights?.precision === "fast" && { precision: "fast" }),
  };
}

/** An input alone if nothing else is to be said, or with a description. */
function passed({ input, ...described }: GivenColumn): unknown {
  return Object.keys(described).length === 0 ? input : { input, ...described };
}

export function howOf(how: How | null): object {
  return how === null ? {} : { algorithm: how.algorithm, ...how.parameters };
}
