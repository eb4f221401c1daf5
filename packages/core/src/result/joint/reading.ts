import { expected } from "../../base/index.ts";
import { A_COUNT, isCount } from "../uhi/json.ts";
import { type JointReading, readJointUhi } from "../uhi/read.ts";
import { type AnyJointHistogram, JointHistogram as Counted } from "./joint-histogram.ts";
import { MeanJointHistogram } from "./mean-joint-histogram.ts";
import { readOutside } from "./notes.ts";
import { WeightedJointHistogram } from "./weighted-joint-histogram.ts";

/**
 * The class with its reader. Bundlers drop the reader from a program that only counts. This name differs from that of the
 * class, which a bundler would otherwise rename.
 */
export const ReadableJointHistogram: typeof Counted = /* @__PURE__ */ readable();
export type ReadableJointHistogram = Counted;

function readable(): typeof Counted {
  Counted.fromJSON = (json) =>
    jointOf(readJointUhi(json)) as ReturnType<typeof Counted.fromJSON<typeof json>>;
  return Counted;
}

/** Creates the result of any storage. @throws ERR_INPUT if polybin's own notes are invalid. */
export function jointOf(reading: JointReading): AnyJointHistogram {
  const { type, axes, types, extents, rows, own, prefix, carried } = reading;
  const notes = `${prefix}writer_info.polybin`;
  const masked = own.masked ?? 0;
  if (!isCount(masked)) throw expected("ERR_INPUT", `${notes}.masked`, A_COUNT, masked);
  if (type === "mean" || type === "weighted_mean") {
    const cells = {
      sums: (rows.counts ?? rows.sum_of_weights)!,
      sumsOfSquares: rows.sum_of_weights_squared ?? null,
      means: rows.values!,
      variances: rows.variances!,
    };
    return new MeanJointHistogram({ axes, types, extents, masked, provenance: null, carried }, cells);
  }
  const sums = rows.values!;
  if (type === "int" || (type === "double" && areCounts(reading, sums))) {
    readOutside(own.cells, `${notes}.cells`, sums, reading, isCount);
    return new Counted(axes, types, { cells: sums, extents, masked }, null, carried);
  }
  readOutside(own.cells, `${notes}.cells`, sums, reading, Number.isFinite);
  const squares = rows.variances ?? null;
  if (squares) readOutside(own.cellsOfSquares, `${notes}.cellsOfSquares`, squares, reading, Number.isFinite);
  const cells = {
    counts: countsOf(own.counts, `${notes}.counts`, sums.length),
    sums,
    sumsOfSquares: squares,
  };
  return new WeightedJointHistogram(axes, types, { cells, extents, masked }, null, carried);
}

/** Doubles are counts under the same rule as those of one axis. */
function areCounts({ own, carried }: JointReading, values: Float64Array): boolean {
  const weighted = own.weighted === true || carried.histogram.metadata._variance_known === false;
  return !weighted && values.every(isCount);
}

/** Parses the counts of all cells as `toJSON` writes them. */
function countsOf(noted: unknown, name: string, cells: number): Float64Array | null {
  if (noted === undefined) return null;
  const counts =
    typeof noted === "string" ? Float64Array.from(noted.split(" "), Number) : new Float64Array(0);
  if (counts.length === cells && counts.every(isCount)) return counts;
  throw expected("ERR_INPUT", name, `${cells} whole numbers separated by spaces`, noted);
}
