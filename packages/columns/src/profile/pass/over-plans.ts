import { PolybinError } from "@polybin/core";
import type { LogicalType, StatedExtent } from "../../table/index.ts";
import { Moments } from "../exact/moments.ts";
import type { ColumnPlan, OverPlan } from "../partial/plan.ts";
import type { ProfilePartial } from "../partial/profile-partial.ts";
import { factsOf } from "../result/facts.ts";
import { overAxisOf } from "./over-axis.ts";

type Planned = Pick<ColumnPlan, "name" | "logical">;
/** The column of a request, and the ranges that it gives. */
interface OverRequest {
  readonly over?: string | undefined;
  readonly ranges: Readonly<Record<string, Ends>>;
}

/** The smallest and the largest value. */
type Ends = readonly [min: number | bigint, max: number | bigint];

/** The means over a column whose range is given or stated. Null if nobody asked, or the range is unknown. */
export function knownOver(
  columns: readonly Planned[],
  known: ReadonlyMap<string, StatedExtent>,
  { over, ranges }: OverRequest,
): OverPlan | null {
  if (over === undefined) return null;
  const extent = known.get(over);
  const ends = givenEnds(over, ranges) ?? (extent === undefined ? null : ([extent.min, extent.max] as const));
  return ends === null ? null : overPlan(columns, over, ends);
}

/**
 * The means over a column whose range the passes found. Null if nobody asked, if a pass has counted them, or if the range is
 * still unknown.
 * @throws ERR_INPUT if the column has no values
 */
export function foundOver(passes: readonly ProfilePartial[], { over, ranges }: OverRequest): OverPlan | null {
  const { plan, rows } = passes[0]!;
  if (over === undefined || rows === 0) return null;
  const { moments } = factsOf(
    passes.flatMap(({ columns }) => columns.filter((one) => one.plan.name === over)),
  );
  // Another pass counts a column whose statistics are wrong.
  if (!(moments instanceof Moments)) return null;
  if (moments.min === null) throw noValues(over, rows);
  const counted = passes.findLast((pass) => pass.over !== null)?.over ?? null;
  // Statistics that are wrong leave values outside of the bins.
  if (counted !== null && (counted.outside === 0 || givenEnds(over, ranges) !== null)) return null;
  return overPlan(plan.columns, over, [moments.min, moments.max!]);
}

function givenEnds(name: string, ranges: OverRequest["ranges"]): Ends | null {
  const range = Object.hasOwn(ranges, name) ? ranges[name]! : null;
  return range === null ? null : range;
}

/** @throws ERR_LIMIT for a range that is wider than any number */
function overPlan(columns: readonly Planned[], over: string, [min, max]: Ends): OverPlan {
  const { logical } = columns.find(({ name }) => name === over)!;
  const found = overAxisOf(logical, min, max);
  if (found === null) {
    throw new PolybinError(
      "ERR_LIMIT",
      `expected a range that is no wider than the largest double for over but that of ${JSON.stringify(over)} is from ${min} to ${max}; pass ranges`,
    );
  }
  const names = columns
    .filter(({ name, logical: of }) => name !== over && isAveraged(of))
    .map(({ name }) => name);
  return { column: over, ...found, columns: names };
}

/** Whether the mean of a column says something: points in time have none that does. */
function isAveraged({ kind }: LogicalType): boolean {
  return kind === "number" || kind === "decimal" || kind === "boolean";
}

function noValues(name: string, rows: number): PolybinError {
  return new PolybinError(
    "ERR_INPUT",
    `expected values in column ${JSON.stringify(name)} for over but none of its ${rows} rows has a finite one`,
  );
}
