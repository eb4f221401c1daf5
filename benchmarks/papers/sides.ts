import { type Evaluated, evaluate } from "./evaluate.ts";
import { BACKENDS, hasFiles, Measured, type Shown, type Source } from "./measured.ts";
import type { Figure } from "./model.ts";
import type { ColumnId } from "./reasons.ts";

export type SideId = ColumnId;

export const LABELS: Readonly<Record<SideId, string>> = {
  published: "published now",
  cuda: "CUDA",
  webgpu: "WebGPU",
  piscina: "workers",
  cpu: "CPU",
};

/** A figure with the rows of one column. */
export interface Side {
  readonly id: SideId;
  readonly of: Evaluated;
}

/** A figure with the rows of every column. The first side is the papers' kernels as published, whose verdicts the report states. */
export interface Compared {
  readonly main: Evaluated;
  readonly sides: readonly [Side, Side, ...Side[]];
}

/** Splits the rows by backend: the wanted one, else all that have rows, else workers. */
export function backendsOf(sources: readonly Source[], wanted?: Shown): [Measured, ...Measured[]] {
  const found = wanted === undefined ? BACKENDS.filter((id) => hasRows(sources, id)) : [wanted];
  const [first = "piscina", ...rest] = found;
  return [new Measured(sources, first), ...rest.map((id) => new Measured(sources, id))];
}

/** Whether a backend has rows of any file. Workers also have rows in files that name no backend. */
function hasRows(sources: readonly Source[], backend: Shown): boolean {
  return (
    hasFiles(sources, backend) ||
    sources.some(({ results }) => results.rows.some((row) => row.backend === backend))
  );
}

/** Evaluates a figure as published, then on every backend, with measurements or without. */
export function compare(figure: Figure, backends: readonly [Measured, ...Measured[]]): Compared {
  const [first, ...rest] = backends;
  const main = evaluate(figure, first, "published");
  const own: Side = { id: figure.needs === "cpu" ? "cpu" : first.backend, of: evaluate(figure, first) };
  const others = figure.needs === "cpu" ? [] : rest;
  return {
    main,
    sides: [
      { id: "published", of: main },
      own,
      ...others.map((measured) => ({ id: measured.backend, of: evaluate(figure, measured) })),
    ],
  };
}

/** Whether a figure has numbers that its own device measured. Numbers of a formula or of another CPU do not count. */
export function isMeasured({ panels }: Evaluated): boolean {
  return panels.some(({ ours, on }) => ours.length > 0 && on === "own");
}

/** The columns of a figure that have measurements, and always the papers' kernels. */
export function shownSides({ sides }: Compared): Side[] {
  return sides.filter(({ id, of }) => id === "published" || isMeasured(of));
}

/** The column whose numbers stand next to the paper's in a plot: the papers' kernels, or polybin's as long as those are not measured. */
export function drawnSide({ sides }: Compared): Side {
  const [published, own] = sides;
  return isMeasured(published.of) ? published : own;
}
