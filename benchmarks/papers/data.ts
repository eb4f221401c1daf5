import brownSnoeyinkCurves from "./brown-snoeyink/curves.json" with { type: "json" };
import brownSnoeyink from "./brown-snoeyink/paper.json" with { type: "json" };
import cudaHandbook from "./cuda-handbook/paper.json" with { type: "json" };
import hardavellas from "./hardavellas/paper.json" with { type: "json" };
import type { Paper, PaperId, PaperNumber, Point } from "./model.ts";
import podlozhnyuk from "./podlozhnyuk/paper.json" with { type: "json" };
import xu from "./xu/paper.json" with { type: "json" };

/** A number of a figure: its panel, series, x, value, and the section that prints it. */
type Entry = readonly [panel: string, series: string, x: Point["x"], y: number, where: string];

/** The part of a paper's data file for one figure. */
export interface FigureData {
  readonly numbers: readonly Entry[];
  /** Numbers stated in the text: factors, positions, shares. */
  readonly claims: Readonly<Record<string, readonly [value: number, where: string]>>;
}

/** A paper's data file. `text` names the paper's text, from which the numbers come. */
export interface PaperData extends Paper {
  readonly text: string;
  readonly figures: Readonly<Record<string, FigureData>>;
}

// JSON has no tuples. A test checks the shape.
export const PAPERS = {
  "brown-snoeyink": brownSnoeyink,
  "cuda-handbook": cudaHandbook,
  podlozhnyuk,
  hardavellas,
  xu,
} as unknown as Readonly<Record<PaperId, PaperData>>;

function figureOf(paper: PaperId, figure: string): FigureData {
  const found = PAPERS[paper].figures[figure];
  if (found === undefined) throw new Error(`no data for ${paper}, ${figure}`);
  return found;
}

/** Returns the numbers that the paper's text prints for one panel. */
export function numbersOf(paper: PaperId, figure: string, panel: string): PaperNumber[] {
  return figureOf(paper, figure)
    .numbers.filter(([of]) => of === panel)
    .map(([, series, x, y, where]) => ({ series, x, y, where }));
}

/** Curves of one paper's figures, read from its drawings. */
interface Curves {
  readonly figures: Readonly<
    Record<
      string,
      {
        /** Half a step of the drawing's grid, in the unit of y. */
        readonly error: number;
        /** By panel and series. */
        readonly curves: Readonly<
          Record<string, Readonly<Record<string, readonly (readonly [number, number])[]>>>
        >;
      }
    >
  >;
}

const CURVES = brownSnoeyinkCurves as unknown as Curves;

/** Returns the points of a figure's drawn curves that the text does not print, with their error. */
export function curvesOf(paper: PaperId, figure: string, panel: string): PaperNumber[] {
  const of = paper === "brown-snoeyink" ? CURVES.figures[figure] : undefined;
  if (of === undefined) return [];
  const printed = numbersOf(paper, figure, panel);
  const where = `read from the drawing, ±${of.error}`;
  return Object.entries(of.curves[panel] ?? {}).flatMap(([series, points]) =>
    points
      .filter(([x]) => !printed.some((one) => one.series === series && one.x === x))
      .map(([x, y]) => ({ series, x, y, where })),
  );
}

/** A number that the paper's text states about a figure, by its name, and what it becomes: it is divided, then multiplied, then added to. */
export interface Claim {
  readonly claim: string;
  /** Default: those of the figure that refers to it. */
  readonly paper?: PaperId;
  readonly figure?: string;
  readonly over?: number | Claim;
  readonly times?: number;
  readonly plus?: number;
}

/** Returns a number that the paper's text states about a figure. */
export function claimOf(paper: PaperId, figure: string, claim: string | Claim): number {
  if (typeof claim === "string") return statedAs(paper, figure, claim);
  const { claim: name, over = 1, times = 1, plus = 0 } = claim;
  const value = statedAs(claim.paper ?? paper, claim.figure ?? figure, name);
  return (value / (typeof over === "number" ? over : claimOf(paper, figure, over))) * times + plus;
}

function statedAs(paper: PaperId, figure: string, name: string): number {
  const found = figureOf(paper, figure).claims[name];
  if (found === undefined) throw new Error(`no claim ${JSON.stringify(name)} for ${paper}, ${figure}`);
  return found[0];
}
