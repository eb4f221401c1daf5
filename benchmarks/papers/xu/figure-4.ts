import { claimOf } from "../data.ts";
import type { Figure } from "../model.ts";
import { because, best, ratio, ratioSide, rule } from "../readings/index.ts";
import { noSpills } from "./causes.ts";
import { COUNTERS_COMMAND, counterPoints, countersOf, unrollOf } from "./counters.ts";
import { asInPaper, pointsOf, SHAPE } from "./rows.ts";

const [paper, id] = ["xu", "figure-4"] as const;
const UNROLLS = [1, 2, 4, 8, 16, 32];
const series = "collision-free";
const tooMuch = claimOf(paper, id, "too much");
const [REGISTERS, SPILLS] = ["registers", "spilled sectors loaded"] as const;
/** Table 5's N_unroll for 64 bins. */
const BEST = 16;

export const figure4: Figure = {
  paper,
  id,
  title: "Figure 4: the collision-free method by unrolling, 64 bins",
  source: "6.1.1 and Figure 4",
  lost: "all points, also of the registers. The text gives the factor and where it ends",
  needs: "gpu",
  command: "run bench weighted-paper",
  panels: [
    {
      id: "unroll",
      title: "Throughput by N_unroll",
      mark: "line",
      x: { label: "N_unroll", scale: "log" },
      y: { label: "GB/s of values", scale: "linear" },
      paper: [],
      wanted: UNROLLS.map((x) => ({ series, x })),
      // A word has four documents, so the rows with words begin at four.
      ours: (measured) =>
        asInPaper(measured.sums("Figure 4")).flatMap((row) =>
          pointsOf([row], ({ weighted }) => weighted.unroll ?? null).map((point) =>
            row.weighted.fetch === "word" ? { ...point, series: `${series}, words` } : point,
          ),
        ),
    },
    {
      id: "registers",
      title: "Registers per thread, and loads of spilled registers",
      mark: "line",
      x: { label: "N_unroll", scale: "log" },
      y: { label: "registers, 10^6 sectors", scale: "linear" },
      paper: [],
      wanted: [REGISTERS, SPILLS].flatMap((name) => UNROLLS.map((x) => ({ series: name, x }))),
      command: COUNTERS_COMMAND,
      ours: (measured) => {
        const counted = countersOf(measured, "Figure 4").filter((one) => unrollOf(one) === one.cell.unroll);
        const place = ({ cell }: (typeof counted)[number]) => cell.unroll!;
        return [
          ...counterPoints(counted, REGISTERS, place, ({ values }) => values.registers),
          ...counterPoints(counted, SPILLS, place, ({ values: { spills } }) =>
            spills === null ? null : spills / 1e6,
          ),
        ];
      },
    },
  ],
  rules: [
    rule(
      "unroll",
      "Unrolling is faster",
      "6.1.1",
      ratio({ series, x: BEST }, { series, x: 1 }),
      claimOf(paper, id, "gain"),
    ),
    because(
      rule(
        "unroll",
        "Too much unrolling spills registers and is slower",
        "6.1.1",
        ratioSide({ series, x: tooMuch }, { series, x: BEST }),
        { side: "below 1" },
        "slower",
      ),
      noSpills,
    ),
    because(rule("unroll", "The best N_unroll", "Table 5", best(series), BEST), noSpills),
  ],
  notes: [
    SHAPE,
    "The registers are those of kernels that read exactly N_unroll documents at a time. A kernel that fetches words reads at least a word of four, so it has no registers for an N_unroll below four.",
  ],
};
