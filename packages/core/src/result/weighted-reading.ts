import { expected } from "../base/index.ts";
import type { Flow } from "./binned.ts";
import { isCount } from "./uhi/json.ts";
import { type Reading, readUhi } from "./uhi/read.ts";
import { WeightedHistogram as Weighed } from "./weighted-histogram.ts";

/**
 * The class with its reader. Bundlers drop the reader from a program that only counts. This name differs from that of the
 * class, which a bundler would otherwise rename.
 */
export const ReadableWeightedHistogram: typeof Weighed = /* @__PURE__ */ readable();
export type ReadableWeightedHistogram = Weighed;

function readable(): typeof Weighed {
  Weighed.fromJSON = (json) => {
    const reading = readUhi(json);
    if (reading.type === "weighted" || reading.type === "double") return weightedOf(reading);
    throw expected(
      "ERR_UNSUPPORTED",
      "storage.type",
      "weighted or double (Histogram.fromJSON reads the others)",
      reading.type,
    );
  };
  return Weighed;
}

/**
 * Creates a WeightedHistogram from weighted or double storage. @throws ERR_INPUT if polybin's own notes are invalid.
 */
export function weightedOf({ axis, samples, rows, nan, own, prefix, carried }: Reading): Weighed {
  const name = `${prefix}writer_info.polybin`;
  const number = (key: string, otherwise: number | null) => numberOf(own[key], `${name}.${key}`, otherwise);
  const { values, variances = null } = rows;
  const counts = countsOf(own.counts, `${name}.counts`, axis.bins);
  const numbers = {
    counts: counts && binsOf(counts),
    flow: counts && flowOf(counts, nan),
    sums: binsOf(values!),
    flowSums: flowOf(values!, number("nanSum", 0)!, number("underflowSum", null)),
    sumsOfSquares: variances && binsOf(variances),
    flowSumsOfSquares:
      variances && flowOf(variances, number("nanSumOfSquares", 0)!, number("underflowSumOfSquares", null)),
    limbs: number("limbs", null),
    limbsOfSquares: number("limbsOfSquares", null),
    masked: number("masked", 0)!,
  };
  return new Weighed(axis, samples, numbers, null, carried);
}

function binsOf(row: Float64Array): Float64Array {
  return row.slice(1, -1);
}

function flowOf(row: Float64Array, nan: number, underflow: number | null = null): Flow {
  return { underflow: underflow ?? row[0]!, overflow: row[row.length - 1]!, nan };
}

function numberOf(value: unknown, name: string, otherwise: number | null): number | null {
  if (value === undefined) return otherwise;
  if (!Number.isFinite(value)) throw expected("ERR_INPUT", name, "a finite number", value);
  return value as number;
}

/** Parses counts as `toJSON` writes them, flow bins included. */
function countsOf(noted: unknown, name: string, bins: number): Float64Array | null {
  if (noted === undefined) return null;
  if (typeof noted === "string" && /^\d+( \d+)*$/.test(noted)) {
    const counts = Float64Array.from(noted.split(" "), Number);
    if (counts.length === bins + 2 && counts.every(isCount)) return counts;
  }
  throw expected("ERR_INPUT", name, `${bins + 2} whole numbers separated by spaces`, noted);
}
