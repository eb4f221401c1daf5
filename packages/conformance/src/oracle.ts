import type { Axis, SampleType } from "@polybin/core";
import {
  type BooleanAxis,
  type CategoryAxis,
  type CircularAxis,
  edgesOf,
  type SampleArray,
} from "@polybin/core/backend";

/** The expected content of a histogram. */
export interface Expected {
  readonly counts: Float64Array;
  underflow: number;
  overflow: number;
  nan: number;
}

/**
 * Counts by the definition, in a plain loop. Bin i holds edges[i] <= x < edges[i + 1], and the last bin of a regular
 * or variable axis includes its right edge unless it is open. It shares only the edges with the engine, and NumPy's vectors check those
 * separately.
 */
export function countByDefinition(
  axis: Axis,
  type: SampleType,
  samples: SampleArray,
  channel = 0,
  channels = 1,
): Expected {
  if (isUnordered(axis)) return countUnordered(axis, samples, channel, channels);
  const edges = edgesOf(axis, type);
  const { bins } = axis;
  const out: Expected = { counts: new Float64Array(bins), underflow: 0, overflow: 0, nan: 0 };
  const first = edges[0]!;
  const last = edges[bins]!;
  const closed = axis.type !== "integer" && axis.closed !== false;
  for (let i = channel; i < samples.length; i += channels) {
    const x = samples[i]!;
    if (Number.isNaN(x)) out.nan++;
    else if (x < first) out.underflow++;
    else if (x > last || (x === last && !closed)) out.overflow++;
    else out.counts[Math.min(bins - 1, edgesUpTo(edges, x) - 1)]!++;
  }
  return out;
}

type Unordered = CategoryAxis | BooleanAxis | CircularAxis;

function isUnordered(axis: Axis): axis is Unordered {
  const { type } = axis;
  return type === "category" || type === "boolean" || type === "circular";
}

/** Counts over an axis whose bins are not ascending intervals. */
function countUnordered(axis: Unordered, samples: SampleArray, channel: number, channels: number): Expected {
  const out: Expected = { counts: new Float64Array(axis.bins), underflow: 0, overflow: 0, nan: 0 };
  const turn = axis.type === "circular" ? turnOf(axis) : null;
  for (let i = channel; i < samples.length; i += channels) {
    const x = samples[i]!;
    if (axis.type === "category") {
      const bin = typeof axis.values[0] === "string" ? listed(x, axis.bins) : axis.values.indexOf(x as never);
      if (bin >= 0) out.counts[bin]!++;
      else out.overflow++;
    } else if (Number.isNaN(x)) out.nan++;
    else if (axis.type === "boolean") out.counts[x === 0 ? 0 : 1]!++;
    else if (x === -Infinity) out.underflow++;
    else if (x === Infinity) out.overflow++;
    else out.counts[turn!(x)]!++;
  }
  return out;
}

/** Returns the position of a dictionary's code, or -1. */
function listed(code: number, words: number): number {
  return Number.isInteger(code) && code >= 0 && code < words ? code : -1;
}

/** Returns the bin of a finite number on a circle, in integers: all f64 are multiples of 2^-1074. */
export function turnOf(axis: CircularAxis): (x: number | bigint) => number {
  const edges = edgesOf(axis, "f64");
  const from = Array.from(edges, (edge) => multiples(edge) - multiples(axis.lo));
  const period = multiples(axis.hi - axis.lo);
  return (x) => {
    const at = (((multiples(x) - multiples(axis.lo)) % period) + period) % period;
    let bin = axis.bins - 1;
    while (from[bin]! > at) bin--;
    return bin;
  };
}

/** Returns x / 2^-1074. */
function multiples(x: number | bigint): bigint {
  if (typeof x === "bigint") return x << 1074n;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, x);
  const exponent = (bits.getUint32(0) >>> 20) & 0x7ff;
  const fraction = bits.getBigUint64(0) & 0xf_ffff_ffff_ffffn;
  const size = exponent === 0 ? fraction : (fraction | (1n << 52n)) << BigInt(exponent - 1);
  return x < 0 ? -size : size;
}

/** Returns the number of edges that are at most x. */
export function edgesUpTo(edges: Float64Array, x: number): number {
  let [from, to] = [0, edges.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (edges[middle]! <= x) from = middle + 1;
    else to = middle;
  }
  return from;
}
