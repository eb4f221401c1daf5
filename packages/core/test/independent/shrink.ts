import { type Case, type Column, pixelsOf, type Samples } from "./cases.ts";
import { type AxisSpec, SIZES } from "./reference.ts";

/** Calls of a case that one shrinking makes at most. */
const MOST_TRIES = 800;

/** Returns a smaller case that is still wrong. */
export async function shrunk(of: Case, isWrong: (of: Case) => Promise<boolean>): Promise<Case> {
  let least = of;
  let tries = 0;
  for (let found = true; found; ) {
    found = false;
    for (const smaller of simpler(least)) {
      if (++tries > MOST_TRIES) return least;
      if (!(await isWrong(smaller))) continue;
      least = smaller;
      found = true;
      break;
    }
  }
  return least;
}

/** Cases with something less. */
function* simpler(of: Case): Generator<Case> {
  for (const name of ["regroup", "weights", "mask", "where", "by", "leave"] as const) {
    const { [name]: dropped, ...rest } = of;
    if (dropped !== undefined) yield rest;
  }
  if (of.weights?.squares) yield { ...of, weights: { ...of.weights, squares: false } };
  if (of.via !== "call") yield { ...of, via: "call" };
  for (const k of of.columns.keys()) {
    const columns = of.columns.filter((_, other) => other !== k);
    if (columns.length >= (of.call === "joint" ? 2 : 1)) yield { ...of, columns };
    else if (of.call === "joint") yield { ...of, call: "histogram", columns };
  }
  if (of.call === "histograms" && of.columns.length === 1) yield { ...of, call: "histogram", each: false };
  if (of.call === "segments") yield { ...of, call: "histogram" };
  if (of.columns.some(({ samples }) => !isPlain(samples))) yield* plainCases(of);
  else yield* withFewerSamples(of);
  for (const [k, column] of of.columns.entries()) {
    for (const axis of simplerAxes(column)) {
      yield {
        ...of,
        columns: of.columns.map((one, other) => (other === k ? { ...one, axis: { axis } } : one)),
      };
    }
  }
}

const isPlain = ({ layout, form, type }: Samples): boolean =>
  layout.channels === 1 && layout.width === undefined && (form === "array" || type === "f16");

/** Each channel as an array of its own. `histograms` needs them together. */
function* plainCases(of: Case): Generator<Case> {
  if (of.call === "histograms" && of.columns.length > 1) return;
  if (of.cut !== undefined && "tiles" in of.cut) return;
  const columns = of.columns.map((column) => ({ ...column, channel: 0, samples: plainOf(column) }));
  yield { ...of, columns };
}

function plainOf({ samples, channel }: Column): Samples {
  const { type, bytes, layout } = samples;
  const size = SIZES[type];
  const pixel = size * layout.channels;
  const count = pixelsOf(samples, SIZES);
  const { x, y, width } = layout.region ?? { x: 0, y: 0, width: layout.width ?? count };
  const out = new Uint8Array(count * size);
  for (let i = 0; i < count; i++) {
    const row = y + Math.floor(i / width);
    const at = row * (layout.rowPitch ?? 0) + (x + (i % width)) * pixel + channel * size;
    out.set(bytes.subarray(at, at + size), i * size);
  }
  return { type, bytes: out, layout: { channels: 1 }, form: type === "f16" ? "bytes" : "array" };
}

function* withFewerSamples(of: Case): Generator<Case> {
  if (of.where !== undefined || of.mask?.as === "bits") return;
  const count = pixelsOf(of.columns[0]!.samples, SIZES);
  for (let part = count; part >= 1; part = Math.floor(part / 2)) {
    for (let from = 0; from < count; from += part) yield without(of, from, Math.min(count, from + part));
  }
}

function without(of: Case, from: number, to: number): Case {
  const cut = (samples: Samples): Samples => {
    const size = SIZES[samples.type];
    const { bytes } = samples;
    return {
      ...samples,
      bytes: Uint8Array.of(...bytes.subarray(0, from * size), ...bytes.subarray(to * size)),
    };
  };
  const { mask, by, weights, cut: segments } = of;
  const kept = new Map<Samples, Samples>();
  for (const { samples } of of.columns) kept.set(samples, cut(samples));
  const moved = (offset: number) => (offset <= from ? offset : offset <= to ? from : offset - (to - from));
  return {
    ...of,
    columns: of.columns.map((column) => ({ ...column, samples: kept.get(column.samples)! })),
    ...(mask && { mask: { ...mask, bytes: mask.bytes.filter((_, i) => i < from || i >= to) } }),
    ...(by && { by: { ...by, codes: cut(by.codes) } }),
    ...(weights && { weights: { ...weights, values: weights.values.filter((_, i) => i < from || i >= to) } }),
    ...(segments && "offsets" in segments && { cut: { offsets: segments.offsets.map(moved) } }),
  };
}

function* simplerAxes({ axis: { axis } }: Column): Generator<AxisSpec> {
  if (axis === undefined) return;
  if (axis.kind === "integer" && axis.stop - axis.start > 1) {
    const middle = Math.floor((axis.start + axis.stop) / 2);
    yield { ...axis, stop: middle };
    yield { ...axis, start: middle };
  } else if ("lo" in axis && axis.bins > 1) {
    yield { ...axis, bins: 1 };
    yield { ...axis, bins: 2 };
    yield { ...axis, bins: Math.floor(axis.bins / 2) };
    yield { ...axis, bins: axis.bins - 1 };
  } else if (axis.kind === "variable" && axis.edges.length > 2) {
    for (let part = axis.edges.length >> 1; part >= 1; part >>= 1) {
      for (let at = 0; at < axis.edges.length; at += part) {
        const edges = axis.edges.filter((_, i) => i < at || i >= at + part);
        if (edges.length >= 2) yield { ...axis, edges };
      }
    }
  } else if (axis.kind === "quantiles" && axis.values.length > 1) {
    yield { ...axis, zeros: 0 };
    for (const i of axis.values.keys())
      yield { ...axis, values: axis.values.filter((_, other) => other !== i) };
  } else if (axis.kind === "category" && axis.values.length > 1) {
    for (const i of axis.values.keys()) {
      yield { ...axis, values: (axis.values as readonly number[]).filter((_, other) => other !== i) };
    }
  }
}
