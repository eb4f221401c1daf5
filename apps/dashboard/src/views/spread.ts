import type { TemplateResult } from "lit-html";
import { basisName, figure, memoryOf, programOf, type Row, ratio, slugOf } from "../data/index.ts";
import { type Context, distinct, keysOf, ranges } from "../show/index.ts";
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
  { width, basis, source }: Context,
  shown: readonly Contestant[],
  { title, unit, speed, line }: Spread,
): TemplateResult {
  const rows = shown.flatMap((one) => one.rows);
  const program = (row: Row) => programOf(row).name;
  const series = distinct(rows.map(program));
  // If nobody ran on a second distribution, there is nothing to tell apart.
  const several = shown.some(({ worstOverBest }) => worstOverBest !== null);
  const noted = several ? " (one distribution)" : "";
  return ranges({
    ...{ title, width, source, series, keys: keysOf(rows, series, program) },
    ...(unit.endsWith("/s") ? { what: "throughput" } : {}),
    unit,
    format: figure,
    mark: "bars",
    ...(line === undefined ? {} : { line }),
    ranges: shown.map(({ name, rows: own, worst, worstOverBest }) => ({
      ...{ name, series: program(worst), title: slugOf(worst) },
      values: own.map((row) => ({ on: row.distribution, value: speed(row) })),
      label: `${figure(speed(worst))}${worstOverBest === null ? noted : `, worst/best ${ratio(worstOverBest)}`}`,
    })),
    columns: ["program", "distribution", unit, "worst / best", "ceiling of", "basis", "runs"],
    numbers: [2, 3],
    rows: shown.flatMap(({ name, rows: own, worstOverBest }) =>
      own.map((row) => [
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
