import { type Evaluated, evaluate } from "./evaluate.ts";
import { BACKENDS, hasFiles, Measured, type Shown, type Source } from "./measured.ts";
import type { Figure } from "./model.ts";

/** One of our backends, or the CPU for figures that need no GPU. */
export type SideId = Shown | "cpu";

export const LABELS: Readonly<Record<SideId, string>> = {
  cuda: "CUDA",
  webgpu: "WebGPU",
  piscina: "workers",
  cpu: "CPU",
};

/** A figure with the rows of one backend. */
export interface Side {
  readonly id: SideId;
  readonly of: Evaluated;
}

/** A figure with the rows of every backend. The first side is the report's main one. */
export interface Compared {
  readonly main: Evaluated;
  readonly sides: readonly [Side, ...Side[]];
  /** Backends that have files in the report but none for this figure. */
  readonly absent: readonly Shown[];
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

/** Evaluates a figure on every backend. */
export function compare(figure: Figure, [first, ...rest]: readonly [Measured, ...Measured[]]): Compared {
  const main = evaluate(figure, first);
  if (figure.needs === "cpu") return { main, sides: [{ id: "cpu", of: main }], absent: [] };
  const others = rest.map((measured): Side & { readonly id: Shown } => ({
    id: measured.backend,
    of: evaluate(figure, measured),
  }));
  return {
    main,
    sides: [{ id: first.backend, of: main }, ...others.filter(({ of }) => isMeasured(of))],
    absent: others.filter(({ of }) => !isMeasured(of)).map(({ id }) => id),
  };
}

/** Whether a figure has numbers that its own device measured. Numbers of a formula or of another CPU do not count. */
export function isMeasured({ panels }: Evaluated): boolean {
  return panels.some(({ ours, on }) => ours.length > 0 && on === "own");
}
