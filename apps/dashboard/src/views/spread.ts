import type { TemplateResult } from "lit-html";
import { basisName, figure, isOurs, memoryOf, type Row, ratio } from "../data/index.ts";
import { type Context, ranges } from "../show/index.ts";
import { cellLink } from "./cell-link.ts";
import type { Contestant } from "./groups.ts";

interface Spread {
  readonly title: string;
  readonly unit: string;
  readonly speed: (row: Row) => number;
  readonly line?: { readonly at: number; readonly label: string };
}

/** Draws every contestant from its slowest to its fastest distribution, the one with the fastest worst case first. */
export function spread(
  { width, basis }: Context,
  shown: readonly Contestant[],
  { title, unit, speed, line }: Spread,
): TemplateResult {
  return ranges({
    title,
    width,
    series: ["polybin", "other programs"],
    unit,
    format: figure,
    mark: "bars",
    ...(line === undefined ? {} : { line }),
    ranges: shown.map(({ name, rows, worst, worstOverBest }) => ({
      name,
      series: isOurs(worst) ? "polybin" : "other programs",
      values: rows.map((row) => ({ on: row.distribution, value: speed(row) })),
      label: `${figure(speed(worst))}${worstOverBest === null ? " (one distribution)" : `, worst/best ${ratio(worstOverBest)}`}`,
    })),
    columns: ["contestant", "distribution", unit, "worst / best", "ceiling of", "basis", "runs"],
    numbers: [2, 3],
    rows: shown.flatMap(({ name, rows, worstOverBest }) =>
      rows.map((row) => [
        name,
        row.distribution,
        figure(speed(row)),
        ratio(worstOverBest),
        memoryOf(row),
        basisName(basis),
        cellLink(row),
      ]),
    ),
  });
}
