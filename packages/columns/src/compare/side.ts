import type { Counted as Histogram } from "@polybin/analysis";
import {
  type ColumnJson,
  type Counted,
  type CountedSide,
  countedOf,
  type TopJson,
  type Value,
} from "../profile/index.ts";
import { sampleTypeOf } from "../table/index.ts";

/** The known values of a column on one side. */
export interface Side {
  readonly json: ColumnJson;
  /** All values with their counts. Null if they are not known. */
  readonly values: readonly Counted[] | null;
  /** Null without bins. */
  readonly bins: Histogram | null;
}

/** A column of a profile and of the counts that it comes from. */
export function countedSide(json: ColumnJson, { passes }: CountedSide): Side {
  const { values, bins } = countedOf(passes, json.name);
  return { json, values, bins };
}

/** A column of a profile as far as its JSON goes. */
export function jsonSide(json: ColumnJson): Side {
  const { distinct, top, logical, histogram } = json;
  const isComplete = distinct?.exact === true && distinct.value === top.length && !top.some(isClipped);
  const values = isComplete
    ? top.map(({ value, count }) => ({ value: readValue(value, logical.kind === "string"), count }))
    : null;
  const type = sampleTypeOf(logical);
  if (histogram === null || type === null) return { json, values, bins: null };
  const { counts, edges, underflow, overflow } = histogram;
  return { json, values, bins: { counts, edges, underflow, overflow, type, axis: { type: histogram.type } } };
}

const isClipped = ({ clipped }: TopJson): boolean => clipped === true;

/** The inverse of how a profile writes values. */
function readValue(value: TopJson["value"], isText: boolean): Value {
  if (isText) return String(value);
  if (typeof value !== "string") return Number(value);
  return /^-?\d+$/.test(value) ? BigInt(value) : Number(value);
}
