import { PAPER_SUITES } from "../src/suites/host.ts";
import { SUITES } from "../src/suites/index.ts";
import type { Evaluated, EvaluatedPanel, Finding } from "./evaluate.ts";
import type { Shown } from "./measured.ts";
import type { Verdict } from "./model.ts";
import { type Overlaid, overlaidOf } from "./overlay.ts";
import { digits, value } from "./readings/index.ts";
import { type Compared, LABELS } from "./sides.ts";
import { details, pivot, placeText, table } from "./tables.ts";

/** The most missing cells of a series that are named individually. */
const NAMED = 8;

const strong = (verdict: Verdict): string => (verdict === "reversed" ? `**${verdict}**` : verdict);

/** Lists the paper's statements with the result and the verdict of every backend. */
export function statements({ main, sides }: Compared): string {
  return table(
    ["the paper's statement", "section", "paper", ...sides.flatMap(({ id }) => [LABELS[id], "verdict"])],
    main.findings.map(({ claim, where, paper }, i) => [
      claim,
      where,
      paper,
      ...sides.flatMap(({ of }) => [of.findings[i]!.ours ?? "", strong(of.findings[i]!.verdict)]),
    ]),
  );
}

/** Lists the cause of each verdict other than "agrees". */
export function causes({ findings }: Evaluated): string[] {
  const line = ({ claim, cause }: Finding) => (cause === null ? [] : [`- ${claim}: ${cause}`]);
  const lines = findings.flatMap(line);
  return lines.length === 0 ? [] : ["Causes of the verdicts that do not agree:", lines.join("\n")];
}

/** Lists the paper's numbers next to ours, then all of ours. */
export function numbers(compared: Compared): string[] {
  return overlaidOf(compared).flatMap((one) => [...beside(one), ...all(one)]);
}

function beside({ panel, sides }: Overlaid): string[] {
  const { title, paper, x } = panel;
  if (paper.length === 0) return [];
  const first = sides[0]!;
  const rows = paper.map((point) => {
    const mine = value(first.points, point);
    return [
      point.series,
      placeText(point.x),
      digits(point.y),
      ...sides.map(({ points }) => textOf(value(points, point))),
      mine === null || point.y === 0 ? "" : digits(mine / point.y),
      point.where,
    ];
  });
  const ours = sides.map(({ label }) => label);
  return [
    `The paper's numbers for "${title}":`,
    table(["series", x.label, "paper", ...ours, `${first.label} / paper`, "section"], rows),
  ];
}

const textOf = (found: number | null): string => (found === null ? "" : digits(found));

function all({ panel: { title, x }, sides }: Overlaid): string[] {
  return sides
    .filter(({ points }) => points.length > 0)
    .map(({ label, points }) => details(`All our numbers for "${title}": ${label}`, pivot(points, x.label)));
}

/** Names the cells that the main backend has not measured, and backends without any, with the commands that measure them. */
export function missing({ main, absent }: Compared): string[] {
  const lines = [
    ...main.panels.flatMap((panel) => missingOf(main, panel)),
    ...absent.map((id) => absentText(main.command, id)),
  ];
  return lines.length === 0
    ? []
    : ["Cells not measured yet, and the command that measures them:", lines.join("\n")];
}

function missingOf(
  { command, needs }: Evaluated,
  { title, missing: cells, command: own }: EvaluatedPanel,
): string[] {
  if (cells.length === 0) return [];
  const bySeries = [...Map.groupBy(cells, ({ series }) => series)].map(([series, of]) => {
    const more = of.length > NAMED ? ` and ${of.length - NAMED} more` : "";
    return `${series}: ${of
      .slice(0, NAMED)
      .map(({ x }) => placeText(x))
      .join("; ")}${more}`;
  });
  const where = needs === "gpu" && own === null ? "on a machine with a GPU " : "";
  return [`- ${title} (${where}\`${own ?? command}\`). ${bySeries.join(". ")}.`];
}

/** Says how to measure a figure on another backend than the main one. */
function absentText(command: string, id: Shown): string {
  const names = /^run bench ([\w -]+)$/.exec(command)?.[1]?.split(" ");
  const suites = id === "piscina" ? PAPER_SUITES : SUITES[id];
  const measurable = names?.filter((name) => suites[name] !== undefined) ?? [];
  if (measurable.length === 0) return `- ${LABELS[id]}: no suite measures the figure on this backend.`;
  const where = id === "piscina" ? "" : "on a machine with a GPU ";
  return `- ${LABELS[id]} (${where}\`run bench ${measurable.join(" ")} --backend ${id}\`). All cells.`;
}

/** Lists the rule behind each verdict. */
export function rules({ findings }: Evaluated): string {
  return details("Rules of comparison", findings.map(({ claim, how }) => `- ${claim}: ${how}.`).join("\n"));
}
