import { type Axis, integer, regularSpaced, variable } from "../../axis/index.ts";
import { expected, PolybinError } from "../../base/index.ts";
import { SAMPLE_TYPES, type SampleType } from "../../input/index.ts";
import { A_COUNT, isCount, isRecord, type Json, record, recordIfAny } from "./json.ts";
import type { Carried, CarriedPair, UhiRecord, UhiScalar } from "./schema.ts";
import { checkInline, readStorage, type Storage } from "./storage.ts";

/** The content of a serialized histogram, for any storage. */
export interface Reading extends Storage {
  /** Prefix of names in messages. */
  readonly prefix: string;
  readonly axis: Axis;
  /** Sample type; f64 if another program wrote the file. */
  readonly samples: SampleType;
  /** Number of NaN samples, which only polybin records. */
  readonly nan: number;
  /** `writer_info.polybin` */
  readonly own: Json;
  readonly carried: CarriedPair;
}

const HISTOGRAM_KEYS = ["uhi_schema", "axes", "storage", "metadata", "writer_info"];
const AXIS_KEYS = [
  ...["type", "lower", "upper", "bins", "edges", "underflow", "overflow", "circular"],
  ...["metadata", "writer_info"],
];
/** Axis types of the schema that polybin does not support. */
const OTHER_AXES: readonly unknown[] = ["category_str", "category_int", "boolean"];

/**
 * Reads a histogram with one axis.
 * @param prefix the text before names in messages.
 * @throws ERR_INPUT for JSON that the schema does not allow.
 * @throws ERR_UNSUPPORTED for valid JSON that polybin does not support.
 * @throws ERR_AXIS or ERR_LIMIT for an invalid axis.
 */
export function readUhi(json: unknown, prefix = ""): Reading {
  const histogram = record(json, prefix === "" ? "histogram" : prefix.slice(0, -1));
  checkVersion(histogram, prefix);
  const carried = carriedOf(histogram, prefix, HISTOGRAM_KEYS);
  const own = recordIfAny(carried.writers.polybin, `${prefix}writer_info.polybin`);
  const { axes } = histogram;
  if (!Array.isArray(axes)) throw expected("ERR_INPUT", `${prefix}axes`, "an array of axes", axes);
  if (axes.length !== 1) {
    throw expected("ERR_UNSUPPORTED", `${prefix}axes.length`, "one axis", axes.length);
  }
  const name = `${prefix}axes[0]`;
  const given = record(axes[0], name);
  const ofAxis = carriedOf(given, `${name}.`, AXIS_KEYS);
  const axis = readAxis(given, name, own, ofAxis);
  const samples = (own.type ?? "f64") as SampleType;
  if (!SAMPLE_TYPES.includes(samples)) {
    const names = `one of ${SAMPLE_TYPES.join(", ")}`;
    throw expected("ERR_INPUT", `${prefix}writer_info.polybin.type`, names, samples);
  }
  const nan = own.nan ?? 0;
  if (!isCount(nan)) throw expected("ERR_INPUT", `${prefix}writer_info.polybin.nan`, A_COUNT, nan);
  const frame = { bins: axis.bins, ...flowOf(given, name) };
  return {
    ...readStorage(histogram.storage, `${prefix}storage`, frame),
    prefix,
    axis,
    samples,
    nan,
    own,
    carried: { histogram: carried, axis: ofAxis },
  };
}

/** @throws ERR_INPUT. For a file of several histograms, the message names the function that reads it. */
function checkVersion(histogram: Json, prefix: string): void {
  if (histogram.uhi_schema === 1) return;
  const error = expected("ERR_INPUT", `${prefix}uhi_schema`, "1", histogram.uhi_schema);
  const named = Object.values(histogram).some((value) => isRecord(value) && "axes" in value);
  if (!named) throw error;
  throw new PolybinError(
    "ERR_INPUT",
    `${error.message}: use histogramsFromJSON for an object of named histograms`,
  );
}

function readAxis(axis: Json, name: string, own: Json, { writers }: Carried): Axis {
  if (OTHER_AXES.includes(axis.type)) {
    throw expected("ERR_UNSUPPORTED", `${name}.type`, "a regular or variable axis", axis.type);
  }
  const end = { closed: own.closed === false ? false : undefined };
  const [lower, upper, bins] = [axis.lower as number, axis.upper as number, axis.bins as number];
  if (axis.type === "variable") {
    checkInline(axis.edges, `${name}.edges`);
    return variable(axis.edges as number[], end);
  }
  if (axis.type !== "regular") {
    throw expected("ERR_INPUT", `${name}.type`, "regular or variable", axis.type);
  }
  if (own.axis === "integer" || writers["boost-histogram"]?.orig_type === "Integer") {
    if (bins !== upper - lower) {
      throw expected("ERR_INPUT", `${name}.bins`, `${upper - lower}, one per integer,`, bins);
    }
    return integer(lower, upper);
  }
  return regularSpaced(bins, lower, upper, own.spacing === "f32" ? "f32" : "f64", end);
}

function flowOf(axis: Json, name: string): { underflow: boolean; overflow: boolean } {
  for (const key of ["underflow", "overflow", "circular"]) {
    if (typeof axis[key] !== "boolean") {
      throw expected("ERR_INPUT", `${name}.${key}`, "true or false", axis[key]);
    }
  }
  if (axis.circular === true) {
    throw expected("ERR_UNSUPPORTED", `${name}.circular`, "false (polybin has no circular axes)", true);
  }
  return { underflow: axis.underflow as boolean, overflow: axis.overflow as boolean };
}

/** Copies metadata, notes of writers and unknown keys. */
function carriedOf(of: Json, prefix: string, known: readonly string[]): Carried {
  const writers = Object.entries(recordIfAny(of.writer_info, `${prefix}writer_info`)).map(
    ([writer, notes]) => [writer, scalars(notes, `${prefix}writer_info.${writer}`)] as const,
  );
  const others = Object.entries(of)
    .filter(([key]) => !known.includes(key))
    .map(([key, value]) => [key, copied(value, prefix + key)] as const);
  return {
    metadata: scalars(of.metadata, `${prefix}metadata`),
    writers: Object.freeze(Object.fromEntries(writers)),
    others: Object.freeze(Object.fromEntries(others)),
  };
}

/** Checks an object of scalars, as metadata must be. Null values are dropped. @throws ERR_INPUT */
function scalars(value: unknown, name: string): UhiRecord {
  const entries = Object.entries(recordIfAny(value, name)).filter(([, scalar]) => scalar != null);
  for (const [key, scalar] of entries) {
    if (!["string", "number", "boolean"].includes(typeof scalar)) {
      throw expected("ERR_INPUT", `${name}.${key}`, "a string, a number, true or false", scalar);
    }
  }
  return Object.freeze(Object.fromEntries(entries as [string, UhiScalar][]));
}

function copied(value: unknown, name: string): unknown {
  try {
    return structuredClone(value);
  } catch (cause) {
    throw new PolybinError("ERR_INPUT", `expected JSON for ${name} but it cannot be copied`, { cause });
  }
}
