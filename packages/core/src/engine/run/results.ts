import { type IntegerAxis, own } from "../../axis/index.ts";
import { FLOW_ROWS } from "../../base/index.ts";
import type { SampleType } from "../../input/index.ts";
import {
  CountedHistogram,
  CountedJointHistogram,
  CountedSegments,
  Grouped,
  newRows,
  type Provenance,
  type Rows,
  regroupedRows,
  WeighedHistogram,
  WeightedJointHistogram,
} from "../../result/index.ts";
import type { CallCounts } from "./run.ts";
import { axesOf } from "./tallies/call.ts";
import type { CellCounts } from "./tallies/cells-tally.ts";
import { SegmentsTally } from "./tallies/segments-tally.ts";
import { type CellSums, SumsTally } from "./tallies/sums-tally.ts";
import { WeightedTally } from "./tallies/weighted-tally.ts";

/** Any result of a call. */
export type AnyResult =
  | CountedHistogram
  | CountedJointHistogram
  | WeighedHistogram
  | WeightedJointHistogram
  | CountedSegments
  | Grouped
  | Grouped<CountedJointHistogram>
  | Grouped<WeighedHistogram>
  | Grouped<WeightedJointHistogram>;

/**
 * Creates the result of a call from what it counted. With a list of weights, it is a list of results, one for each
 * column.
 * @param into an array for the counts of segments
 * @throws ERR_INPUT for codes outside the groups; ERR_LIMIT for a sum that no double holds
 */
export function resultOf(counted: CallCounts, into?: Uint32Array): AnyResult | readonly AnyResult[] {
  const { tally, timings, call } = counted;
  const provenance: Provenance = { ...tally.provenance, timings };
  if (tally instanceof SegmentsTally) return segmentsOf(counted, tally, provenance, into);
  if (tally instanceof SumsTally || tally instanceof WeightedTally) {
    const all = tally.sums().map((sums) => sumsOf(counted, sums, provenance));
    return call.isWeightList ? all : all[0]!;
  }
  const counts = tally.counts();
  if (call.segments === null) return countsOf(counted, counts, provenance);
  return counted.columns.length === 1
    ? rowsOf(counted, counts, provenance, into)
    : countsOf(counted, counts, provenance);
}

/** The axes of a result and the types of its samples, with the numbers of segments as the first axis. */
function gridOf({ call, columns }: CallCounts) {
  const { axes, types } = axesOf(columns);
  const { segments } = call;
  if (segments === null) return { axes, types };
  const row = own<IntegerAxis>({
    type: "integer",
    bins: segments.count,
    start: 0,
    stop: segments.count,
  });
  return { axes: [row, ...axes], types: ["u32" satisfies SampleType, ...types] as SampleType[] };
}

const hasRows = ({ call }: CallCounts): boolean => call.groups !== null || call.segments !== null;

function countsOf(counted: CallCounts, counts: CellCounts, provenance: Provenance): AnyResult {
  const { axes, types } = gridOf(counted);
  const joint = new CountedJointHistogram(axes, types, counts, provenance);
  if (hasRows(counted)) return new Grouped<CountedJointHistogram>(joint);
  return axes.length === 1 ? CountedHistogram.of(joint, provenance) : joint;
}

function sumsOf(counted: CallCounts, sums: CellSums, provenance: Provenance): AnyResult {
  const { axes, types } = gridOf(counted);
  const { counts, sums: of, sumsOfSquares, extents, masked, limbs, limbsOfSquares } = sums;
  const cells = { counts, sums: of, sumsOfSquares };
  const joint = new WeightedJointHistogram(axes, types, { cells, extents, masked }, provenance);
  if (hasRows(counted)) return new Grouped<WeightedJointHistogram>(joint) as AnyResult;
  return axes.length === 1 ? WeighedHistogram.of(joint, { limbs, limbsOfSquares, provenance }) : joint;
}

function segmentsOf(
  { call, columns }: CallCounts,
  tally: SegmentsTally,
  provenance: Provenance,
  into: Uint32Array | undefined,
): CountedSegments {
  const { axis, type } = columns[0]!;
  const { count } = call.segments!;
  const found = tally.counted();
  const rows =
    tally.codes === null
      ? found
      : regroupedRows(found, { segments: count, codes: tally.codes, bins: axis.bins }, into);
  return new CountedSegments({ axis, type, segments: count, masked: 0, provenance }, rows);
}

/** Creates segments from the cells of rows. */
function rowsOf(
  { call, columns }: CallCounts,
  { cells, extents, masked }: CellCounts,
  provenance: Provenance,
  into: Uint32Array | undefined,
): CountedSegments {
  const { axis, type } = columns[0]!;
  const segments = call.segments!;
  const { bins } = axis;
  const extent = extents[1]!;
  const rows: Rows = newRows(segments, { bins, flow: extent > bins }, into);
  // An axis with a single cell of flow has only overflow.
  const codes = extent - bins === 1 ? [1] : [0, 1, 2];
  for (let segment = 0; segment < segments.count; segment++) {
    const row = cells.subarray(segment * extent, (segment + 1) * extent);
    for (let bin = 0; bin < bins; bin++) rows.counts[segment * bins + bin] = row[bin]!;
    for (let i = bins; i < extent; i++) rows.flow![segment * FLOW_ROWS + codes[i - bins]!] = row[i]!;
  }
  return new CountedSegments({ axis, type, segments: segments.count, masked, provenance }, rows);
}
