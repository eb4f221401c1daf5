import {
  type AxisParts,
  axisBeforehand,
  binsOf,
  checkAxisOptions,
  dataRange,
  edgesOf,
  type OrderedAxis,
} from "../axis/index.ts";
import { BYTE_VALUES, checkNames, expected, FLOW_ROWS, ownOptions, PolybinError } from "../base/index.ts";
import { countBytes, loopCounter, loopOverEdges, rankedByLine, tableLoop } from "../cpu/index.ts";
import {
  ARRAY_TYPES,
  bitsOf,
  extentOfRun,
  SAMPLE_TRAITS,
  SAMPLE_TYPES,
  type SampleArray,
  type SampleType,
} from "../input/index.ts";
import { lineOf, NAN, OVERFLOW, type TableLowering, tableLowering, UNDERFLOW } from "../lowering/index.ts";

/** How `histogramSync` chooses its bins: by an axis, or by `bins` and `range`, as `histogram` does. */
export type SyncOptions = Pick<AxisParts, "axis" | "bins" | "range">;

/** The counts of one array. */
export interface Counts {
  /** Number of samples in each bin. Bin i holds edges[i] <= x < edges[i + 1]. */
  readonly counts: Float64Array;
  /** The bins + 1 edges, in the precision of the samples. */
  readonly edges: Float64Array;
  /** Number of samples below the first edge. */
  readonly underflow: number;
  /** Number of samples above the last edge. */
  readonly overflow: number;
  readonly nan: number;
}

/**
 * Counts the samples of an array on this thread, without an engine. The bins, the edges and the counts are those of an
 * engine's `histogram`.
 * @param values a typed array of 8, 16 or 32 bits or of f64, or a list of numbers, which are f64
 * @throws ERR_INPUT for other values, or an invalid option.
 * @throws ERR_AXIS or ERR_LIMIT for an invalid axis.
 * @throws ERR_UNSUPPORTED for a rule for `bins`, or an axis that is not integer, regular or variable.
 */
export function histogramSync(
  values: SampleArray | Uint8ClampedArray | readonly number[],
  options: SyncOptions = {},
): Counts {
  const own = ownOptions(options);
  checkNames(own, ["axis", "bins", "range"] satisfies (keyof SyncOptions)[]);
  checkAxisOptions(own);
  const samples = samplesOf(values);
  const type = typeOf(samples)!;
  const axis = axisOf(samples, type, own);
  const edges = edgesOf(axis, type);
  const { cells, flow } = counted(samples, type, axis);
  return {
    counts: cells,
    edges,
    underflow: flow[UNDERFLOW]!,
    overflow: flow[OVERFLOW]!,
    nan: flow[NAN]!,
  };
}

function samplesOf(values: unknown): SampleArray {
  const type = typeOf(values);
  if (type !== undefined && SAMPLE_TYPES.includes(type)) return values as SampleArray;
  if (!Array.isArray(values)) {
    throw expected("ERR_INPUT", "values", "a typed array or a list of numbers", values, { helps: ENGINE });
  }
  // `some` would pass over what a list leaves out.
  const at = values.findIndex((value) => typeof value !== "number");
  if (at >= 0) throw expected("ERR_INPUT", `values[${at}]`, "a number", values[at]);
  return Float64Array.from(values);
}

function typeOf(values: unknown): SampleType | undefined {
  return ARRAY_TYPES.get((values as SampleArray | null | undefined)?.[Symbol.toStringTag]);
}

const ENGINE = "an engine counts everything else";

function axisOf(samples: SampleArray, type: SampleType, options: SyncOptions): OrderedAxis {
  const { axis, bins } = options;
  const isOther = axis !== undefined && /^(category|boolean|circular)$/.test(axis?.type);
  if (isOther || typeof bins === "string") {
    const [what, given] = isOther
      ? ["an integer, regular or variable axis", `a ${axis.type} axis`]
      : ["a number or edges for bins", `the rule ${bins}`];
    throw new PolybinError("ERR_UNSUPPORTED", `expected ${what} but received ${given}; ${ENGINE}`);
  }
  const known = axisBeforehand(type, options);
  if (known !== null) return known as OrderedAxis;
  const { min, max } = extentOfRun(samples, 1, [0]);
  return dataRange(binsOf(options), type, min, max);
}

function counted(
  samples: SampleArray,
  type: SampleType,
  axis: OrderedAxis,
): { readonly cells: Float64Array; readonly flow: Float64Array } {
  const { bytes } = SAMPLE_TRAITS[type];
  if (bytes === 1) return countedBytes(samples, tableLowering(axis, type));
  const loop = bytes === 2 ? tableLoop(tableLowering(axis, type)) : loopOverEdges(axis, type, onLine);
  const counter = loopCounter(loop);
  counter.add(samples);
  return counter.channels()[0]!;
}

function onLine(thresholds: Float64Array): ReturnType<typeof rankedByLine> | null {
  const line = lineOf(thresholds);
  return line && rankedByLine(line);
}

function countedBytes(
  samples: SampleArray,
  { table, bins }: TableLowering,
): { readonly cells: Float64Array; readonly flow: Float64Array } {
  const ofValues = new Float64Array(BYTE_VALUES);
  countBytes([ofValues], bitsOf(samples) as Uint8Array, [0], 1, false);
  const cells = new Float64Array(bins);
  const flow = new Float64Array(FLOW_ROWS);
  table.forEach((code, value) => {
    const [to, at] = code < bins ? [cells, code] : [flow, code - bins];
    to[at]! += ofValues[value]!;
  });
  return { cells, flow };
}
