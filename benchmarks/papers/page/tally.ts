import type { Evaluated } from "../evaluate.ts";
import type { Verdict } from "../model.ts";
import { CANNOT } from "../reasons.ts";
import { type Compared, LABELS, type SideId } from "../sides.ts";
import { type Section, tableOf } from "./page.ts";

/** Every verdict, in the order of the tables. */
const VERDICTS: readonly Verdict[] = ["agrees", "differs", "reversed", "not measured"];

/** Counts of one column. */
interface Tally {
  readonly id: SideId;
  readonly statements: number;
  readonly verdicts: readonly number[];
  readonly missing: number;
}

/** Returns the cells of a figure without a measurement. */
export function missingIn({ panels }: Evaluated): number {
  return panels.reduce((sum, panel) => sum + panel.missing.length, 0);
}

/** Counts the verdicts of a figure in a column, and at last the statements that cannot have one. */
export function verdictsIn({ findings }: Evaluated): number[] {
  const decidable = findings.filter(({ because }) => because === null);
  return [
    ...VERDICTS.map((verdict) => decidable.filter((one) => one.verdict === verdict).length),
    findings.length - decidable.length,
  ];
}

/** Counts verdicts and missing cells by column. A statement without measurements counts, too. */
function talliesOf(figures: readonly Compared[]): Tally[] {
  const columns = Map.groupBy(
    figures.flatMap(({ sides }) => sides),
    ({ id }) => id,
  );
  return [...columns].map(([id, sides]) => {
    const counts = sides.map(({ of }) => verdictsIn(of));
    return {
      id,
      statements: sides.reduce((sum, { of }) => sum + of.findings.length, 0),
      verdicts: counts.reduce((sum, one) => sum.map((count, i) => count + one[i]!)),
      missing: sides.reduce((sum, { of }) => sum + missingIn(of), 0),
    };
  });
}

/** Shows how many statements hold, by column. */
export function tally(figures: readonly Compared[]): Section {
  const all = figures.reduce((sum, { main }) => sum + main.findings.length, 0);
  return {
    id: "tally",
    title: "How many statements hold",
    text: [
      `The report tests ${all} statements. The verdicts of “${LABELS.published}” are about the papers' kernels. Those of the other columns are about polybin's kernels, and show what a rewrite changes. A statement whose cells are missing is not measured, and counts as such. One about something that a column does not have cannot be measured there: its figure names the reason.`,
    ],
    table: tableOf(
      ["kernels", "statements", ...VERDICTS, CANNOT, "missing cells"],
      talliesOf(figures).map(({ id, statements, verdicts, missing }) => [
        id === "published" ? "the papers', as published" : `polybin's, ${LABELS[id]}`,
        ...[statements, ...verdicts, missing].map(String),
      ]),
      1,
    ),
  };
}
