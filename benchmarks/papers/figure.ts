import { limits } from "@polybin/core/backend";
import { type Claim, claimOf, curvesOf, numbersOf, PAPERS } from "./data.ts";
import { GUESS } from "./evaluate.ts";
import { AsPublished, type Measured } from "./measured.ts";
import type { Column, Figure, Panel, PaperId, PaperNumber, Point, Reading, Rule } from "./model.ts";
import * as readings from "./readings/index.ts";
import { pointsBy, type Select } from "./select.ts";

/** A function of this program by its name, and its arguments after the measurements. */
interface Call {
  readonly call: readonly [name: string, ...values: unknown[]];
}

/** A panel in a data file. */
interface PanelEntry extends Omit<Panel, "paper" | "wanted" | "ours" | "published"> {
  /** Default: the paper's numbers with the panel's name. Otherwise several panels side by side, or computed numbers. */
  readonly paper?: { readonly panels: readonly string[] } | Call;
  /** Every one of some series at every one of some places. Default: nothing. */
  readonly wanted?: readonly { readonly series: readonly string[]; readonly x: readonly Point["x"][] }[];
  readonly ours: Select | Call | readonly (Select | Call)[];
  /** The paper's kernels as published. Default: the same choice among Xu et al.'s kernels as published. */
  readonly published?: PanelEntry["ours"];
}

/** A statement in a data file. */
interface StatementEntry extends Pick<Rule, "id" | "panel" | "claim" | "where" | "because"> {
  /** The name of a reading, and its arguments. */
  readonly read: readonly [name: string, ...values: unknown[]];
  /** The paper's value, if it does not follow from its numbers. */
  readonly stated?: unknown;
  /** The paper's own words, if it states no number. */
  readonly words?: string;
  /** Causes of the product's verdicts. The first that the measurements show is the cause. */
  readonly causes?: readonly CauseEntry[];
  /** The same of kernels as published. */
  readonly publishedCauses?: readonly CauseEntry[];
}

/** A cause by its name, with its arguments. A guess has numbers of the same run, but no experiment that varies only the cause. */
type CauseEntry = string | Call["call"] | { readonly guess: string | Call["call"] };

/** A figure in a data file, such as `figures/xu.json`. */
export interface FigureEntry extends Omit<Figure, "paper" | "panels" | "rules"> {
  readonly panels: readonly PanelEntry[];
  readonly statements: readonly StatementEntry[];
}

/** Follows the name of a series if its kernel has as many blocks as fit today. Without it, the launch is the paper's. */
export const TODAY = ", today's launch";

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

function panelOf(scope: Scope, { paper: theirs, wanted = [], ours, published, ...panel }: PanelEntry): Panel {
  const isCells = (one: Select | Call) => "sums" in one;
  const own = [ours].flat().map((one) => oursOf(scope, one, false));
  const asPublished = [published ?? []].flat().map((one) => oursOf(scope, one, isCells(one)));
  const all = (measured: Measured) => own.flatMap((points) => points(measured));
  return {
    ...panel,
    paper: paperOf(scope, panel.id, theirs),
    wanted: wanted.flatMap(({ series, x }) =>
      series.flatMap((name) => x.map((at) => ({ series: name, x: at }))),
    ),
    ours: all,
    published: (measured) =>
      published === undefined
        ? all(new AsPublished(measured))
        : asPublished.flatMap((points) => points(measured)),
  };
}

/** @param isPublished whether cells of Xu et al.'s figures are those of their kernels as published */
function oursOf(
  scope: Scope,
  one: Select | Call,
  isPublished: boolean,
): (measured: Measured) => readonly Point[] {
  if ("call" in one) return called(scope.functions, one.call);
  const select = resolved(scope, one) as Select;
  const { published, profiled } = select;
  if (profiled !== undefined)
    return (measured) => pointsBy(measured, { ...select, profiled: `${scope.paper} ${profiled}` });
  if (published === undefined)
    return (measured) => pointsBy(isPublished ? new AsPublished(measured) : measured, select);
  // A row names the figures of its own paper. Those of another one begin with that paper.
  const isOther = (figure: string) => Object.keys(PAPERS).some((paper) => figure.startsWith(`${paper} `));
  const figures = [published].flat().map((figure) => (isOther(figure) ? figure : `${scope.paper} ${figure}`));
  const launched = (measured: Measured, launch: "paper" | "today") =>
    pointsBy(measured, {
      ...select,
      published: figures,
      where: { ...select.where, "published.launch": launch },
    });
  const only = select.where?.["published.launch"];
  if (only === "paper" || only === "today") return (measured) => launched(measured, only);
  return (measured) => [
    ...launched(measured, "paper"),
    ...launched(measured, "today").map((point) => ({ ...point, series: point.series + TODAY })),
  ];
}

function paperOf(scope: Scope, panel: string, theirs: PanelEntry["paper"]): readonly PaperNumber[] {
  const { paper, figure, functions } = scope;
  if (theirs === undefined) return [...numbersOf(paper, figure, panel), ...curvesOf(paper, figure, panel)];
  if ("call" in theirs) return named<() => readonly PaperNumber[]>(functions, theirs.call[0])();
  return theirs.panels.flatMap((x) => numbersOf(paper, figure, x).map((number) => ({ ...number, x })));
}

function ruleOf(
  scope: Scope,
  { read, stated, words, causes = [], publishedCauses = [], ...statement }: StatementEntry,
): Rule {
  const [name, ...values] = resolved(scope, read) as StatementEntry["read"];
  const reading = named<(...values: unknown[]) => Reading<unknown>>(READINGS, name)(...values);
  const all = {
    ours: causes.map((one) => causeOf(scope, one)),
    published: publishedCauses.map((one) => causeOf(scope, one)),
  };
  const cause = (measured: Measured, column: Column) =>
    all[column].map((find) => find(measured)).find((found) => found !== null) ?? null;
  const value = { stated: statedOf(scope, statement.panel, stated), words };
  return readings.rule({ ...statement, cause }, reading, value);
}

function causeOf({ functions }: Scope, entry: CauseEntry): (measured: Measured) => string | null {
  const isGuess = typeof entry === "object" && "guess" in entry;
  const name = isGuess ? entry.guess : entry;
  const find = called<string | null>(functions, typeof name === "string" ? [name] : (name as Call["call"]));
  if (!isGuess) return find;
  return (measured) => {
    const found = find(measured);
    return found === null ? null : GUESS + found;
  };
}

/** Returns the paper's value. If two series of the paper contradict each other, it is the range of their ratios. */
function statedOf(scope: Scope, panel: string, stated: unknown): unknown {
  if (typeof stated !== "object" || stated === null) return stated;
  if ("call" in stated) return named<() => unknown>(scope.functions, (stated as Call).call[0])();
  if (!("between" in stated)) return resolved(scope, stated);
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
