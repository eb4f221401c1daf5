import type { Finding } from "../evaluate.ts";
import type { Verdict } from "../model.ts";
import { type Compared, LABELS } from "../sides.ts";
import main from "./main.json" with { type: "json" };
import { type Cell, NONE, type Section } from "./page.ts";

/** The papers' main statements: the figure, and the beginning of the statement. Their verdicts are computed. */
const MAIN = main as unknown as readonly (readonly [figure: string, claim: string])[];

/** A statement with its figure and every backend's finding, the main one first. */
interface Statement {
  readonly figure: string;
  readonly title: string;
  readonly finding: Finding;
  readonly sides: readonly { readonly label: string; readonly finding: Finding }[];
}

function statementsOf(figures: readonly Compared[]): Statement[] {
  return figures.flatMap(({ main, sides }) =>
    main.findings.map((finding, i) => ({
      figure: `${main.paper}-${main.id}`,
      title: main.title,
      finding,
      sides: sides.map(({ id, of }) => ({ label: LABELS[id], finding: of.findings[i]! })),
    })),
  );
}

/** Counts the statements by verdict, in a sentence. */
export function tally(figures: readonly Compared[]): string {
  const all = statementsOf(figures);
  const count = (verdict: Verdict) => all.filter((one) => one.finding.verdict === verdict).length;
  const gaps = count("not measured");
  const open = gaps === 0 ? "" : ` ${gaps} ${gaps === 1 ? "is" : "are"} not measured yet.`;
  return `The report tests ${all.length} statements of the papers. ${count("agrees")} agree with our numbers, ${count("differs")} differ, and ${count("reversed")} are reversed.${open}`;
}

/** @throws an Error if a figure no longer has the statement */
function mainOf(all: readonly Statement[]): Statement[] {
  return MAIN.map(([figure, claim]) => {
    const found = all.filter((one) => one.figure === figure && one.finding.claim.startsWith(claim));
    if (found.length === 1) return found[0]!;
    throw new Error(`expected one statement “${claim}…” in ${figure} but found ${found.length}`);
  });
}

/** Lists the main statements that hold, then those that do not and all that are reversed. */
export function story(figures: readonly Compared[]): Section[] {
  const all = statementsOf(figures);
  const told = mainOf(all);
  const is = (verdict: Verdict) => (one: Statement) => one.finding.verdict === verdict;
  const hold = told.filter(is("agrees"));
  const changed = all.filter((one) => is("reversed")(one) || (is("differs")(one) && told.includes(one)));
  const unknown = told.filter(is("not measured"));
  return [
    {
      id: "holds",
      title: "What still holds",
      text: ["These are the papers' main statements that agree with our numbers."],
      table: tableOf(hold, false),
    },
    {
      id: "changed",
      title: "What changed, and why",
      text: ["These are all statements that CUDA or a CPU reverses, and the main ones that differ."],
      table: tableOf(changed, true),
    },
    ...(unknown.length === 0
      ? []
      : [
          {
            id: "unknown",
            title: "What is not measured yet",
            text: ["These are the main statements whose figures name a command that measures them."],
            table: {
              columns: ["the paper's statement", "then"],
              rows: unknown.map(({ figure, finding: { claim, paper } }) => [{ text: claim, figure }, paper]),
              numbers: [],
            },
          },
        ]),
  ];
}

/** Writes a backend's result, with its verdict if the main backend has another one. */
function resultOf({ label, finding: { ours, verdict } }: Statement["sides"][number], main: Verdict): string {
  return `${label} ${ours ?? NONE}${verdict === main ? "" : ` (${verdict})`}`;
}

function tableOf(of: readonly Statement[], isChanged: boolean): Section["table"] {
  const rows = of.map(({ figure, finding, sides }): Cell[] => [
    { text: finding.claim, figure },
    finding.paper,
    sides.map((side) => resultOf(side, finding.verdict)).join(", "),
    ...(isChanged ? [finding.verdict, finding.cause ?? NONE] : []),
  ]);
  const columns = ["the paper's statement", "then", "now", ...(isChanged ? ["verdict", "why"] : [])];
  return { columns, rows, numbers: [] };
}
