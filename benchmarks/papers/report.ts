import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { chartOf, hasChart } from "./chart.ts";
import { PAPERS } from "./data.ts";
import type { Evaluated, EvaluatedPanel, Finding } from "./evaluate.ts";
import { FIGURES } from "./figures.ts";
import {
  markdownOf,
  overlayOf,
  type Provenance,
  pictureOf,
  storyPictureOf,
  type Written,
} from "./markdown.ts";
import type { Shown, Source } from "./measured.ts";
import type { PaperId, Point } from "./model.ts";
import { captionOf, isSpeed, type OverlaidSide, overlaidOf } from "./overlay.ts";
import { isShown, overlayChartOf } from "./overlay-chart.ts";
import { pageOf } from "./page/index.ts";
import type { Page } from "./page/page.ts";
import { storyChartOf } from "./page/story-chart.ts";
import { backendsOf, type Compared, compare, drawnSide, LABELS, type SideId, shownSides } from "./sides.ts";

/** One line or colour of a plot. */
interface Series {
  readonly name: string;
  readonly points: readonly Pick<Point, "x" | "y">[];
}

/** The numbers of one backend, or of the paper, in one plot. */
interface ReportedSide extends Pick<OverlaidSide, "unit" | "paperUnit" | "label"> {
  /** Says which value is 1. */
  readonly caption: readonly string[];
  readonly series: readonly Series[];
}

interface ReportedPanel extends Pick<EvaluatedPanel, "id" | "title" | "mark" | "x" | "y" | "missing"> {
  /** Whether a plot divides the numbers by a side's unit, since they are speeds. */
  readonly relative: boolean;
  readonly paper: readonly Series[];
  readonly sides: readonly ReportedSide[];
}

/** A statement of the paper, with the result of every backend in the order of the figure's. */
interface ReportedFinding extends Pick<Finding, "id" | "claim" | "where" | "how" | "paper" | "because"> {
  readonly sides: readonly Pick<Finding, "ours" | "verdict" | "cause">[];
}

/** A figure as the dashboard reads it. */
export interface ReportedFigure
  extends Pick<Evaluated, "id" | "title" | "source" | "lost" | "notes" | "command"> {
  readonly paper: PaperId;
  readonly figure: string;
  readonly paperMachine: string;
  /** The papers' kernels as published, then the backends with numbers. */
  readonly sides: readonly { readonly id: SideId; readonly label: string; readonly machine: string }[];
  readonly findings: readonly ReportedFinding[];
  readonly panels: readonly ReportedPanel[];
}

/** `report.json`. */
export interface Report {
  readonly schema: 3;
  readonly sources: readonly Provenance[];
  readonly page: Page;
  readonly papers: readonly ReportedFigure[];
}

/** Evaluates all figures from result files, for one backend or for all that have files. */
function reportOf(all: readonly Source[], backend?: Shown): Written {
  const { sources, second } = byGpu(all);
  const backends = backendsOf(sources, backend);
  const figures = FIGURES.map((figure) => compare(figure, backends));
  const page = pageOf(figures, backends, second);
  const used = new Set(backends.flatMap((measured) => [...measured.used]));
  const read = sources.filter(({ name }) => used.has(name));
  const from = read.map(({ name, results: { machine, commit, date, sources: hashes } }) => ({
    file: name,
    machine: machine.gpu ?? `${machine.cpu}, ${machine.cores} cores`,
    commit,
    date,
    hasHashes: hashes !== undefined && Object.keys(hashes).length > 0,
  }));
  return { page, figures, from };
}

/** Separates the files of the GPU with the most CUDA files from those of another kind, so that no figure mixes them. */
function byGpu(all: readonly Source[]): { readonly sources: Source[]; readonly second: Source[] } {
  const ofCuda = all.filter(({ name, results }) => name.startsWith("cuda-") && results.machine.gpu !== null);
  const kinds = Map.groupBy(ofCuda, ({ results }) => results.machine.gpu);
  const [, second = []] = [...kinds.values()].toSorted((a, b) => b.length - a.length);
  return { sources: all.filter((source) => !second.includes(source)), second };
}

/** Where a report is written. */
export interface Place {
  readonly folder: string;
  /** The file of the page. Default: README.md in the folder. */
  readonly page?: string;
  /** The backend whose rows are shown. Default: all that have files. */
  readonly backend?: Shown;
}

/** Writes the page, report.json and two pictures for each figure. The same sources give the same bytes. */
export async function writeReport(
  sources: readonly Source[],
  { folder, page = join(folder, "README.md"), backend }: Place,
): Promise<readonly Compared[]> {
  const written = reportOf(sources, backend);
  mkdirSync(folder, { recursive: true });
  mkdirSync(dirname(page), { recursive: true });
  const draw = async (name: string, svg: Promise<string>) => writeFileSync(join(folder, name), await svg);
  for (const { id, picture } of written.page.sections)
    if (picture !== undefined) await draw(storyPictureOf(id), storyChartOf(picture));
  for (const compared of written.figures) {
    const { main } = compared;
    const drawn = drawnSide(compared).of;
    if (hasChart(drawn)) await draw(pictureOf(main), chartOf(drawn, PAPERS[main.paper].machine));
    const panels = overlaidOf(compared);
    if (panels.some(isShown)) await draw(overlayOf(main), overlayChartOf(panels));
  }
  const toPictures = relative(dirname(page), folder).split(sep).join("/");
  writeFileSync(page, markdownOf(written, toPictures));
  writeFileSync(join(folder, "report.json"), `${JSON.stringify(jsonOf(written), null, 1)}\n`);
  return written.figures;
}

function jsonOf({ page, figures, from }: Written): Report {
  return { schema: 3, sources: from, page, papers: figures.map(reported) };
}

function reported(compared: Compared): ReportedFigure {
  const { main } = compared;
  const sides = shownSides(compared);
  const { paper, id, title, source, lost, notes, command } = main;
  return {
    paper,
    figure: id,
    id: `${paper}-${id}`,
    title,
    source,
    lost,
    paperMachine: PAPERS[paper].machine,
    command,
    notes,
    sides: sides.map((side) => ({ id: side.id, label: LABELS[side.id], machine: side.of.machine })),
    findings: main.findings.map(({ id: statement, claim, where, how, paper: theirs, because }, i) => ({
      ...{ id: statement, claim, where, how, paper: theirs, because },
      sides: sides.map(({ of }) => {
        const { ours, verdict, cause } = of.findings[i]!;
        return { ours, verdict, cause };
      }),
    })),
    panels: overlaidOf(compared).map(({ panel, sides: of }) => ({
      ...{ id: panel.id, title: panel.title, mark: panel.mark, x: panel.x, y: panel.y },
      relative: isSpeed(panel),
      missing: panel.missing,
      paper: seriesOf(panel.paper),
      sides: of.map((side) => ({
        ...{ label: side.label, unit: side.unit, paperUnit: side.paperUnit },
        caption: captionOf(panel, side),
        series: seriesOf(side.points),
      })),
    })),
  };
}

function seriesOf(points: readonly Point[]): Series[] {
  return [...Map.groupBy(points, ({ series }) => series)].map(([name, of]) => ({
    name,
    points: of.map(({ x, y }) => ({ x, y })),
  }));
}
