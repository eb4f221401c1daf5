import brownSnoeyink from "./brown-snoeyink.json" with { type: "json" };
import cudaHandbook from "./cuda-handbook.json" with { type: "json" };
import hardavellas from "./hardavellas.json" with { type: "json" };
import podlozhnyuk from "./podlozhnyuk.json" with { type: "json" };
import type { Account, Statement } from "./statement.ts";
import xu from "./xu.json" with { type: "json" };

// A test compares each statement with the code and the report, since JSON has no types of slugs and parameters.
const of = (statements: unknown) => statements as readonly Statement[];

/** The statements of the five papers, with the place of each in the code and in the report. */
export const ACCOUNTS: readonly Account[] = [
  { id: "brown-snoeyink", paper: "Brown & Snoeyink", statements: of(brownSnoeyink) },
  { id: "cuda-handbook", paper: "The CUDA Handbook", statements: of(cudaHandbook) },
  { id: "podlozhnyuk", paper: "Podlozhnyuk", statements: of(podlozhnyuk) },
  { id: "xu", paper: "Xu et al.", statements: of(xu) },
  { id: "hardavellas", paper: "Hardavellas", statements: of(hardavellas) },
];
