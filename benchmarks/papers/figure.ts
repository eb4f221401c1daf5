import { limits } from "@polybin/core/backend";
import { type Claim, claimOf, numbersOf } from "./data.ts";
import type { Measured } from "./measured.ts";
import type { Figure, Panel, PaperId, PaperNumber, Point, Reading, Rule } from "./model.ts";
import * as readings from "./readings/index.ts";
import { pointsBy, type Select } from "./select.ts";

/** A function of this program by its name, and its arguments after the measurements. */
interface Call {
  readonly call: readonly [name: string, ...values: unknown[]];
}

/** A panel in a data file. */
interface PanelEntry extends Omit<Panel, "paper" | "wanted" | "ours"> {
  /** Default: the paper's numbers with the panel's name. Otherwise several panels side by side, or computed numbers. */
  readonly paper?: { readonly panels: readonly string[] } | Call;
  /** Every one of some series at every one of some places. Default: nothing. */
  readonly wanted?: readonly { readonly series: readonly string[]; readonly x: readonly Point["x"][] }[];
  readonly ours: Select | Call | readonly (Select | Call)[];
}

/** A statement in a data file. */
interface StatementEntry extends Pick<Rule, "panel" | "claim" | "where"> {
  /** The name of a reading, and its arguments. */
  readonly read: readonly [name: string, ...values: unknown[]];
  /** The paper's value, if it does not follow from its numbers. */
  readonly stated?: unknown;
  /** The paper's own words, if it states no number. */
  readonly words?: string;
  /** Names of causes, with their arguments. The first that the measurements show is the cause. */
  readonly causes?: readonly (string | Call["call"])[];
}

/** A figure in a data file, such as `figures/xu.json`. */
export interface FigureEntry extends Omit<Figure, "paper" | "panels" | "rules"> {
  readonly panels: readonly PanelEntry[];
  readonly statements: readonly StatementEntry[];
}

type Functions = Readonly<Record<string, unknown>>;

/** A figure's paper, and the functions that its data can name: they return points, or causes of verdicts. */
interface Scope {
  readonly paper: PaperId;
  readonly figure: string;
  readonly functions: Functions;
}

/** The readings. A formula is named by its name. */
const FORMULAS: Readonly<Record<string, (x: number) => number>> = {
  rowSumEfficiency: limits.rowSumEfficiency,
};
const READINGS: Functions = {
  ...readings,
  follows: (series: string, formula: string, what: string, from: number) =>
    readings.follows(series, named(FORMULAS, formula), what, from),
};

/** Reads a figure. @throws an Error if its data name a function, a reading or a claim that does not exist */
export function figureOf(of: Omit<Scope, "figure">, { panels, statements, ...entry }: FigureEntry): Figure {
  const scope = { ...of, figure: entry.id };
  return {
    ...{ ...entry, paper: of.paper },
    panels: panels.map((panel) => panelOf(scope, panel)),
    rules: statements.map((statement) => ruleOf(scope, statement)),
  };
}

function panelOf(scope: Scope, { paper: theirs, wanted = [], ours, ...panel }: PanelEntry): Panel {
  const own = [ours].flat().map((one) => oursOf(scope, one));
  return {
    ...panel,
    paper: paperOf(scope, panel.id, theirs),
    wanted: wanted.flatMap(({ series, x }) =>
      series.flatMap((name) => x.map((at) => ({ series: name, x: at }))),
    ),
    ours: (measured) => own.flatMap((points) => points(measured)),
  };
}

function oursOf(scope: Scope, one: Select | Call): (measured: Measured) => readonly Point[] {
  if ("call" in one) return called(scope.functions, one.call);
  const select = resolved(scope, one) as Select;
  return (measured) => pointsBy(measured, select);
}

function paperOf(scope: Scope, panel: string, theirs: PanelEntry["paper"]): readonly PaperNumber[] {
  const { paper, figure, functions } = scope;
  if (theirs === undefined) return numbersOf(paper, figure, panel);
  if ("call" in theirs) return named<() => readonly PaperNumber[]>(functions, theirs.call[0])();
  return theirs.panels.flatMap((x) => numbersOf(paper, figure, x).map((number) => ({ ...number, x })));
}

function ruleOf(
  scope: Scope,
  { panel, claim, where, read, stated, words, causes = [] }: StatementEntry,
): Rule {
  const [name, ...values] = resolved(scope, read) as StatementEntry["read"];
  const reading = named<(...values: unknown[]) => Reading<unknown>>(READINGS, name)(...values);
  const all = causes.map((cause) =>
    called<string | null>(scope.functions, typeof cause === "string" ? [cause] : cause),
  );
  const cause = (measured: Measured) =>
    all.map((find) => find(measured)).find((found) => found !== null) ?? null;
  const statement = { panel, claim, where, ...(causes.length > 0 && { cause }) };
  return readings.rule(statement, reading, { stated: statedOf(scope, panel, stated), words });
}

/** Returns the paper's value. If two series of the paper contradict each other, it is the range of their ratios. */
function statedOf(scope: Scope, panel: string, stated: unknown): unknown {
  if (typeof stated !== "object" || stated === null || !("between" in stated)) return resolved(scope, stated);
  const { between, x, over } = stated as { between: readonly string[]; x: Point["x"]; over: Point["x"] };
  const numbers = numbersOf(scope.paper, scope.figure, panel);
  const at = (series: string, place: Point["x"]) => readings.value(numbers, { series, x: place })!;
  const ratios = between.map((series) => at(series, x) / at(series, over));
  return { low: Math.min(...ratios), high: Math.max(...ratios) };
}

/** Replaces each reference to a number of the paper's text, `{ claim }`, by the number. */
function resolved(scope: Scope, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(scope, one));
  if (typeof value !== "object" || value === null) return value;
  if ("claim" in value) return claimOf(scope.paper, scope.figure, value as Claim);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolved(scope, one)]));
}

/** Returns a named function with its arguments after the measurements. */
function called<T = readonly Point[]>(
  all: Functions,
  [name, ...values]: Call["call"],
): (measured: Measured) => T {
  const found = named<(measured: Measured, ...values: unknown[]) => T>(all, name);
  return (measured) => found(measured, ...values);
}

function named<T>(all: Functions, name: string): T {
  const found = Object.hasOwn(all, name) ? all[name] : undefined;
  if (typeof found === "function") return found as T;
  throw new Error(
    `expected ${Object.keys(all).join(", ")} in a figure's data but received ${JSON.stringify(name)}`,
  );
}
