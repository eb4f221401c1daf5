/** Comparisons of two tables: the changes of each column, and how far its values moved. */
import type { Engine } from "@polybin/core";
import { checkNames, checkObject, expected } from "@polybin/core/backend";
import { type CountedSide, countSides, type ProfileJson, type ProfileOptions } from "../profile/index.ts";
import type { Table } from "../table/index.ts";
import { comparisonOf } from "./columns.ts";
import type { ComparisonJson } from "./json.ts";
import { COMPARE_OPTIONS } from "./options.ts";
import { countedSide, jsonSide } from "./side.ts";

export type { ColumnChangeJson, ComparisonJson, DistanceJson, ValueSetJson } from "./json.ts";

export { byChange, type ColumnEvent, eventOf } from "./order.ts";

/** Options of `compare`: those of a profile that hold for both sides. */
export type CompareOptions = Omit<
  ProfileOptions,
  "ranges" | "joint" | "correlations" | "duplicates" | "over" | "sample"
>;

/**
 * Profiles two sets of tables and compares them, column by column. Columns with one name and type are counted over the same
 * bins.
 * @param a the tables before. Tables of one side are profiled together.
 * @param b the tables after.
 * @throws as `profile`
 */
export async function compare(
  engine: Engine,
  a: readonly Table[],
  b: readonly Table[],
  options: CompareOptions = {},
): Promise<ComparisonJson> {
  checkNames(options, COMPARE_OPTIONS);
  const [x, y] = await countSides(engine, [a, b], options);
  return compareSides(x!, y!);
}

/** Compares two profiles and the counts that they come from. */
export function compareSides(a: CountedSide, b: CountedSide): ComparisonJson {
  const sides = { a, b };
  return comparisonOf(a.profile, b.profile, (json, of) => countedSide(json, sides[of]));
}

/**
 * Compares two profiles, as far as their JSON goes. Values are known if a profile lists all of them. Bins may differ, and the
 * distance then has wider bounds.
 * @throws ERR_INPUT for anything but profiles of version 1.
 */
export function compareProfiles(a: ProfileJson, b: ProfileJson): ComparisonJson {
  for (const [name, profile] of [
    ["a", a],
    ["b", b],
  ] as const) {
    checkObject(profile, { of: name });
    if (profile.version !== 1) throw expected("ERR_INPUT", `${name}.version`, "1", profile.version);
  }
  return comparisonOf(a, b, jsonSide);
}
