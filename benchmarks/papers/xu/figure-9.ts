import { numbersOf } from "../data.ts";
import type { Measured, SumsRow } from "../measured.ts";
import type { Point } from "../model.ts";
import { digits, value } from "../readings/index.ts";
import { deviationsOf } from "./deviations.ts";
import { asInPaper, integersOf, pointsOf } from "./rows.ts";

/** The place of uniform values on the axis: past every deviation. */
const UNIFORM = 1000;

const sigmaOf = ({ weighted }: SumsRow): number => weighted.sigma ?? UNIFORM;

export function bySigma(measured: Measured): Point[] {
  const rows = measured.sums("Figure 9");
  return [...pointsOf(asInPaper(rows), sigmaOf), ...integersOf(rows, sigmaOf)];
}

/** Numbers of features by powers of two of their deviation. */
export function deviationCounts(): Point[] {
  const names = deviationsOf().map(({ sigma }) => {
    const from = 2 ** Math.floor(Math.log2(sigma));
    return { from, x: `${from} to ${2 * from}` };
  });
  const inOrder = names.toSorted((a, b) => a.from - b.from);
  return [...Map.groupBy(inOrder, ({ x }) => x)].map(([x, of]) => ({ series: "features", x, y: of.length }));
}

/** The collision method loses less on equal values than the paper's does. */
export function lessLoss(measured: Measured): string | null {
  const rows = asInPaper(measured.sums("Figure 9")).filter(
    ({ algorithm }) => algorithm === "weighted-collision",
  );
  const [equal, uniform] = [0, UNIFORM].map((sigma) => rows.find((row) => sigmaOf(row) === sigma)?.gbps);
  const theirs = numbersOf("xu", "figure-9", "sigma");
  const [least, most] = [0, UNIFORM].map((x) => value(theirs, { series: "collision", x }));
  if (!equal || !uniform || uniform / equal >= most! / least!) return null;
  return `The collision method is ${digits(uniform / equal)} times as fast on uniform values as on equal ones. In the paper it is ${digits(most! / least!)} times as fast.`;
}
