import { WITHOUT_ATOMICS } from "../../src/suites/weighted-atomics.ts";
import { claimOf, numbersOf } from "../data.ts";
import type { Measured, SumsRow } from "../measured.ts";
import type { Figure, Point } from "../model.ts";
import { because, best, ratio, ratioSide, rule } from "../readings/index.ts";
import { floatAtomics } from "./causes.ts";
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

const [GAIN, FREE, COLLISION] = ["gain of unrolling", "collision-free", "collision"] as const;

/** The best throughput divided by that without unrolling, for the collision-free method (Figure 4) and for this one. */
function gains(measured: Measured): Point[] {
  const gain = (figure: string, x: string, warpsWanted?: number) => {
    const rows = asInPaper(measured.sums(figure)).filter(
      // Words have several documents, so they cannot be unrolled less than that.
      ({ weighted }) =>
        weighted.fetch !== "word" && (warpsWanted === undefined || weighted.warps === warpsWanted),
    );
    const one = rows.find(({ weighted }) => weighted.unroll === 1)?.gbps;
    const best = Math.max(...rows.map(({ gbps }) => gbps));
    return one === undefined ? [] : [{ series: GAIN, x, y: best / one }];
  };
  return [...gain("Figure 4", FREE), ...gain("Figure 8", COLLISION, warps)];
}

const [WITH, WITHOUT] = ["with atomics", "without atomics"] as const;

/** A cell of the suite that measures the kernel without atomics. */
interface Cell {
  readonly values: "uniform" | "equal";
  readonly precision: string;
  readonly atomics: boolean;
  readonly gbps: number;
}

/** The program's cells with floats, as in the paper. */
function withoutAtomics(measured: Measured): Point[] {
  const note = measured.note("weighted-atomics", WITHOUT_ATOMICS) as { cells: readonly Cell[] } | undefined;
  return (note?.cells ?? [])
    .filter(({ precision }) => precision === "fast")
    .map(({ values, atomics, gbps }) => ({
      series: atomics ? WITH : WITHOUT,
      x: values === "equal" ? EQUAL : UNIFORM,
      y: gbps,
    }));
}

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
      id: "gains",
      title: "The gain of unrolling, for both methods",
      mark: "bar",
      x: { label: "method", scale: "category" },
      y: { label: "best over none", scale: "linear" },
      paper: [],
      wanted: [FREE, COLLISION].map((x) => ({ series: GAIN, x })),
      command: "run bench weighted-paper weighted-parameters",
      ours: gains,
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
    {
      id: "atomics",
      title: "The same kernel with atomics and without, which loses additions",
      mark: "bar",
      x: { label: "values", scale: "category" },
      y: { label: "GB/s of values", scale: "log" },
      paper: numbersOf(paper, id, "atomics"),
      wanted: [WITH, WITHOUT].flatMap((series) => [UNIFORM, EQUAL].map((x) => ({ series, x }))),
      command: "run bench weighted-atomics",
      ours: withoutAtomics,
    },
  ],
  rules: [
    because(
      rule(
        "atomics",
        "Atomics are the bottleneck on equal values: without over with",
        "6.2.1",
        ratio({ series: WITHOUT, x: EQUAL }, { series: WITH, x: EQUAL }),
      ),
      floatAtomics,
    ),
    rule("tuning", "The best N_warp without unrolling", "6.2.1", best(`unroll ${unroll}`), warps),
    rule(
      "gains",
      "Unrolling helps less than in the collision-free method",
      "6.2.1",
      ratioSide({ series: GAIN, x: COLLISION }, { series: GAIN, x: FREE }),
      { side: "below 1" },
      "more subtle",
    ),
    because(
      rule(
        "extremes",
        "Equal values serialise atomics: uniform over all equal",
        "6.2.1",
        ratio({ series: "collision", x: UNIFORM }, { series: "collision", x: EQUAL }),
      ),
      floatAtomics,
    ),
  ],
  notes: [
    `The paper's kernel without atomics also reaches ${claim("memory throughput without atomics")} GB/s of memory throughput. Both give wrong sums, so only a program of the benchmarks has such a kernel.`,
  ],
};
