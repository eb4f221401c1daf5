import type { Engine } from "@polybin/core";
import type { AnyResult } from "../oracle/results.ts";
import { bitsOfMask, groupsData, listOf, maskData, weightsData } from "./expected.ts";
import type { GivenInput, Inputs } from "./inputs.ts";
import { asked, listed } from "./over.ts";
import type { Column, How, Request, Weighing } from "./request.ts";
import { countedPixels, type Data, isRead, isStream, numbersOf, samplesOf } from "./samples.ts";

/** Counts into memory of the device, and reads it: the bins, underflow, overflow and NaN of a channel. */
export type Encode = (engine: Engine, input: object, options: object) => Promise<ArrayLike<number>>;

/** What a request is asked with. */
export interface Asking {
  readonly engine: Engine;
  readonly inputs: Inputs;
  readonly signal?: AbortSignal;
  /** Absent: the backend does not encode. */
  readonly encode?: Encode | undefined;
}

/** Asks an engine. Resolves to one result, to one per column, or for `countAll` to two. */
export async function ask(request: Request, asking: Asking): Promise<readonly AnyResult[]> {
  const { way } = request;
  switch (way) {
    case "count":
    case "countSync":
    case "countAll":
    case "accumulate":
      return prepared(request, asking);
    case "encode": {
      const { engine, encode = encodeNowhere } = asking;
      const { input } = await asking.inputs.of(request.columns[0]!.data);
      const { channel, over } = request.columns[0]!;
      const words: AnyResult = await encode(engine, input, { ...asked(over), channels: [channel], ...howOf(request.how) });
      const bins = words.length - 3;
      const [underflow, overflow, nan] = Array.from(words as ArrayLike<number>).slice(bins);
      return [{ counts: Float64Array.from(words).subarray(0, bins), underflow, overflow, nan }];
    }
    default:
      return [await called(request, asking)].flat();
  }
}

/** Asks a backend that does not encode. */
const encodeNowhere: Encode = (engine, input, options) =>
  engine.encode({}, input as never, { ...options, into: {} }) as Promise<never>;

// biome-ignore lint/suspicious/noExplicitAny: one call of many overloads
type Any = any;

async function called(request: Request, asking: Asking): Promise<AnyResult> {
  const { columns, rows, way } = request;
  const engine: Any = asking.engine;
  const all = await given(request, asking);
  const { columns: inputs, ...parts } = all;
  const options = {
    ...parts,
    ...(request.weights === null ? {} : adding(request.weights)),
    ...howOf(request.how),
    ...(asking.signal && { signal: asking.signal }),
  };
  const [first] = columns as [Column];
  if (way === "each" || way === "each own" || way === "channels") {
    const { input, ...described } = inputs[0]!;
    const axes = way === "each" ? asked(first.over) : { axes: columns.map(({ over }) => listed(over)) };
    const which = { ...axes, channels: columns.map(({ channel }) => channel), ...options };
    if (way === "channels") return engine.joint(input, which);
    const { channel: _, ...shape } = described;
    return engine.histograms(input, { ...shape, ...which });
  }
  const cut = rows !== null && "cut" in rows ? rows : null;
  const leave = cut?.leave ? { leave: true } : {};
  if (columns.length > 1) {
    const over = { axes: columns.map((column) => listed(column.over)), ...options };
    const all = inputs.map(passed);
    return cut === null ? engine.joint(all, over) : engine.segments(all, cut.cut, { ...over, ...leave });
  }
  const { input, ...described } = inputs[0]!;
  const over = { ...described, ...asked(first.over), ...options };
  if (cut === null) return engine.histogram(input, over);
  const found = await engine.segments(input, cut.cut, { ...over, ...leave });
  return cut.leave ? readAll(found) : found;
}

async function readAll(rows: { read(): Promise<AnyResult>; free(): Promise<void> }): Promise<AnyResult> {
  try {
    return await rows.read();
  } finally {
    await rows.free();
  }
}

/** Asks a counter, which is prepared for this request alone. */
async function prepared(request: Request, asking: Asking): Promise<readonly AnyResult[]> {
  const { columns, rows, weights, way } = request;
  const by = rows !== null && "by" in rows ? rows.by : null;
  const isPlain = isPlainCounter(request);
  const shapes = columns.map(({ data, channel, over }) => ({
    ...{ type: data.type, ...asked(over) },
    ...(data.channels > 1 ? { interleaved: data.channels, channel } : {}),
  }));
  const options = isPlain
    ? { ...shapes[0]!, ...howOf(request.how) }
    : {
        columns: shapes,
        ...(by && { by: { type: by.type, groups: by.groups } }),
        ...(weights && { weights: weights.type === "f32" ? "f32" : "f64", ...adding(weights) }),
        ...howOf(request.how),
      };
  await using counter: Any = await (asking.engine as Any).prepare(options);
  const make = async (): Promise<Any> => {
    const { columns: inputs, by: groups, ...others } = await given(request, asking);
    if (isPlain) return inputs[0]!.input;
    const all = inputs.map(passed);
    const parts = { ...others, ...(groups && { by: groups.codes }) };
    return Object.keys(parts).length === 0 ? all : { columns: all, ...parts };
  };
  const { signal } = asking;
  const how = signal && { signal };
  if (way === "count") return [await counter.count(await make(), how)];
  if (way === "countSync") return [counter.countSync(await make())];
  if (way === "countAll") return await counter.countAll([await make(), await make()], how);
  await counter.accumulate(await make(), how);
  await counter.accumulate(await make(), how);
  return [await counter.take()];
}

/** Whether the counter of a request counts one column as `histogram` does, without other columns. */
function isPlainCounter({ columns, select, rows, weights }: Request): boolean {
  const isAlone = select.mask === null && select.where === null && rows === null && weights === null;
  return columns.length === 1 && isAlone && !isRead(columns[0]!.data.form);
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
async function given({ columns, select, rows, weights }: Request, { inputs }: Asking): Promise<GivenRequest> {
  const made = new Map<Data, GivenInput>();
  for (const { data } of columns) if (!made.has(data)) made.set(data, await inputs.of(data));
  const n = countedPixels(columns[0]!.data);
  const { mask, where } = select;
  const by = rows !== null && "by" in rows ? rows.by : null;
  const isCut = rows !== null && "cut" in rows;
  return {
    columns: columns.map(({ data, channel }) => ({
      ...made.get(data)!,
      ...(data.channels > 1 ? { channel } : {}),
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

/** Weights are an array of floats or numbers, or an input with its description. */
async function weighing({ channels }: Weighing, data: Data, inputs: Inputs): Promise<unknown> {
  const one = await inputs.of(data);
  if (data.type === "u8") return { ...one };
  return passed(channels === 1 ? one : { ...one, channel: channels - 1 });
}

/** How weights are added up. */
function adding({ squares, precision }: Weighing): object {
  return { ...(squares && { squares }), ...(precision === "fast" && { precision }) };
}

/** An input alone if nothing else is to be said, or with a description. */
function passed({ input, ...described }: GivenColumn): unknown {
  return Object.keys(described).length === 0 ? input : { input, ...described };
}

export function howOf(how: How | null): object {
  return how === null ? {} : { algorithm: how.algorithm, ...how.parameters };
}

