import { claimOf, numbersOf } from "../data.ts";
import type { SumsRow } from "../measured.ts";
import type { Figure } from "../model.ts";
import { best, ratio, rule } from "../readings/index.ts";
import { asInPaper } from "./rows.ts";

const [paper, id] = ["xu", "figure-8"] as const;
const WARPS = [2, 4, 8, 16, 32];
const UNROLLS = [1, 2, 4, 8];
const claim = (name: string) => claimOf(paper, id, name);
const [warps, unroll] = [claim("warps"), claim("unroll")];
/** A word has two documents, so the rows with words have series of their own, from 2 on. */
const seriesOf = ({ unroll: of, fetch }: SumsRow["weighted"]) =>
  `unroll ${of}${fetch === "word" ? ", words" : ""}`;
const [UNIFORM, EQUAL] = ["uniform", "all equal"] as const;

export const figure8: Figure = {
  paper,
  id,
  title: "Figure 8: the collision method by warps and unrolling, 1,024 bins",
  source: "6.2.1 and Figure 8",
  lost: "all points except the best",
  needs: "gpu",
  command: "run bench weighted-parameters",
  panels: [
    {
      id: "tuning",
      title: "Throughput by warps per block, uniform values",
      mark: "line",
      x: { label: "N_warp", scale: "log" },
      y: { label: "GB/s of values", scale: "linear" },
      paper: numbersOf(paper, id, "tuning"),
      wanted: UNROLLS.flatMap((of) => WARPS.map((x) => ({ series: `unroll ${of}`, x }))),
      ours: (measured) =>
        asInPaper(measured.sums("Figure 8")).flatMap(({ weighted, gbps }) =>
          weighted.unroll === undefined || weighted.warps === undefined
            ? []
            : [{ series: seriesOf(weighted), x: weighted.warps, y: gbps }],
        ),
    },
    {
      id: "extremes",
      title: "Best and worst data",
      mark: "bar",
      x: { label: "values", scale: "category" },
      y: { label: "GB/s of values", scale: "log" },
      paper: numbersOf(paper, id, "extremes"),
      wanted: [UNIFORM, EQUAL].map((x) => ({ series: "collision", x })),
      ours: (measured) =>
        asInPaper(measured.sums("Figure 9"))
          .filter(({ algorithm }) => algorithm === "weighted-collision")
          .flatMap(({ weighted: { sigma }, gbps }) =>
            sigma === undefined || sigma === 0
              ? [{ series: "collision", x: sigma === 0 ? EQUAL : UNIFORM, y: gbps }]
              : [],
          ),
    },
  ],
  rules: [
    rule("tuning", "The best N_warp without unrolling", "6.2.1", best(`unroll ${unroll}`), warps),
    rule(
      "tuning",
      "Unrolling hardly helps: 4 over 1, at the paper's N_warp",
      "6.2.1",
      ratio({ series: "unroll 4", x: warps }, { series: "unroll 1", x: warps }),
      1,
      "subtle",
    ),
    rule(
      "extremes",
      "Equal values serialise atomics: uniform over all equal",
      "6.2.1",
      ratio({ series: "collision", x: UNIFORM }, { series: "collision", x: EQUAL }),
    ),
  ],
  notes: [
    `The paper's kernel without atomics reaches ${claim("without atomics")} GB/s but gives wrong counts. We have no such kernel.`,
  ],
};
