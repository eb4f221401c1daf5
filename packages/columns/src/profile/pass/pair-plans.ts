import { type Axis, boolean, PolybinError, regular, variable } from "@polybin/core";
import { sampleTypeOf } from "../../table/index.ts";
import { JOINT_BINS, MOST_CORRELATED } from "../limits.ts";
import type { Bins } from "../partial/bins.ts";
import type { ColumnPartial } from "../partial/column-partial.ts";
import { type ColumnPlan, namesWithRows, type PairsPlan, type PassPlan } from "../partial/plan.ts";
import type { ProfilePartial } from "../partial/profile-partial.ts";
import { countedOf } from "../result/facts.ts";
import type { Counted } from "../values/values.ts";
import { finiteOf } from "./middle.ts";
import { foundOver } from "./over-plans.ts";
import { nextPass, type ProfileRequest } from "./plans.ts";

/**
 * Plans the pass after those that were counted. Null if nothing remains.
 * @param momentsOf as for `nextPass`
 */
export function planAfter(
  passes: readonly ProfilePartial[],
  request: ProfileRequest,
  momentsOf?: (column: ColumnPartial) => ColumnPartial["moments"],
): PassPlan | null {
  const next = passes.length === 1 ? nextPass(passes[0]!, request, momentsOf) : null;
  if (next !== null) return next;
  const over = foundOver(passes, request);
  if (over !== null) return rowsPass(passes[0]!, { over });
  if (request.correlations !== true) return null;
  return passes.some(({ pairs }) => pairs !== null) ? null : pairsPass(passes);
}

/** Plans the pass over pairs of columns. Their bins hold about equally many values. @throws ERR_LIMIT for too many columns */
function pairsPass(passes: readonly ProfilePartial[]): PassPlan | null {
  const first = passes[0]!;
  const numbers = first.columns.filter(({ plan }) => sampleTypeOf(plan.logical) !== null);
  const nullable = first.columns.filter(({ nulls, rows }) => nulls > 0 && nulls < rows);
  check(numbers.length, "columns of numbers");
  check(nullable.length, "columns with nulls");
  if (numbers.length < 2 && nullable.length < 2) return null;
  const columns = numbers.map(({ plan: { name, logical } }) => {
    if (logical.kind === "boolean") return { name, axis: boolean() };
    const { values, bins } = countedOf(passes, name);
    return {
      name,
      axis: axisOver(values !== null ? edgesOfValues(values) : bins !== null ? edgesOfBins(bins) : []),
    };
  });
  const pairs: PairsPlan = { columns, nullable: nullable.map(({ plan }) => plan.name) };
  return rowsPass(first, { pairs });
}

/** The pass that reads columns for their rows alone. */
function rowsPass(
  { plan }: ProfilePartial,
  { pairs = null, over = null }: Partial<Pick<PassPlan, "pairs" | "over">>,
): PassPlan {
  const counted = { joint: [], pairs, over, sample: plan.sample, rowLimit: null };
  const read = namesWithRows(counted);
  return { ...counted, columns: plan.columns.filter(({ name }) => read.has(name)).map(withoutCounts) };
}

/** A column whose rows are read, and nothing else of it is counted. */
function withoutCounts(plan: ColumnPlan): ColumnPlan {
  return { ...plan, moments: false, distinctLimit: null, axis: null, joined: 1, whole: false, heavy: null };
}

function check(count: number, what: string): void {
  if (count <= MOST_CORRELATED) return;
  throw new PolybinError(
    "ERR_LIMIT",
    `expected at most ${MOST_CORRELATED} ${what} for correlations but received ${count}; choose some with columns`,
  );
}

/** Values from the last edge on are above the bins, so that the largest value has a code of its own. */
function axisOver(edges: readonly number[]): Axis {
  const different = [...new Set(edges)].sort((a, b) => a - b);
  return different.length < 2 ? NO_BINS : variable(different, { closed: false });
}

/** The bins of a column that does not vary. */
const NO_BINS = regular(1, 0, 1);

/** All values if they are few, else those between equal shares of them. */
function edgesOfValues(values: readonly Counted[]): number[] {
  const ascending = finiteOf(values);
  if (ascending.length <= JOINT_BINS) return ascending.map(({ value }) => Number(value));
  return edgesBetween(
    ascending.map(({ count }) => count),
    (i) => Number(ascending[i]!.value),
  );
}

function edgesOfBins({ counts, edges }: Bins): number[] {
  return [...edgesBetween(counts, (bin) => edges[bin]!), edges[edges.length - 1]!].filter(Number.isFinite);
}

/** The places at which equal shares of the counts begin. */
function edgesBetween(counts: ArrayLike<number>, placeOf: (i: number) => number): number[] {
  const total = Array.from(counts).reduce((sum, count) => sum + count, 0);
  const places: number[] = [];
  let [below, next] = [0, 0];
  for (let i = 0; i < counts.length; i++) {
    if (counts[i]! > 0 && below >= (next * total) / JOINT_BINS) {
      places.push(placeOf(i));
      while (below >= (next * total) / JOINT_BINS) next++;
    }
    below += counts[i]!;
  }
  return places;
}
