import type { ColumnInfo, Table } from "../../table/index.ts";
import { Moments } from "../exact/moments.ts";
import type { ColumnPartial } from "../partial/column-partial.ts";
import type { ProfilePartial } from "../partial/profile-partial.ts";
import { columnsOf, typeKey } from "./columns.ts";
import { knownExtents } from "./known-extents.ts";
import type { KnownExtents, ProfileRequest } from "./plans.ts";

/** Sets of tables that are profiled one by one. */
export type Sides = readonly (readonly Table[])[];

/**
 * Returns the columns of each side. A chosen column may be on some of the sides only.
 * @throws as `columnsOf`
 */
export function columnsOnSides(
  sides: Sides,
  names: readonly string[] | undefined,
  request: ProfileRequest,
): readonly (readonly ColumnInfo[])[] {
  const has = (tables: readonly Table[], name: string): boolean =>
    tables.some(({ columns }) => columns.some((column) => column.name === name));
  // A name that no side has is left for the error.
  const namesOn = (own: readonly Table[]): readonly string[] | undefined =>
    names?.filter((name) => has(own, name) || !sides.some((tables) => has(tables, name)));
  return sides.map((tables) => columnsOf(tables, namesOn(tables), request));
}

/** Extents that the files of a side state. Columns that all sides share have one extent, so that their bins are the same. */
export function extentsOnSides(
  sides: Sides,
  all: readonly (readonly ColumnInfo[])[],
  tables: readonly Table[],
  columns: readonly ColumnInfo[],
): KnownExtents {
  const isShared = ({ name, type }: ColumnInfo): boolean =>
    all.every((those) => those.some((other) => other.name === name && typeKey(other.type) === typeKey(type)));
  return new Map([
    ...knownExtents(
      tables,
      columns.filter((column) => !isShared(column)),
    ),
    ...knownExtents(sides.flat(), columns.filter(isShared)),
  ]);
}

/** The moments of a column on all sides together, if they share it. @param firsts the first pass of each side */
export function momentsOnSides(
  { plan, moments }: ColumnPartial,
  firsts: readonly ProfilePartial[],
): ColumnPartial["moments"] {
  if (!(moments instanceof Moments) || firsts.length === 1) return moments;
  const all = new Moments(moments.kind);
  for (const first of firsts) {
    const found = first.columns.find((one) => one.plan.name === plan.name);
    if (found === undefined || typeKey(found.plan.logical) !== typeKey(plan.logical)) return moments;
    if (!(found.moments instanceof Moments)) return moments;
    all.merge(found.moments);
  }
  return all;
}
