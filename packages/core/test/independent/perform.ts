import type { SegmentedResident } from "../../src/index.ts";
import type { AxisChoice, Case, Column, Samples } from "./cases.ts";
import { type AxisSpec, SIZES, type Type } from "./reference.ts";

/** The package under test. */
export type Polybin = typeof import("../../src/index.ts");
type Engine = Awaited<ReturnType<Polybin["openEngine"]>>;
type Axis = ReturnType<Polybin["integer"]> | ReturnType<Polybin["variable"]> | ReturnType<Polybin["regular"]>;

/** One histogram that polybin returned. Cells have the indices of the reference. */
export interface Got {
  readonly edges: readonly ArrayLike<number>[];
  readonly counts: Map<number, number>;
  readonly sums: Map<number, number> | null;
  readonly squares: Map<number, number> | null;
  readonly masked: number;
}

const ARRAYS = {
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
};

/** Samples as a typed array over a copy of their bytes. There may be no array of f16. */
function arrayOf({ type, bytes }: Pick<Samples, "type" | "bytes">): ArrayBufferView {
  return new ARRAYS[type as Exclude<Type, "f16">](bytes.slice().buffer);
}

function inputOf(samples: Samples) {
  const { type, bytes, layout, form } = samples;
  const { channels, ...rest } = layout;
  const isPlain = channels === 1 && layout.width === undefined;
  const shape = isPlain ? {} : { channels, ...rest };
  if (form === "numbers") return Array.from(new Float64Array(bytes.slice().buffer));
  // Rows of some pitches are no whole number of samples.
  if (form === "array" && bytes.length % SIZES[type] === 0)
    return isPlain ? arrayOf(samples) : { data: arrayOf(samples), ...shape };
  const moved = new Uint8Array(bytes.length + 3);
  moved.set(bytes, 3);
  return { data: moved.subarray(3), type, ...shape };
}

/** Creates an axis with the function that a user calls. */
function axisOf(polybin: Polybin, axis: AxisSpec): Axis {
  switch (axis.kind) {
    case "integer":
      return polybin.integer(axis.start, axis.stop);
    case "regular":
      return polybin.regular(axis.bins, axis.lo, axis.hi, endOf(axis));
    case "variable":
      return polybin.variable(axis.edges, endOf(axis));
    case "log":
      return polybin.log(axis.bins, axis.lo, axis.hi, endOf(axis));
    case "power":
      return polybin.power(axis.bins, axis.lo, axis.hi, axis.exponent, endOf(axis));
    case "quantiles":
      return polybin.quantiles(axis.bins, axis.values, axis.zeros);
    case "category":
      return polybin.category(axis.values) as never;
    case "boolean":
      return polybin.boolean() as never;
    default:
      return (
        axis.lo === 0 && !Object.is(axis.lo, -0)
          ? polybin.circular(axis.bins, axis.hi)
          : polybin.circular(axis.bins, axis.lo, axis.hi)
      ) as never;
  }
}

const endOf = ({ closed }: { readonly closed?: boolean }) => (closed === undefined ? {} : { closed });

function choiceOf(polybin: Polybin, choice: AxisChoice): { axis?: Axis } {
  return choice.axis === undefined ? (choice as object) : { axis: axisOf(polybin, choice.axis) };
}

/** Makes the call of a case. @throws what polybin throws */
export async function perform(polybin: Polybin, engine: Engine, of: Case): Promise<Got[]> {
  const freeing: { free(): Promise<void> }[] = [];
  const inputs = new Map<Samples, never>();
  try {
    for (const { samples } of of.columns) {
      if (inputs.has(samples)) continue;
      const input = inputOf(samples) as never;
      if (of.via !== "resident") inputs.set(samples, input);
      else {
        const resident = await engine.upload(input);
        freeing.push(resident);
        inputs.set(samples, resident as never);
      }
    }
    return await CALLS[of.call](polybin, engine, of, inputs);
  } finally {
    for (const one of freeing) await one.free();
  }
}

type Call = (polybin: Polybin, engine: Engine, of: Case, inputs: Map<Samples, never>) => Promise<Got[]>;

