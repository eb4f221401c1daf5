import { nameOf, programOf, type Row, slugOf } from "../data/index.ts";

/** The colour of a series, and its tooltip. */
export interface Key {
  /** The id of its program. */
  readonly program: string;
  readonly colour: string;
  readonly title: string;
}

/** Keys by the names of series. */
export type Keys = ReadonlyMap<string, Key>;

/** Shares of a program's colour that its series have, one after the other. The rest is the colour of text. */
const SHADES = [100, 72, 48];

/** The colour of a program in every view. Its further series are shades of it, with symbols of their own. */
export function colourOf(program: string, nth = 0): string {
  const share = SHADES[nth % SHADES.length]!;
  const own = `var(--program-${program})`;
  return share === 100 ? own : `color-mix(in srgb, ${own} ${share}%, var(--text))`;
}

/** Makes the keys of rows in the order of their names. `name` says to which series a row belongs. */
export function keysOf(
  rows: readonly Row[],
  names: readonly string[],
  name: (row: Row) => string = nameOf,
): Keys {
  const firsts = new Map<string, Row>();
  for (const row of rows) if (!firsts.has(name(row))) firsts.set(name(row), row);
  const seen = new Map<string, number>();
  return new Map(
    names.flatMap((one): [string, Key][] => {
      const row = firsts.get(one);
      if (row === undefined) return [];
      const { id } = programOf(row);
      const nth = seen.get(id) ?? 0;
      seen.set(id, nth + 1);
      return [[one, { program: id, colour: colourOf(id, nth), title: slugOf(row) }]];
    }),
  );
}
