import { type Measured, machineOf } from "./measured.ts";
import type { Column, Figure, Panel, Point, Rule, Verdict } from "./model.ts";
import { type ColumnId, reasonOf } from "./reasons.ts";

/** A panel with both sides' numbers. */
export interface EvaluatedPanel extends Pick<Panel, "id" | "title" | "mark" | "x" | "y" | "paper"> {
  readonly ours: readonly Point[];
  /** Cells without a measurement of ours. */
  readonly missing: readonly Pick<Point, "series" | "x">[];
  /** The command that measures them, if it is not the figure's. */
  readonly command: string | null;
  /** The machine that measured ours; empty if ours is computed. */
  readonly machine: string;
  /** The origin of ours: the figure's own device, that and a CPU, or a formula. */
  readonly on: NonNullable<Panel["on"]> | "own";
}

export interface Finding extends Pick<Rule, "id" | "claim" | "where" | "how"> {
  readonly paper: string;
  readonly ours: string | null;
  readonly verdict: Verdict;
  /** The cause of "differs" or "reversed", measured or called a guess; null if none is due. */
  readonly cause: string | null;
  /** Why no measurement of ours can decide the statement; null if one can. */
  readonly because: string | null;
}

/** A figure with both sides' numbers and all verdicts. */
export interface Evaluated
  extends Pick<Figure, "paper" | "id" | "title" | "source" | "lost" | "needs" | "command" | "notes"> {
  readonly machine: string;
  readonly panels: readonly EvaluatedPanel[];
  readonly findings: readonly Finding[];
}

/** Begins a cause whose numbers fit, but that no experiment varies alone. */
export const GUESS = "This is a guess. ";

/** Stands for a cause that no measurement shows. */
export const NO_CAUSE = "The cause is not measured.";

/** Names of series that the paper does not have end so. */
const OURS = /\(ours\)$/;

/** Pairs the numbers of one column with the paper's, and applies every rule to both. */
export function evaluate(figure: Figure, measured: Measured, column: Column = "ours"): Evaluated {
  const [own, cpu] = [machineOf(measured, figure.needs), machineOf(measured, "cpu")];
  const both = cpu === "" ? own : `${own}; CPU: ${cpu}`;
  const machines = { "gpu and cpu": both, formula: "", own };
  const panels = figure.panels.map((panel): EvaluatedPanel => {
    const { ofDevice = false, on: place = "own" } = panel;
    const isOurs = column === "ours" || ofDevice || place === "formula";
    const ours = latest(isOurs ? panel.ours(measured) : panel.published(measured));
    const { id, title, mark, x, y, paper, command = null } = panel;
    const missing = panel.wanted.filter(
      (cell) =>
        (isOurs || !OURS.test(cell.series)) &&
        !ours.some((point) => point.series === cell.series && point.x === cell.x),
    );
    return { id, title, mark, x, y, paper, ours, missing, command, machine: machines[place], on: place };
  });
  const findings = figure.rules.map(
    ({ id, panel: on, claim, where, how, judge, cause, because: reasons }): Finding => {
      const because = reasonOf(reasons, sideOf(figure, measured, column));
      const panel = panels.find((one) => one.id === on);
      if (panel === undefined) throw new Error(`${figure.id} has no panel ${on}`);
      const judged = judge(panel.paper, because === null ? panel.ours : [], panel.missing);
      const isDue = judged.verdict === "differs" || judged.verdict === "reversed";
      const found = isDue ? (cause?.(measured, column) ?? NO_CAUSE) : null;
      return { id, claim, where, how, ...judged, cause: found, because };
    },
  );
  const { paper, id, title, source, lost, needs, command, notes } = figure;
  const machine = figure.panels.some(({ on }) => on === "gpu and cpu") ? both : own;
  return { paper, id, title, source, lost, needs, command, notes, machine, panels, findings };
}

function sideOf({ needs }: Figure, { backend }: Measured, column: Column): ColumnId {
  if (column === "published") return "published";
  return needs === "cpu" ? "cpu" : backend;
}

/** Keeps the last point for each series and x. */
function latest(points: readonly Point[]): Point[] {
  return [...new Map(points.map((point) => [JSON.stringify([point.series, point.x]), point])).values()];
}
