import { expected, PolybinError } from "../base/index.ts";
import type { Cells } from "./cells.ts";
import { type AnyHistogram, Histogram as Counted } from "./histogram.ts";
import { type AnyJointHistogram, JointHistogram as CountedJoint } from "./joint-histogram.ts";
import { MeanHistogram } from "./mean-histogram.ts";
import { MeanJointHistogram } from "./mean-joint-histogram.ts";
import { COUNTS } from "./storage/counts.ts";
import { MEANS } from "./storage/means.ts";
import { SUMS } from "./storage/sums.ts";
import { A_COUNT, isCount, record } from "./uhi/json.ts";
import { readOutside } from "./uhi/notes.ts";
import { type Reading, readUhi } from "./uhi/read.ts";
import { WeightedHistogram as Weighted } from "./weighted-histogram.ts";
import { WeightedJointHistogram } from "./weighted-joint-histogram.ts";

/**
 * The class with its reader. Bundlers drop the reader from a program that only counts. This name differs from that of the
 * class, which a bundler would otherwise rename.
 */
export const ReadableHistogram: typeof Counted = /* @__PURE__ */ readable();
export type ReadableHistogram = Counted;
/** The same for several axes. */
export const ReadableJointHistogram: typeof CountedJoint = /* @__PURE__ */ readableJoint();
export type ReadableJointHistogram = CountedJoint;
/** The same for sums of weights. */
export const ReadableWeightedHistogram: typeof Weighted = /* @__PURE__ */ readableWeighted();
export type ReadableWeightedHistogram = Weighted;

function readable(): typeof Counted {
  Counted.fromJSON = (json) =>
    oneOf(readUhi(json, "", checkOne)) as ReturnType<typeof Counted.fromJSON<typeof json>>;
  return Counted;
}

function readableJoint(): typeof CountedJoint {
  CountedJoint.fromJSON = (json) =>
    severalOf(readUhi(json, "", checkOthers)) as ReturnType<typeof CountedJoint.fromJSON<typeof json>>;
  return CountedJoint;
}

function readableWeighted(): typeof Weighted {
  Weighted.fromJSON = (json) => {
    const reading = readUhi(json, "", checkOne);
    const { type } = reading;
    if (type === "weighted" || type === "double") {
      const { limbs, limbsOfSquares } = numbersIn(reading);
      return Weighted.of(sumsOf(reading), { provenance: null, limbs, limbsOfSquares });
    }
    const what = "weighted or double (Histogram.fromJSON reads the others)";
    throw expected("ERR_UNSUPPORTED", "storage.type", what, type);
  };
  return Weighted;
}

/**
 * Reads an object of named histograms, the top level of a file in UHI's schema. They may have any number of axes.
 * @throws as `Histogram.fromJSON` and `JointHistogram.fromJSON` do.
 */
export function histogramsFromJSON(json: unknown): Record<string, AnyHistogram | AnyJointHistogram> {
  const named = record(json, "histograms");
  if (typeof named.uhi_schema === "number") {
    throw new PolybinError(
      "ERR_INPUT",
      "expected an object of named histograms but received a single histogram: use Histogram.fromJSON",
    );
  }
  return Object.fromEntries(
    Object.entries(named).map(([name, one]) => {
      const reading = readUhi(one, `${name}.`);
      return [name, reading.axes.length === 1 ? oneOf(reading) : severalOf(reading)];
    }),
  );
}

function oneOf(reading: Reading): AnyHistogram {
  const cells = cellsOf(reading);
  if (cells.storage === MEANS) return new MeanHistogram(cells);
  if (cells.storage === COUNTS) return Counted.of(cells);
  return Weighted.of(cells, { provenance: null, ...numbersIn(reading) });
}

function severalOf(reading: Reading): AnyJointHistogram {
  const cells = cellsOf(reading);
  if (cells.storage === MEANS) return new MeanJointHistogram(cells);
  return cells.storage === COUNTS ? CountedJoint.of(cells) : WeightedJointHistogram.of(cells);
}