const histogram: Call = async (polybin, engine, of, inputs) => {
  const [{ samples, channel, axis }] = of.columns as [Column];
  const input = inputs.get(samples)!;
  const which = samples.layout.channels === 1 ? {} : { channel };
  const over = choiceOf(polybin, axis);
  if (of.via === "call" || of.via === "resident") {
    const options = { ...which, ...over, ...selectionOf(of), ...weightsOf(of) };
    return [gotOf(regrouped(of, await engine.histogram(input, options as never)))];
  }
  const shape = { type: samples.type, interleaved: samples.layout.channels, ...which, ...over };
  if (of.via === "stream")
    return [gotOf(regrouped(of, await engine.histogram(pieces(samples), shape as never)))];
  return [gotOf(regrouped(of, await counted(engine, of.via, shape, input)))];
};

function regrouped({ regroup }: Case, result: unknown): unknown {
  if (regroup === undefined) return result;
  const of = result as InstanceType<Polybin["Histogram"]>;
  return "rebin" in regroup ? of.rebin(regroup.rebin) : of.slice(...regroup.slice);
}

const histograms: Call = async (polybin, engine, of, inputs) => {
  const [{ samples, axis }] = of.columns as [Column];
  const input = inputs.get(samples)!;
  const channels = of.columns.map(({ channel }) => channel);
  if (of.via === "call" || of.via === "resident") {
    const over = of.each
      ? { axes: of.columns.map((column) => axisOf(polybin, column.axis.axis!)) }
      : choiceOf(polybin, axis);
    return (
      (await engine.histograms(input, { channels, ...over, ...selectionOf(of) } as never)) as unknown[]
    ).map(gotOf);
  }
  const shape = {
    type: samples.type,
    interleaved: samples.layout.channels,
    channels,
    ...choiceOf(polybin, axis),
  };
  return ((await counted(engine, of.via, shape, input)) as unknown[]).map(gotOf);
};

const joint: Call = async (polybin, engine, of, inputs) => {
  const columns = of.columns.map(({ samples, channel }) => {
    const input = inputs.get(samples)!;
    return samples.layout.channels === 1 ? input : { input, channel };
  });
  if (of.via === "call" || of.via === "resident") {
    const axes = of.columns.map(({ axis }) => (axis.axis === undefined ? axis : axisOf(polybin, axis.axis)));
    const options = { axes, ...selectionOf(of), ...weightsOf(of) };
    return [gotOf(await engine.joint(columns as never, options as never))];
  }
  const shape = of.columns.map(({ samples, channel, axis }) => ({
    type: samples.type,
    interleaved: samples.layout.channels,
    channel,
    axis: axisOf(polybin, axis.axis!),
  }));
  const counter = await engine.prepare({ columns: shape });
  const own = { columns: of.columns.map(({ samples }) => inputs.get(samples)!), ...selectionOf(of) };
  return [gotOf(of.via === "count" ? await counter.count(own) : (await counter.countAll([own, own]))[1])];
};

const segments: Call = async (polybin, engine, of, inputs) => {
  const [{ samples, channel, axis }] = of.columns as [Column];
  const options = { ...(samples.layout.channels === 1 ? {} : { channel }), ...choiceOf(polybin, axis) };
  const input = inputs.get(samples)!;
  if (!of.leave) return rowsOf(await engine.segments(input, of.cut as never, options as never));
  const left: unknown = await engine.segments(input, of.cut as never, { ...options, leave: true } as never);
  const kept = left as SegmentedResident;
  try {
    const half = Math.floor(kept.segments / 2);
    return [...rowsOf(await kept.read(0, half)), ...rowsOf(await kept.read(half))];
  } finally {
    await kept.free();
  }
};

const CALLS = { histogram, histograms, joint, segments };

async function counted(engine: Engine, via: Case["via"], shape: object, input: never): Promise<unknown> {
  const counter = await engine.prepare(shape);
  try {
    if (via === "count") return await counter.count(input);
    if (via === "countSync") return counter.countSync(input);
    if (via === "countAll") return (await counter.countAll([input, input]))[1];
    await counter.accumulate(input);
    return await counter.take();
  } finally {
    await counter.free();
  }
}

/** The bytes of samples in pieces that end anywhere. */
async function* pieces({ bytes }: Samples): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 13) yield bytes.slice(at, at + 13);
}

