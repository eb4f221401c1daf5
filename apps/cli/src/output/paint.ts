import { printable } from "../base/index.ts";
import type { ValueText } from "../values/index.ts";

/** Colours text. */
export type Paint = (text: string) => string;

/** A channel's colour on a terminal (ANSI), which dark and light backgrounds show, and on a plot. */
interface Ink {
  readonly name: string;
  readonly ansi: number;
  readonly plot: string;
}

const DEFAULT: Ink = { name: "values", ansi: 36, plot: "#3b6ea8" };
const INKS: ReadonlyMap<string, Ink> = new Map(
  Object.entries({
    r: { name: "red", ansi: 31, plot: "#d64545" },
    g: { name: "green", ansi: 32, plot: "#3d9a50" },
    b: { name: "blue", ansi: 94, plot: "#3f6fd1" },
    a: { name: "alpha", ansi: 35, plot: "#8d6bb8" },
    c: { name: "cyan", ansi: 36, plot: "#2a9fb5" },
    m: { name: "magenta", ansi: 35, plot: "#c24f9e" },
    y: { name: "yellow", ansi: 33, plot: "#c9a227" },
    k: { name: "black", ansi: 39, plot: "#404040" },
    grey: { name: "grey", ansi: 90, plot: "#6b7280" },
  }),
);

/** A channel of a picture, or a column of a table, whose values have a text. */
interface Named {
  readonly name: string;
  readonly values?: ValueText | undefined;
}

/** A column of a table may be named r or b and has nothing to do with colours. */
function inkOf({ name, values }: Named): Ink {
  return (values === undefined ? INKS.get(name) : undefined) ?? { ...DEFAULT, name: printable(name) };
}

/** The name of a channel as a word, or of a column as it is. */
export function ink(channel: Named): string {
  return inkOf(channel).name;
}

/** The colour of a channel on a plot, as CSS. */
export function plotColour(channel: Named): string {
  return inkOf(channel).plot;
}

/** The colour of a channel on a terminal, or none. */
export function paintFor(channel: Named, colour: boolean): Paint {
  if (!colour) return (text) => text;
  const { ansi } = inkOf(channel);
  return (text) => (text === "" ? "" : `\u001b[${ansi}m${text}\u001b[39m`);
}