function checkOne(axes: number): void {
  if (axes === 1) return;
  const helps = "JointHistogram.fromJSON reads several axes, and none";
  throw expected("ERR_UNSUPPORTED", "axes.length", "one axis", axes, { helps });
}

function checkOthers(axes: number): void {
  if (axes !== 1) return;
  const helps = "Histogram.fromJSON reads one axis";
  throw expected("ERR_UNSUPPORTED", "axes.length", "several axes, or none,", axes, { helps });
}

/** Returns the cells of any storage. @throws ERR_INPUT if polybin's own notes are invalid. */
function cellsOf(reading: Reading): Cells {
  const { type, rows, own } = reading;
  if (type === "mean" || type === "weighted_mean") {
    const sums = (rows.counts ?? rows.sum_of_weights)!;
    const all = [sums, rows.sum_of_weights_squared ?? null, rows.values!, rows.variances!];
    return { ...common(reading), storage: MEANS, rows: all };
  }
  const values = rows.values!;
  if (type === "weighted" || (type === "double" && !areCounts(reading, values))) return sumsOf(reading);
  readOutside(own.cells, `${notesOf(reading)}.cells`, values, reading, isCount);
  return { ...common(reading), storage: COUNTS, rows: [values] };
}

/** Returns the cells of weighted or double storage. @throws ERR_INPUT */
function sumsOf(reading: Reading): Cells {
  const { rows, own } = reading;
  const notes = notesOf(reading);
  const [sums, squares] = [rows.values!, rows.variances ?? null];
  readOutside(own.cells, `${notes}.cells`, sums, reading, Number.isFinite);
  if (squares) readOutside(own.cellsOfSquares, `${notes}.cellsOfSquares`, squares, reading, Number.isFinite);
  const counts = countsIn(own.counts, `${notes}.counts`, sums.length);
  return { ...common(reading), storage: SUMS, rows: [counts, sums, squares] };
}

function common(reading: Reading): Omit<Cells, "storage" | "rows"> {
  const { axes, types, extents, own, carried } = reading;
  const masked = own.masked ?? 0;
  if (!isCount(masked)) throw expected("ERR_INPUT", `${notesOf(reading)}.masked`, A_COUNT, masked);
  return { axes, types, extents, masked, carried };
}

/**
 * The default storage of boost-histogram and hist holds counts as doubles. They record whether weights were used, and
 * polybin records whether the numbers are sums.
 */
function areCounts({ own, carried }: Reading, values: Float64Array): boolean {
  const weighted = own.weighted === true || carried.histogram.metadata._variance_known === false;
  return !weighted && values.every(isCount);
}

/** Parses the counts of all cells as `toJSON` writes them. @throws ERR_INPUT */
function countsIn(noted: unknown, name: string, cells: number): Float64Array | null {
  if (noted === undefined) return null;
  if (typeof noted === "string" && /^\d+( \d+)*$/.test(noted)) {
    const counts = Float64Array.from(noted.split(" "), Number);
    if (counts.length === cells && counts.every(isCount)) return counts;
  }
  throw expected("ERR_INPUT", name, `${cells} whole numbers separated by spaces`, noted);
}

/** How many limbs the sums were made of. @throws ERR_INPUT */
function numbersIn(reading: Reading): { limbs: number | null; limbsOfSquares: number | null } {
  const number = (name: "limbs" | "limbsOfSquares"): number | null => {
    const value = reading.own[name] ?? null;
    if (value === null || Number.isFinite(value)) return value as number | null;
    throw expected("ERR_INPUT", `${notesOf(reading)}.${name}`, "a finite number", value);
  };
  return { limbs: number("limbs"), limbsOfSquares: number("limbsOfSquares") };
}

function notesOf({ prefix }: Reading): string {
  return `${prefix}writer_info.polybin`;
}
