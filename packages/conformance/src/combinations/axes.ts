import {
  type Axis,
  boolean,
  category,
  circular,
  integer,
  regular,
  type SampleType,
  variable,
} from "@polybin/core";
import { SAMPLE_TRAITS } from "@polybin/core/backend";
import type { Over } from "../request/request.ts";

/** The kinds of axes. "data" is one over the range of the data. */
export const AXIS_KINDS = [
  "integer",
  "integer below",
  "integer above",
  "regular",
  "regular inside",
  "regular open",
  "variable",
  "variable open",
  "variable infinite",
  "category",
  "words",
  "boolean",
  "circular",
  "data",
] as const;

export type AxisKind = (typeof AXIS_KINDS)[number];

/** The range of the axes of a type. Edges of integer axes are safe integers. */
function rangeOf(type: SampleType): readonly [min: number, max: number] {
  const { integer: isInteger, min, max, bytes } = SAMPLE_TRAITS[type];
  if (!isInteger) return [-1000, 1000];
  return bytes < 8 ? [min, max + 1] : [min === 0 ? 0 : -(2 ** 52), 2 ** 52];
}

/** Returns what a request says of an axis with about `bins` bins, for samples of a type. */
export function overOf(kind: string, type: SampleType, bins: number): Over {
  if (kind === "data") return { bins, range: "data" };
  return { axis: axisOf(kind as Exclude<AxisKind, "data">, type, bins), anew: false };
}

function axisOf(kind: Exclude<AxisKind, "data">, type: SampleType, bins: number): Axis {
  const [min, max] = rangeOf(type);
  const [low, high] = [Math.round(min + 0.3 * (max - min)), Math.round(min + 0.7 * (max - min))];
  const half = Math.floor(bins / 2);
  switch (kind) {
    case "integer":
      return integer(low - half, low - half + bins);
    case "integer below":
      return integer(min - half, min - half + bins);
    case "integer above":
      return integer(max - half, max - half + bins);
    case "regular":
      return regular(bins, min, max);
    case "regular inside":
      return regular(bins, low, high);
    case "regular open":
      return regular(bins, low, high, { closed: false });
    case "variable":
      return variable(growing(bins, low, max + 0.3 * (max - min)));
    case "variable open":
      return variable(growing(bins, low, high), { closed: false });
    case "variable infinite":
      return variable([-Infinity, ...growing(bins, low, high), Infinity]);
    case "category":
      return category([high, low, low + 1, 0, 3].slice(0, Math.max(2, bins)));
    case "words":
      return category(["no", "yes", "perhaps", "none"].slice(0, Math.max(2, bins)));
    case "boolean":
      return boolean();
    case "circular":
      return circular(Math.min(5, bins), low, high);
  }
}

/** Returns edges from lo to hi, with each bin wider than the one before it. */
function growing(bins: number, lo: number, hi: number): number[] {
  const edges = Array.from(
    { length: bins + 1 },
    (_, i) => lo + (hi - lo) * (i / bins) * (0.25 + (0.75 * i) / bins),
  );
  edges[bins] = hi;
  return edges;
}
