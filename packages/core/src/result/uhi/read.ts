import type { Axis } from "../../axis/index.ts";
import { expected, FLOW_ROWS, PolybinError } from "../../base/index.ts";
import { INPUT_TYPES, type SampleType } from "../../input/index.ts";
import { isRecord, type Json, record, recordIfAny } from "./json.ts";
import { type ReadAxis, readAxis } from "./read-axis.ts";
import type { Carried, CarriedByAxes, UhiRecord, UhiScalar } from "./schema.ts";
import { checkCells, readStorage, type Storage } from "./storage.ts";

/**
 * The content of a serialized histogram, for any storage. Rows hold cells, row-major. Their codes along an axis are its
 * bins, and then underflow, overflow and NaN if it has flow.
 */
export interface Reading extends Storage {
  /** Prefix of names in messages. */
  readonly prefix: string;
  readonly axes: readonly Axis[];
  /** Sample types; f64 if another program wrote the file. */
  readonly types: readonly SampleType[];
  readonly extents: readonly number[];
  /** For each axis, the codes that the schema's arrays have. */
  readonly placed: readonly (readonly number[])[];
  /** `writer_info.polybin` */
  readonly own: Json;
  readonly carried: CarriedByAxes;
}

/** Maximum number of axes of a histogram of another writer. It is NumPy's and boost-histogram's. */
const MAX_READ_AXES = 32;

const HISTOGRAM_KEYS = ["uhi_schema", "axes", "storage", "metadata", "writer_info"];
const AXIS_KEYS = [
  ...["type", "lower", "upper", "bins", "edges", "underflow", "overflow", "circular"],
  ...["categories", "flow", "metadata", "writer_info"],
];

/**
 * Reads a histogram with any number of axes.
 * @param prefix the text before names in messages.
 * @param check refuses a number of axes before anything else is read
 * @throws ERR_INPUT for JSON that the schema does not allow.
 * @throws ERR_UNSUPPORTED for valid JSON that polybin does not support.
 * @throws ERR_AXIS or ERR_LIMIT for an invalid axis.
 */
export function readUhi(json: unknown, prefix = "", check?: (axes: number) => void): Reading {
  const { histogram, carried, own, axes } = opened(json, prefix);
  check?.(axes.length);
  if (axes.length > MAX_READ_AXES) {
    throw expected("ERR_LIMIT", `${prefix}axes.length`, `at most ${MAX_READ_AXES} axes`, axes.length);
  }
  const read: ReadAxisWithNotes[] = [];
  const extents: number[] = [];
  let cells = 1;
  for (const [k, axis] of axes.entries()) {
    const one = axisIn(axis, `${prefix}axes[${k}]`);
    read.push(one);
    // A result of one axis has all flow cells.
    extents.push(axes.length === 1 ? one.axis.bins + FLOW_ROWS : extentOf(one));
    cells *= extents[k]!;
    // Before the next axis, because each may take memory for 65,536 bins.
    checkCells(cells, `${prefix}axes`);
  }
  // The only flow cell of a category axis is that of overflow, and it follows the bins.
  const placed = read.map(({ codes }, k) => codes.map((code) => Math.min(code, extents[k]! - 1)));
  return {
    ...readStorage(histogram.storage, `${prefix}storage`, { places: placed, extents }),
    prefix,
    axes: read.map(({ axis }) => axis),
    types: read.map(({ type }) => type),
    extents,
    placed,
    own,
    carried: { histogram: withoutOwn(carried), axes: read.map((one) => one.carried) },
  };
}

interface ReadAxisWithNotes extends ReadAxis {
  readonly type: SampleType;
  /** Polybin's notes of the axis. */
  readonly own: Json;
  readonly carried: Carried;
}

function axisIn(json: unknown, name: string): ReadAxisWithNotes {
  const given = record(json, name);
  const carried = carriedOf(given, `${name}.`, AXIS_KEYS);
  const own = recordIfAny(carried.writers.polybin, `${name}.writer_info.polybin`);
  const type = typeIn(own, `${name}.writer_info.polybin`);
  return { ...readAxis(given, name, own, carried), type, own, carried: withoutOwn(carried) };
}

/** Polybin's notes are written anew. */
function withoutOwn({ writers: { polybin: _, ...writers }, ...carried }: Carried): Carried {
  return { ...carried, writers };
}

/** Number of codes of an axis. */
function extentOf({ axis, codes, own: notes }: ReadAxisWithNotes): number {
  const hasFlow = codes.length > axis.bins || notes.flow === true;
  const isNarrow = axis.type === "category" && notes.flowCells !== FLOW_ROWS;
  return axis.bins + (hasFlow ? (isNarrow ? 1 : FLOW_ROWS) : 0);
}

/** The common part of all histograms. */
function opened(json: unknown, prefix: string) {
  const histogram = record(json, prefix === "" ? "histogram" : prefix.slice(0, -1));
  checkVersion(histogram, prefix);
  const carried = carriedOf(histogram, prefix, HISTOGRAM_KEYS);
  const own = recordIfAny(carried.writers.polybin, `${prefix}writer_info.polybin`);
  const { axes } = histogram;
  if (!Array.isArray(axes)) throw expected("ERR_INPUT", `${prefix}axes`, "an array of axes", axes);
  return { histogram, carried, own, axes: axes as readonly unknown[] };
}

/** Returns the sample type that polybin noted. @throws ERR_INPUT */
function typeIn(own: Json, name: string): SampleType {
  const type = (own.type ?? "f64") as SampleType;
  if (INPUT_TYPES.includes(type)) return type;
  throw expected("ERR_INPUT", `${name}.type`, `one of ${INPUT_TYPES.join(", ")}`, type);
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
