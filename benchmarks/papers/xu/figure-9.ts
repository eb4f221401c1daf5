import { claimOf, numbersOf } from "../data.ts";
import type { Measured, SumsRow } from "../measured.ts";
import type { Figure, Point } from "../model.ts";
import { because, crossover, digits, ratio, rule, trend } from "../readings/index.ts";
import { lowOccupancy, moreAtomics } from "./causes.ts";
import { deviationsOf } from "./deviations.ts";
import { asInPaper, integersOf, pointsOf } from "./rows.ts";

const [paper, id] = ["xu", "figure-9"] as const;
/** The place of uniform values on the axis: past every deviation. */
const UNIFORM = 1000;
const SIGMAS = [0, 1, 2, 5, 10, 20, 50, 100, 200, UNIFORM];
const [collision, reduced] = ["collision", "collision-reduced"] as const;
const place = ({ weighted }: SumsRow) => weighted.sigma ?? UNIFORM;

/** Numbers of features by powers of two of their deviation. */
function deviationCounts(): Point[] {
  const names = deviationsOf().map(({ sigma }) => {
    const from = 2 ** Math.floor(Math.log2(sigma));
    return { from, x: `${from} to ${2 * from}` };
  });
  const inOrder = names.toSorted((a, b) => a.from - b.from);
  return [...Map.groupBy(inOrder, ({ x }) => x)].map(([x, of]) => ({ series: "features", x, y: of.length }));
}

/** The collision method loses less on equal values than the paper's does. */
function lessLoss(measured: Measured): string | null {
  const rows = asInPaper(measured.sums("Figure 9")).filter(
    ({ algorithm }) => algorithm === "weighted-collision",
  );
  const [equal, uniform] = [0, UNIFORM].map((sigma) => rows.find((row) => place(row) === sigma)?.gbps);
  const [least, most] = [0, UNIFORM].map(
    (x) => numbersOf(paper, id, "sigma").find((point) => point.series === collision && point.x === x)!.y,
  );
  if (!equal || !uniform || uniform / equal >= most! / least!) return null;
  return `The collision method is ${digits(uniform / equal)} times as fast on uniform values as on equal ones. In the paper it is ${digits(most! / least!)} times as fast.`;
}

export const figure9: Figure = {
  paper,
  id,
  title: "Figure 9: collisions by the values' deviation, 1,024 bins",
  source: "6.2.3 and Figure 9",
  lost: "the curves. The text gives both ends and where they cross",
  needs: "gpu",
  command: "run bench weighted-paper",
  panels: [
    {
      id: "sigma",
      title: "Throughput by sigma, in bins",
      mark: "line",
      x: { label: `sigma (${UNIFORM}: uniform)`, scale: "symlog" },
      y: { label: "GB/s of values", scale: "log" },
      paper: numbersOf(paper, id, "sigma"),
      wanted: [collision, reduced].flatMap((series) => SIGMAS.map((x) => ({ series, x }))),
      ours: (measured) => {
        const rows = measured.sums("Figure 9");
        return [...pointsOf(asInPaper(rows), place), ...integersOf(rows, place)];
      },
    },
    {
      id: "deviations",
      title: "Features of Figure 10 by their deviation, in bins",
      mark: "bar",
      x: { label: "sigma", scale: "category" },
      y: { label: "features", scale: "linear" },
      paper: [],
      wanted: [],
      on: "formula",
      ours: () => deviationCounts(),
    },
  ],
  rules: [
    because(
      rule(
        "sigma",
        "Equal values: collision-reduced over collision",
        "6.2.3",
        ratio({ series: reduced, x: 0 }, { series: collision, x: 0 }),
      ),
      (measured) => lessLoss(measured),
    ),
    because(
      rule(
        "sigma",
        "Uniform values: collision-reduced over collision",
        "6.2.3",
        ratio({ series: reduced, x: UNIFORM }, { series: collision, x: UNIFORM }),
      ),
      lowOccupancy,
    ),
    rule(
      "sigma",
      "The sigma from which on collision is ahead",
      "6.2.3",
      crossover(collision, reduced),
      claimOf(paper, id, "crossover"),
    ),
    rule("sigma", "Collision gets faster with sigma", "6.2.3", trend(collision), "rises"),
    because(
      rule("sigma", "Collision-reduced gets faster with sigma", "6.2.3", trend(reduced), "rises"),
      moreAtomics,
    ),
  ],
  notes: [
    "The paper draws the deviations of its features next to the curves, but the text has no number of them. The second panel has those of our features, computed from their values.",
  ],
};
