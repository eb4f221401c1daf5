import brownSnoeyink from "./brown-snoeyink/paper.json" with { type: "json" };
import cudaHandbook from "./cuda-handbook/paper.json" with { type: "json" };
import type { Paper, PaperId, PaperNumber, Point } from "./model.ts";
import xu from "./xu/paper.json" with { type: "json" };

/** A number of a figure: its panel, series, place and value, and the section that prints it. */
type Entry = readonly [panel: string, series: string, x: Point["x"], y: number, where: string];

/** What a paper's data file holds of one figure. */
export interface FigureData {
  readonly numbers: readonly Entry[];
  /** Numbers that the text states: factors, places, shares. */
  readonly claims: Readonly<Record<string, readonly [value: number, where: string]>>;
}

/** A paper's data file. `text` is the name of the paper's text, which the numbers were taken from. */
export interface PaperData extends Paper {
  readonly text: string;
  readonly figures: Readonly<Record<string, FigureData>>;
}

// JSON knows no tuples; a test checks the shape.
export const PAPERS = {
  "brown-snoeyink": brownSnoeyink,
  "cuda-handbook": cudaHandbook,
  xu,
} as unknown as Readonly<Record<PaperId, PaperData>>;

function figureOf(paper: PaperId, figure: string): FigureData {
  const found = PAPERS[paper].figures[figure];
  if (found === undefined) throw new Error(`no data of ${paper}, ${figure}`);
  return found;
}

/** The paper's numbers of one panel. */
export function numbersOf(paper: PaperId, figure: string, panel: string): PaperNumber[] {
  return figureOf(paper, figure)
    .numbers.filter(([of]) => of === panel)
    .map(([, series, x, y, where]) => ({ series, x, y, where }));
}

/** A number that the paper's text states about a figure. */
export function claimOf(paper: PaperId, figure: string, name: string): number {
  const found = figureOf(paper, figure).claims[name];
  if (found === undefined) throw new Error(`no claim ${JSON.stringify(name)} of ${paper}, ${figure}`);
  return found[0];
}
