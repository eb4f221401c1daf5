import { type ColumnJson, type ProfileJson, typeKey } from "../profile/index.ts";
import { distanceOf } from "./distance.ts";
import type { ColumnChangeJson, ComparisonJson } from "./json.ts";
import type { Side } from "./side.ts";
import { bothOf, onlyIn } from "./values.ts";

/** Values that only one side has and that a result lists, at most. */
const LISTED = 10;

/** Compares the columns of two profiles. @param sideOf what is known about a column of each profile */
export function comparisonOf(
  a: ProfileJson,
  b: ProfileJson,
  sideOf: (json: ColumnJson, of: "a" | "b") => Side,
): ComparisonJson {
  const places = (columns: readonly ColumnJson[]) => new Map(columns.map(({ name }, i) => [name, i]));
  const [inA, inB] = [places(a.columns), places(b.columns)];
  const names = new Set([...inA.keys(), ...inB.keys()]);
  const columns = Array.from(names, (name): ColumnChangeJson => {
    const [i, j] = [inA.get(name) ?? null, inB.get(name) ?? null];
    if (i === null || j === null) return { name, a: i, b: j, distance: null, gained: null, lost: null };
    const [x, y] = [a.columns[i]!, b.columns[j]!];
    return { name, a: i, b: j, ...changeOf(x, y, sideOf) };
  });
  return { version: 1, a, b, columns };
}

function changeOf(
  x: ColumnJson,
  y: ColumnJson,
  sideOf: (json: ColumnJson, of: "a" | "b") => Side,
): Pick<ColumnChangeJson, "distance" | "gained" | "lost"> {
  const { kind } = x.logical;
  // Numbers have distances although their types differ, as those of CSV do if one file has whole numbers only.
  const isNumbers = kind === "number" && y.logical.kind === "number";
  if (kind === "refused" || !(isNumbers || typeKey(x.logical) === typeKey(y.logical))) {
    return { distance: null, gained: null, lost: null };
  }
  const [a, b] = [sideOf(x, "a"), sideOf(y, "b")];
  const both = a.values === null || b.values === null ? null : bothOf(a.values, b.values);
  const only = (side: "a" | "b") => both && onlyIn(side, both, kind === "boolean", LISTED);
  return { distance: distanceOf(a, b, both), gained: only("b"), lost: only("a") };
}
