import { brownSnoeyink } from "./brown-snoeyink/index.ts";
import { statements as cudaHandbook } from "./cuda-handbook.ts";
import { statements as hardavellas } from "./hardavellas.ts";
import { statements as podlozhnyuk } from "./podlozhnyuk.ts";
import type { Account } from "./statement.ts";
import { xu } from "./xu/index.ts";

/** The statements of the five papers, with the place of each in the code and in the report. */
export const ACCOUNTS: readonly Account[] = [
  { id: "brown-snoeyink", paper: "Brown & Snoeyink", statements: brownSnoeyink },
  { id: "cuda-handbook", paper: "The CUDA Handbook", statements: cudaHandbook },
  { id: "podlozhnyuk", paper: "Podlozhnyuk", statements: podlozhnyuk },
  { id: "xu", paper: "Xu et al.", statements: xu },
  { id: "hardavellas", paper: "Hardavellas", statements: hardavellas },
];
