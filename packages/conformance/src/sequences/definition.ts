import type { Axis, SampleType } from "@polybin/core";
import { edgesOf } from "@polybin/core/backend";
import { turnOf } from "../oracle.ts";
import { type Data, meaningsOf, placesOf } from "./samples.ts";

/** Cells of an axis after its bins: underflow, overflow, NaN. */
export const FLOW = 3;

type Code = (x: number | bigint) => number;

/** Returns the definition of an axis: the bin of a value, or bins + 0 for underflow, + 1 for overflow, + 2 for NaN. */
function definitionOf(axis: Axis, type: SampleType): Code {
  const { bins } = axis;
  const [below, above, nan] = [bins, bins + 1, bins + 2];
  switch (axis.type) {
    case "category": {
      const isText = typeof axis.values[0] === "string";
      const at = (x: number | bigint) =>
        (axis.values as readonly number[]).findIndex((value) =>
          typeof x === "bigint" ? BigInt(value) === x : value === x,
        );
      return (x) => {
        const bin = isText ? (Number.isInteger(Number(x)) && x >= 0 && x < bins ? Number(x) : -1) : at(x);
        return bin < 0 ? above : bin;
      };
    }
    case "boolean":
      return (x) => (Number.isNaN(x) ? nan : Number(x) === 0 ? 0 : 1);
    case "circular": {
      const turn = turnOf(axis);
      return (x) => {
        if (Number.isNaN(x)) return nan;
        return x === -Infinity ? below : x === Infinity ? above : turn(x);
      };
    }
  }
  const edges = edgesOf(axis, type);
  const closed = axis.type !== "integer" && axis.closed !== false;
  return (x) => {
    if (Number.isNaN(x)) return nan;
    if (x < edges[0]!) return below;
    // A 64-bit integer is compared with the edges as it is.
    if (x > edges[bins]! || (x >= edges[bins]! && !closed)) return above;
    let bin = bins - 1;
    while (edges[bin]! > x) bin--;
    return bin;
  };
}

/** The codes of an axis by type. Most axes of requests are the same objects. */
const kept = new WeakMap<Axis, Map<SampleType, Uint32Array>>();

/** Returns the code of each number that samples of a type have. */
function codesByPlace(axis: Axis, type: SampleType): Uint32Array {
  const known = kept.get(axis) ?? new Map<SampleType, Uint32Array>();
  kept.set(axis, known);
  const codes = known.get(type) ?? Uint32Array.from(meaningsOf(type).map(definitionOf(axis, type)));
  known.set(type, codes);
  return codes;
}

/** Returns the code of each counted pixel of a channel, by the definition. */
export function codesOf(data: Data, channel: number, axis: Axis): Uint32Array {
  const codes = codesByPlace(axis, data.type);
  const places = placesOf(data, channel);
  const out = new Uint32Array(places.length);
  for (let i = 0; i < out.length; i++) out[i] = codes[places[i]!]!;
  return out;
}
