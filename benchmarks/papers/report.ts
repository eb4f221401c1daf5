import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chartOf, hasChart } from "./chart.ts";
import { PAPERS } from "./data.ts";
import { type Evaluated, evaluate } from "./evaluate.ts";
import { FIGURES } from "./figures.ts";
import { markdownOf, type Provenance, pictureOf } from "./markdown.ts";
import { measuredOf, type Shown, type Source } from "./measured.ts";
import type { Axis, PaperId, Point } from "./model.ts";

/** One line or colour of a plot. */
interface Series {
  readonly panel: string;
  readonly name: string;
  readonly points: readonly Pick<Point, "x" | "y">[];
}

/** A figure as the dashboard reads it. */
export interface ReportedFigure
  extends Pick<Evaluated, "id" | "title" | "source" | "lost" | "machine" | "findings" | "notes" | "command"> {
  readonly paper: PaperId;
  readonly figure: string;
  readonly paperMachine: string;
  readonly panels: readonly {
    readonly id: string;
    readonly title: string;
    readonly mark: string;
    readonly x: Axis;
    readonly y: Axis;
    readonly missing: readonly Pick<Point, "series" | "x">[];
  }[];
  readonly paperSeries: readonly Series[];
  readonly ourSeries: readonly Series[];
}

/** `report.json`. */
export interface Report {
  readonly schema: 1;
  readonly sources: readonly Provenance[];
  readonly papers: readonly ReportedFigure[];
}

/** Evaluates all figures from result files, for one backend. */
function reportOf(sources: readonly Source[], backend?: Shown): { figures: Evaluated[]; from: Provenance[] } {
  const measured = measuredOf(sources, backend);
  const figures = FIGURES.map((figure) => evaluate(figure, measured));
  const from = sources.map(({ name, results: { machine, commit, date } }) => ({
    file: name,
    machine: machine.gpu ?? `${machine.cpu}, ${machine.cores} cores`,
    commit,
    date,
  }));
  return { figures, from };
}

/** Writes README.md, report.json and a picture for each figure. The same sources give the same bytes. */
export async function writeReport(
  folder: string,
  sources: readonly Source[],
  backend?: Shown,
): Promise<readonly Evaluated[]> {
  const { figures, from } = reportOf(sources, backend);
  mkdirSync(folder, { recursive: true });
  for (const figure of figures) {
    if (!hasChart(figure)) continue;
    writeFileSync(join(folder, pictureOf(figure)), await chartOf(figure, PAPERS[figure.paper].machine));
  }
  writeFileSync(join(folder, "README.md"), markdownOf(figures, from));
  writeFileSync(join(folder, "report.json"), `${JSON.stringify(jsonOf(figures, from), null, 1)}\n`);
  return figures;
}

function jsonOf(figures: readonly Evaluated[], from: readonly Provenance[]): Report {
  return { schema: 1, sources: from, papers: figures.map(reported) };
}

function reported(of: Evaluated): ReportedFigure {
  const { paper, id, title, source, lost, machine, findings, notes, command, panels } = of;
  return {
    paper,
    figure: id,
    id: `${paper}-${id}`,
    title,
    source,
    lost,
    paperMachine: PAPERS[paper].machine,
    machine,
    command,
    notes,
    findings,
    panels: panels.map(({ id: panel, title: name, mark, x, y, missing }) => ({
      id: panel,
      title: name,
      mark,
      x,
      y,
      missing,
    })),
    paperSeries: panels.flatMap((panel) => seriesOf(panel.id, panel.paper)),
    ourSeries: panels.flatMap((panel) => seriesOf(panel.id, panel.ours)),
  };
}

function seriesOf(panel: string, points: readonly Point[]): Series[] {
  return [...Map.groupBy(points, ({ series }) => series)].map(([name, of]) => ({
    panel,
    name,
    points: of.map(({ x, y }) => ({ x, y })),
  }));
}