function selectionOf({ mask, where, by }: Case): object {
  const chosen = mask === undefined ? {} : { mask: mask.as === "bits" ? { bits: mask.bytes } : mask.bytes };
  const listed = where === undefined ? {} : { where: Uint32Array.from(where) };
  return {
    ...chosen,
    ...listed,
    ...(by === undefined ? {} : { by: { codes: arrayOf(by.codes), groups: by.groups } }),
  };
}

function weightsOf({ weights }: Case): object {
  if (weights === undefined) return {};
  const { values, as, squares, precision } = weights;
  const own =
    as === "numbers" ? values : as === "f32" ? Float32Array.from(values) : Float64Array.from(values);
  return { weights: own, ...(squares ? { squares } : {}), ...(precision === "fast" ? { precision } : {}) };
}

interface One {
  readonly edges: Float64Array;
  readonly counts: Float64Array;
  readonly underflow: number;
  readonly overflow: number;
  readonly nan: number;
  readonly masked: number;
  readonly sums?: Float64Array;
  readonly sumsOfSquares?: Float64Array | null;
  readonly flowSums?: Flow;
  readonly flowSumsOfSquares?: Flow | null;
}

interface Flow {
  readonly underflow: number;
  readonly overflow: number;
  readonly nan: number;
}

interface Many {
  readonly edges: readonly Float64Array[];
  readonly shape: readonly number[];
  readonly extents: readonly number[];
  readonly cells:
    | Float64Array
    | { counts: Float64Array; sums: Float64Array; sumsOfSquares: Float64Array | null };
  readonly masked: number;
}

function gotOf(result: unknown): Got {
  const of = (result as { joint?: Many }).joint ?? (result as One | Many);
  return "cells" in of ? gotOfMany(of) : gotOfOne(of);
}

function gotOfOne(of: One): Got {
  const all = (bins: Float64Array, { underflow, overflow, nan }: Flow) => [...bins, underflow, overflow, nan];
  const squares = of.sumsOfSquares ? all(of.sumsOfSquares, of.flowSumsOfSquares!) : null;
  return {
    edges: [of.edges],
    counts: notZero(all(of.counts, of)),
    sums: of.sums === undefined ? null : notZero(all(of.sums, of.flowSums!)),
    squares: squares && notZero(squares),
    masked: of.masked,
  };
}

function gotOfMany({ edges, shape, extents, cells, masked }: Many): Got {
  const own = (numbers: Float64Array) => {
    const found = new Map<number, number>();
    for (const [at, number] of notZero(numbers)) found.set(indexIn(at, shape, extents), number);
    return found;
  };
  const of = cells instanceof Float64Array ? { counts: cells, sums: null, sumsOfSquares: null } : cells;
  return {
    edges,
    counts: own(of.counts),
    sums: of.sums && own(of.sums),
    squares: of.sumsOfSquares && own(of.sumsOfSquares),
    masked,
  };
}

/** The index of a cell if every axis had three flow cells. A single flow cell is that of overflow. */
function indexIn(cell: number, shape: readonly number[], extents: readonly number[]): number {
  let rest = cell;
  let index = 0;
  let stride = 1;
  for (let k = extents.length - 1; k >= 0; k--) {
    const [bins, extent] = [shape[k]!, extents[k]!];
    const code = rest % extent;
    rest = (rest - code) / extent;
    index += (extent === bins + 1 && code === bins ? code + 1 : code) * stride;
    stride *= bins + 3;
  }
  return index;
}

function notZero(numbers: ArrayLike<number>): Map<number, number> {
  const found = new Map<number, number>();
  for (let i = 0; i < numbers.length; i++) if (numbers[i] !== 0) found.set(i, numbers[i]!);
  return found;
}

function rowsOf(result: unknown): Got[] {
  const {
    segments: rows,
    bins,
    edges,
    counts,
    underflow,
    overflow,
    nan,
  } = result as One & { segments: number; bins: number };
  const [below, above, none] = [underflow, overflow, nan] as unknown as ArrayLike<number>[];
  return Array.from({ length: rows }, (_, i) => ({
    edges: [edges],
    counts: notZero([...counts.subarray(i * bins, (i + 1) * bins), below![i]!, above![i]!, none![i]!]),
    sums: null,
    squares: null,
    masked: 0,
  }));
}
