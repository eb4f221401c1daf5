import type { Axis } from "../../axis/index.ts";
import { expected, VERSION } from "../../base/index.ts";
import type { SampleType } from "../../input/index.ts";
import type {
  Carried,
  CarriedPair,
  UhiAxis,
  UhiAxisShape,
  UhiHistogram,
  UhiRecord,
  UhiStorage,
} from "./schema.ts";
import { ownAxisNotes, writtenAxis } from "./write-axis.ts";

/** Writes a result with one axis in the schema. @param own data that the schema has no place for */
export function writeUhi<S extends UhiStorage>(
  axis: Axis,
  type: SampleType,
  carried: CarriedPair,
  storage: S,
  own: UhiRecord,
): UhiHistogram<S> {
  return {
    ...headOf(carried.histogram, { type, ...ownAxisNotes(axis), ...own }),
    axes: [noted(writtenAxis(axis, true).shape, carried.axis)],
    storage,
  };
}

/** Everything of a histogram but its axes and its storage. @param own polybin's notes */
export function headOf(carried: Carried, own: UhiRecord): Omit<UhiHistogram, "axes" | "storage"> {
  return {
    ...carried.others,
    uhi_schema: 1,
    writer_info: { ...carried.writers, polybin: { version: VERSION, ...own } },
    ...metadataOf(carried),
  };
}

/** Adds the other content of an axis in its file. @param own the notes that polybin wrote of the axis */
export function noted(shape: UhiAxisShape, carried: Carried, own?: UhiRecord): UhiAxis {
  const writers = own === undefined ? carried.writers : { ...carried.writers, polybin: own };
  return {
    ...carried.others,
    ...shape,
    ...metadataOf(carried),
    ...(isEmpty(writers) ? {} : { writer_info: { ...writers } }),
  };
}

function metadataOf({ metadata }: Carried): { metadata?: UhiRecord } {
  return isEmpty(metadata) ? {} : { metadata: { ...metadata } };
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

/** Numbers outside the bins, as far as the schema has a place for them. */
interface Ends {
  readonly underflow: number;
  readonly overflow: number;
}

/** Returns an array of the schema: underflow, the bins, overflow, as far as the axis has them. */
export function alongAxis(axis: Axis, bins: Float64Array, { underflow, overflow }: Ends): number[] {
  const all = [...bins, underflow, overflow];
  return writtenAxis(axis, true).codes.map((code) => all[code]!);
}

/** Returns an array of the schema. @throws ERR_UNSUPPORTED if a number is not finite. */
export function writeRow(axis: Axis, name: string, bins: Float64Array, ends: Ends): number[] {
  return alongAxis(axis, bins, ends).map((value) => finite(name, value));
}

/** @throws ERR_UNSUPPORTED if the value is not finite, because JSON would store null. */
export function finite(name: string, value: number): number {
  if (Number.isFinite(value)) return value;
  throw expected("ERR_UNSUPPORTED", name, "finite numbers (JSON has no others)", value);
}
