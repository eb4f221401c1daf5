import * as brownSnoeyinkFunctions from "./brown-snoeyink/index.ts";
import * as common from "./causes.ts";
import * as cudaHandbookFunctions from "./cuda-handbook/index.ts";
import { type FigureEntry, figureOf } from "./figure.ts";
import brownSnoeyink from "./figures/brown-snoeyink.json" with { type: "json" };
import cudaHandbook from "./figures/cuda-handbook.json" with { type: "json" };
import hardavellas from "./figures/hardavellas.json" with { type: "json" };
import podlozhnyuk from "./figures/podlozhnyuk.json" with { type: "json" };
import xu from "./figures/xu.json" with { type: "json" };
import type { Figure, PaperId } from "./model.ts";
import * as podlozhnyukFunctions from "./podlozhnyuk/index.ts";
import * as xuFunctions from "./xu/index.ts";

/** A paper's figures from its data file, and the functions that the data can name. */
function figuresOf(paper: PaperId, entries: unknown, own: object = {}): Figure[] {
  const functions = { ...common, ...own };
  return (entries as readonly FigureEntry[]).map((entry) => figureOf({ paper, functions }, entry));
}

/** Every figure and table of the papers about their methods. */
export const FIGURES: readonly Figure[] = [
  ...figuresOf("brown-snoeyink", brownSnoeyink, brownSnoeyinkFunctions),
  ...figuresOf("cuda-handbook", cudaHandbook, cudaHandbookFunctions),
  ...figuresOf("podlozhnyuk", podlozhnyuk, podlozhnyukFunctions),
  ...figuresOf("hardavellas", hardavellas),
  ...figuresOf("xu", xu, xuFunctions),
];
