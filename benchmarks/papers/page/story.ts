import { CANNOT } from "../reasons.ts";
import { type Compared, LABELS, type Side } from "../sides.ts";
import main from "./main.json" with { type: "json" };
import { type Cell, NONE, type Section, tableOf } from "./page.ts";

/** The ids of the papers' main statements. Their verdicts are computed. */
const MAIN: readonly string[] = main;

/** Lists the papers' main statements with every column's result and verdict. @throws an Error if a figure no longer has one */
export function story(figures: readonly Compared[]): Section {
  const shown = figures[0]!.sides.map(({ id }) => id).filter((id) => id !== "piscina");
  const rows = MAIN.map((statement): Cell[] => {
    const of = figures.find(({ main: { findings } }) => findings.some(({ id }) => id === statement));
    if (of === undefined) throw new Error(`expected a statement ${statement} but no figure has it`);
    const figure = `${of.main.paper}-${of.main.id}`;
    const { claim, paper } = findingOf(of.sides[0], statement);
    return [
      { text: claim, figure, statement },
      paper,
      ...shown.map((id) => {
        const side = of.sides.find((one) => one.id === id || (one.id === "cpu" && id === shown[1]));
        return side === undefined ? NONE : resultOf(side, statement);
      }),
    ];
  });
  return {
    id: "statements",
    title: "The papers' main statements",
    text: [
      "Each result has its verdict behind it. The link leads to the statement in its figure, with the rule of comparison and the cause of a difference. In a row about a CPU, the column of polybin's first backend shows our CPU.",
    ],
    table: tableOf(
      ["the papers' statement", "then", ...shown.map((id) => LABELS[id])],
      rows,
      shown.length + 2,
    ),
  };
}

function findingOf({ of }: Side, statement: string) {
  return of.findings.find(({ id }) => id === statement)!;
}

function resultOf(side: Side, statement: string): string {
  const { ours, verdict, because } = findingOf(side, statement);
  if (because !== null) return CANNOT;
  return ours === null ? verdict : `${ours}, ${verdict}`;
}
