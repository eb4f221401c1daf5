import { type Axis, regular, variable } from "@polybin/core";
import { type ColumnInfo, type StatedExtent, sampleTypeOf } from "../../table/index.ts";
import { Moments } from "../exact/moments.ts";
import { FINE, JOINT_BINS, MOST_ROWS } from "../limits.ts";
import { isComplete } from "../partial/bins.ts";
import type { ColumnPartial } from "../partial/column-partial.ts";
import {
  type ColumnPlan,
  type JointPlan,
  namesWithRows,
  type PassPlan,
  type SamplePlan,
} from "../partial/plan.ts";
import type { ProfilePartial } from "../partial/profile-partial.ts";
import { axisOf, type FineAxis, givenAxis } from "./axes.ts";
import { finiteOf, middleRange } from "./middle.ts";
import { foundOver, knownOver } from "./over-plans.ts";

/** The counts that a profile makes, independent of any file. Plain JSON. */
export interface ProfileRequest {
  readonly bins: number;
  /** The most different values of a column to count exactly; 0 counts none. */
  readonly distinctLimit: number;
  /** Ranges of columns by their names. */
  readonly ranges: Readonly<Record<string, readonly [number, number]>>;
  /** Pairs of columns to count together. */
  readonly joint: readonly (readonly [string, string])[];
  /** Whether to count all pairs of columns of numbers, and nulls that two columns share. Default: false. */
  readonly correlations?: boolean;
  /** Whether to count rows that equal an earlier one. Default: false. */
  readonly duplicates?: boolean;
  /** The column of times or numbers in whose bins all others are averaged. Default: none. */
  readonly over?: string | undefined;
}

/** The smallest and the largest value of a column, if the files state them. */
export type KnownExtents = ReadonlyMap<string, StatedExtent>;

/**
 * Plans the first pass: moments and values of all columns, and bins of those whose range is known. Refused columns are
 * left out.
 */
export function firstPass(
  columns: readonly ColumnInfo[],
  known: KnownExtents,
  request: ProfileRequest,
  sample: SamplePlan | null = null,
): PassPlan {
  const plans = columns
    .filter(({ type }) => type.kind !== "refused")
    .map(({ name, type }): ColumnPlan => {
      const found = knownAxis({ name, type }, known, request);
      return {
        name,
        logical: type,
        moments: true,
        distinctLimit: request.distinctLimit === 0 ? null : request.distinctLimit,
        axis: found?.axis ?? null,
        joined: found?.joined ?? 1,
        whole: found?.whole ?? false,
        heavy: null,
      };
    });
  const joint = request.joint.flatMap((pair) =>
    jointOf(pair, (name) => plans.find((plan) => plan.name === name)!),
  );
  return {
    columns: plans,
    joint,
    pairs: null,
    over: knownOver(plans, known, request),
    sample,
    rowLimit: request.duplicates === true ? MOST_ROWS : null,
  };
}

function knownAxis(
  { name, type }: Pick<ColumnInfo, "name" | "type">,
  known: KnownExtents,
  { ranges, bins }: ProfileRequest,
): FineAxis | null {
  if (sampleTypeOf(type) === null) return null;
  if (type.kind === "boolean") return axisOf(type, bins, 0, 1);
  const range = Object.hasOwn(ranges, name) ? ranges[name] : undefined;
  if (range !== undefined) return givenAxis(sampleTypeOf(type)!, bins, ...range);
  const extent = known.get(name);
  return extent === undefined ? null : axisOf(type, bins, extent.min, extent.max);
}

/**
 * Plans the pass after the first: bins of the columns whose range the first pass found, frequent values beyond the limit,
 * and the remaining pairs. Null if nothing remains.
 * @param momentsOf the moments whose extent the bins of a column span. Default: those of the first pass
 */
