import { type Axis, isClosed, type OrderedAxis, OVERFLOW, UNDERFLOW } from "../../axis/index.ts";
import type { UhiAxisShape, UhiRecord, UhiScalar } from "./schema.ts";

/** An axis in the schema. */
export interface WrittenAxis {
  readonly shape: UhiAxisShape;
  /** The code of each index of the schema's arrays along the axis: the bins, underflow, overflow. */
  readonly codes: readonly number[];
}

/** The codes along the schema's arrays: underflow, the bins, overflow. */
export function codesAlong(
  bins: number,
  { underflow, overflow }: { readonly underflow: boolean; readonly overflow: boolean },
): number[] {
  const codes = Array.from({ length: bins }, (_, bin) => bin);
  if (underflow) codes.unshift(bins + UNDERFLOW);
  if (overflow) codes.push(bins + OVERFLOW);
  return codes;
}

/** Writes an axis. @param flow whether it has flow cells, as far as the schema has a place for them */
export function writtenAxis(axis: Axis, flow: boolean): WrittenAxis {
  const { bins } = axis;
  const along = (ends: { readonly underflow: boolean; readonly overflow: boolean }, shape: UhiAxisShape) => {
    return { shape, codes: codesAlong(bins, ends) };
  };
  switch (axis.type) {
    case "boolean":
      return along({ underflow: false, overflow: false }, { type: "boolean" });
    case "category": {
      const { values } = axis;
      const shape = isOfStrings(values)
        ? ({ type: "category_str", categories: [...values], flow } as const)
        : ({ type: "category_int", categories: [...(values as readonly number[])], flow } as const);
      return along({ underflow: false, overflow: flow }, shape);
    }
    case "circular": {
      const ends = { underflow: false, overflow: flow };
      return along(ends, { type: "regular", lower: axis.lo, upper: axis.hi, bins, ...ends, circular: true });
    }
    default: {
      const ends = { underflow: flow, overflow: flow };
      return along(ends, { ...intervals(axis), ...ends, circular: false });
    }
  }
}

function isOfStrings(values: readonly number[] | readonly string[]): values is readonly string[] {
  return typeof values[0] === "string";
}

function intervals(axis: OrderedAxis) {
  if (axis.type === "variable") {
    const most = Number.MAX_VALUE;
    const edges = axis.edges.map((edge) => Math.max(-most, Math.min(edge, most)));
    return { type: "variable", edges } as const;
  }
  const [lower, upper] = axis.type === "integer" ? [axis.start, axis.stop] : [axis.lo, axis.hi];
  return { type: "regular", lower, upper, bins: axis.bins } as const;
}

/**
 * Notes of what the schema has no place for: the kind of axis, the precision of its edges, open and infinite ends, and
 * the codes of sliced categories.
 */
export function ownAxisNotes(axis: Axis): UhiRecord {
  const notes: Record<string, UhiScalar> = { axis: axis.type };
  if (axis.type === "category" && axis.firstCode !== undefined) notes.firstCode = axis.firstCode;
  if (axis.type === "regular") notes.spacing = axis.spacing;
  if ((axis.type === "regular" || axis.type === "variable") && !isClosed(axis)) notes.closed = false;
  if (axis.type === "variable") {
    const ends = [axis.edges[0] === -Infinity ? "lower" : "", axis.edges.at(-1) === Infinity ? "upper" : ""];
    const infinite = ends.join(" ").trim();
    if (infinite !== "") notes.infinite = infinite;
  }
  return notes;
}
