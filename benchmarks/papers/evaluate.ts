import { type Measured, machineOf } from "./measured.ts";
import type { Figure, Panel, Point, Rule, Verdict } from "./model.ts";

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

export interface Finding extends Pick<Rule, "claim" | "where" | "how"> {
  readonly paper: string;
  readonly ours: string | null;
  readonly verdict: Verdict;
  /** The measured cause of "differs" or "reversed"; null if none was measured, or none is due. */
  readonly cause: string | null;
}

/** A figure with both sides' numbers and all verdicts. */
export interface Evaluated
  extends Pick<Figure, "paper" | "id" | "title" | "source" | "lost" | "needs" | "command" | "notes"> {
  readonly machine: string;
  readonly panels: readonly EvaluatedPanel[];
  readonly findings: readonly Finding[];
}

/** Pairs our numbers with the paper's, and applies every rule to both. */
export function evaluate(figure: Figure, measured: Measured): Evaluated {
  const [own, cpu] = [machineOf(measured, figure.needs), machineOf(measured, "cpu")];
  const both = cpu === "" ? own : `${own}; CPU: ${cpu}`;
  const machines = { "gpu and cpu": both, formula: "", own };
  const panels = figure.panels.map((panel): EvaluatedPanel => {
    const ours = latest(panel.ours(measured));
    const { id, title, mark, x, y, paper, command = null } = panel;
    const missing = panel.wanted.filter(
      (cell) => !ours.some((point) => point.series === cell.series && point.x === cell.x),
    );
    const { on = "own" } = panel;
    return { id, title, mark, x, y, paper, ours, missing, command, machine: machines[on], on };
  });
  const findings = figure.rules.map(({ panel: id, claim, where, how, judge, cause }): Finding => {
    const panel = panels.find((one) => one.id === id);
    if (panel === undefined) throw new Error(`${figure.id} has no panel ${id}`);
    const judged = judge(panel.paper, panel.ours);
    const isDue = judged.verdict === "differs" || judged.verdict === "reversed";
    return { claim, where, how, ...judged, cause: isDue ? (cause?.(measured) ?? null) : null };
  });
  const { paper, id, title, source, lost, needs, command, notes } = figure;
  const machine = figure.panels.some(({ on }) => on === "gpu and cpu") ? both : own;
  return { paper, id, title, source, lost, needs, command, notes, machine, panels, findings };
}

/** Keeps the last point for each series and x. */
function latest(points: readonly Point[]): Point[] {
  return [...new Map(points.map((point) => [JSON.stringify([point.series, point.x]), point])).values()];
}