export function nextPass(
  first: ProfilePartial,
  request: ProfileRequest,
  momentsOf: (column: ColumnPartial) => ColumnPartial["moments"] = ({ moments }) => moments,
): PassPlan | null {
  const all = first.columns.map((column) => nextOf(column, momentsOf(column), request));
  const axisOfColumn = (name: string): Pick<ColumnPlan, "axis"> => {
    const [before, now] = [first.plan.columns, all].map((plans) => plans.find((plan) => plan.name === name)!);
    if (before!.axis !== null) return before!;
    const column = first.columns.find(({ plan }) => plan.name === name)!;
    const { axis } = middleAxis(column, request.bins) ?? now!;
    return { axis: axis ?? NO_VALUES };
  };
  const counted = new Set(first.plan.joint.map(({ columns }) => columns.join("\0")));
  const joint = request.joint.flatMap((pair) =>
    counted.has(pair.join("\0")) ? [] : jointOf(pair, axisOfColumn),
  );
  const over = foundOver([first], request);
  const needed = namesWithRows({ joint, pairs: null, over });
  const columns = all.filter(
    ({ name, moments, axis, heavy }) => moments || axis !== null || heavy !== null || needed.has(name),
  );
  const { sample } = first.plan;
  return columns.length === 0 ? null : { columns, joint, pairs: null, over, sample, rowLimit: null };
}

/** The bins of a column without finite values, as core has them. */
const NO_VALUES = regular(1, 0, 1);

/** The plan of the next pass over a column. */
function nextOf(
  { plan, values, bins }: ColumnPartial,
  moments: ColumnPartial["moments"],
  { bins: most, distinctLimit }: ProfileRequest,
): ColumnPlan {
  // Statistics that are wrong leave values outside of the bins.
  const isWrong = plan.whole && !isComplete(bins!);
  const found = plan.axis === null ? foundAxis(plan, moments, most) : null;
  const cells = values?.heavyCells()?.cells ?? [];
  return {
    ...plan,
    moments: isWrong,
    distinctLimit: isWrong ? plan.distinctLimit : null,
    axis: found?.axis ?? null,
    joined: found?.joined ?? 1,
    whole: false,
    heavy: cells.length === 0 ? null : { cells, limit: distinctLimit },
  };
}

/** The bins over the extent that the first pass found. */
function foundAxis(plan: ColumnPlan, moments: ColumnPartial["moments"], bins: number): FineAxis | null {
  if (!(moments instanceof Moments) || moments.min === null) return null;
  return axisOf(plan.logical, bins, moments.min, moments.max!);
}

/** Bins over the middle of the values, so that one outlier does not leave a pair a single row of cells. */
function middleAxis({ plan, moments, values }: ColumnPartial, bins: number): FineAxis | null {
  const sorted = moments instanceof Moments ? (values?.sorted() ?? null) : null;
  const ends = sorted === null ? null : middleRange(finiteOf(sorted));
  return ends === null ? null : axisOf(plan.logical, bins, ...ends);
}

/** A pair whose axes are both known. */
function jointOf(
  [x, y]: readonly [string, string],
  planOf: (name: string) => Pick<ColumnPlan, "axis">,
): JointPlan[] {
  const [a, b] = [planOf(x), planOf(y)].map(coarse);
  return a == null || b == null ? [] : [{ columns: [x, y], axes: [a, b] }];
}

/** Fewer bins over the range of an axis, each of equally many integers if its bins are. */
function coarse({ axis }: Pick<ColumnPlan, "axis">): Axis | null {
  if (axis === null || axis.bins <= JOINT_BINS) return axis;
  if (axis.type === "variable")
    return variable(axis.edges.filter((_, i) => i % FINE === 0 || i === axis.bins));
  if (axis.type !== "regular" && axis.type !== "integer") return null;
  const [lo, hi] = axis.type === "regular" ? [axis.lo, axis.hi] : [axis.start, axis.stop];
  const width = (hi - lo) / axis.bins;
  if (!Number.isInteger(width)) return regular(JOINT_BINS, lo, hi);
  const each = Math.ceil(axis.bins / JOINT_BINS);
  const bins = Math.ceil(axis.bins / each);
  return regular(bins, lo, lo + bins * each * width);
}
