import { type Axis, isClosed, kindOf, type OrderedAxis } from "../../axis/index.ts";
import { expected, VERSION } from "../../base/index.ts";
import type { SampleType } from "../../input/index.ts";
import type { Carried, CarriedPair, UhiAxis, UhiHistogram, UhiRecord, UhiStorage } from "./schema.ts";

/** Writes a result in the schema. @param own data that the schema has no place for */
export function writeUhi<S extends UhiStorage>(
  axis: Axis,
  type: SampleType,
  carried: CarriedPair,
  storage: S,
  own: UhiRecord,
): UhiHistogram<S> {
  if (kindOf(axis) !== undefined) {
    throw expected("ERR_UNSUPPORTED", "axis", "an integer, regular or variable axis", axis.type);
  }
  const ordered = axis as OrderedAxis;
  const spacing = {
    ...(ordered.type === "regular" && { spacing: ordered.spacing }),
    ...(ordered.type !== "integer" && !isClosed(ordered) && { closed: false }),
  };
  const polybin = { version: VERSION, type, axis: axis.type, ...spacing, ...own };
  return {
    ...carried.histogram.others,
    uhi_schema: 1,
    writer_info: { ...carried.histogram.writers, polybin },
    ...metadataOf(carried.histogram),
    axes: [axisOf(ordered, carried.axis)],
    storage,
  };
}

function axisOf(axis: OrderedAxis, carried: Carried): UhiAxis {
  const rest = {
    underflow: true,
    overflow: true,
    circular: false,
    ...metadataOf(carried),
    ...(isEmpty(carried.writers) ? {} : { writer_info: { ...carried.writers } }),
  } as const;
  if (axis.type === "variable")
    return {
      ...carried.others,
      type: "variable",
      edges: axis.edges.map((edge) => finite("edges", edge)),
      ...rest,
    };
  const [lower, upper] = axis.type === "integer" ? [axis.start, axis.stop] : [axis.lo, axis.hi];
  return { ...carried.others, type: "regular", lower, upper, bins: axis.bins, ...rest };
}

function metadataOf({ metadata }: Carried): { metadata?: UhiRecord } {
  return isEmpty(metadata) ? {} : { metadata: { ...metadata } };
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

/**
 * Returns an array of the schema: underflow, the bins, overflow.
 * @throws ERR_UNSUPPORTED if a number is not finite.
 */
export function writeRow(
  name: string,
  bins: Float64Array,
  { underflow, overflow }: { readonly underflow: number; readonly overflow: number },
): number[] {
  return [underflow, ...bins, overflow].map((value) => finite(name, value));
}

/** @throws ERR_UNSUPPORTED if the value is not finite, because JSON would store null. */
export function finite(name: string, value: number): number {
  if (Number.isFinite(value)) return value;
  throw expected("ERR_UNSUPPORTED", name, "finite numbers (JSON has no others)", value);
}
