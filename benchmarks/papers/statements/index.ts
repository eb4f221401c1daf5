import { brownSnoeyink } from "./brown-snoeyink/index.ts";
import { statements as cudaHandbook } from "./cuda-handbook.ts";
import { statements as hardavellas } from "./hardavellas.ts";
import { statements as podlozhnyuk } from "./podlozhnyuk.ts";
import type { Account } from "./statement.ts";
import { xu } from "./xu/index.ts";

/** The statements of the five papers, with the place of each in the code and in the report. */
export const ACCOUNTS: readonly Account[] = [
  {
    paper: "Brown & Snoeyink",
    title: "Modestly Faster Histogram Computations on GPUs",
    text: "000_592fd0edfcf5f7b2.txt",
    statements: brownSnoeyink,
  },
  {
    paper: "The CUDA Handbook",
    title: "The CUDA Handbook, histogram chapter",
    text: "001_94b3e42cd369ebe2.txt",
    statements: cudaHandbook,
  },
  {
    paper: "Podlozhnyuk",
    title: "Histogram calculation in OpenCL",
    text: "002_873678659428f8f0.txt",
    statements: podlozhnyuk,
  },
  {
    paper: "Xu et al.",
    title: "Efficient Weighted Histogramming on GPUs with CUDA",
    text: "003_451d5436cd077000.txt",
    statements: xu,
  },
  {
    paper: "Hardavellas",
    title: "Histograms (course slides)",
    text: "004_0c45da081abafccb.txt",
    statements: hardavellas,
  },
];
