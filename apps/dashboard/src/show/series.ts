import { addressOf, routeOf } from "../data/index.ts";

/** The most series that a plot shows until the reader asks for all. */
const MOST = 8;
const BETWEEN = "|";

/** The series of a plot, as the address selects them, so that a copied link shows the same ones. */
export interface Series {
  /** Names that the plot has room for, the most important ones first. */
  readonly drawn: readonly string[];
  /** Names in `drawn` that the reader did not switch off. */
  readonly shown: readonly string[];
  /** How many more exist. */
  readonly more: number;
  /** Whether the reader asked for all. */
  readonly all: boolean;
}

/** @param first how many to show until the reader asks for all: at most as many as a plot has room for */
export function seriesOf(names: readonly string[], first: number = MOST): Series {
  const off = switchedOff();
  const all = showsAll();
  const few = Math.min(first, MOST);
  const drawn = all ? names : names.slice(0, few);
  return {
    drawn,
    shown: drawn.filter((name) => !off.has(name)),
    more: names.length - drawn.length,
    all: all && names.length > few,
  };
}

/** Switches a series of the view off, or on again. */
export function toggle(name: string): void {
  const off = switchedOff();
  if (!off.delete(name)) off.add(name);
  go({ off: off.size === 0 ? null : [...off].join(BETWEEN) });
}

/** Whether the reader asked for everything that a plot leaves out at first. */
export const showsAll = (): boolean => routeOf(location.hash).selected.get("all") === "1";

export const showAll = (all: boolean): void => go({ all: all ? "1" : null });

const switchedOff = (): Set<string> =>
  new Set((routeOf(location.hash).selected.get("off") ?? "").split(BETWEEN).filter((name) => name !== ""));

function go(changes: Readonly<Record<string, string | null>>): void {
  const { view, selected } = routeOf(location.hash);
  location.hash = addressOf(view, { ...Object.fromEntries(selected), ...changes });
}
