import { PAPER_SUITES } from "../src/suites/host.ts";
import { SUITES } from "../src/suites/index.ts";
import type { Evaluated, EvaluatedPanel, Finding } from "./evaluate.ts";
import type { Verdict } from "./model.ts";
import { type Overlaid, overlaidOf } from "./overlay.ts";
import { type Cause, numberOf } from "./page/causes.ts";
import { digits, value } from "./readings/index.ts";
import { CANNOT } from "./reasons.ts";
import { type Compared, isMeasured, LABELS, type SideId, shownSides } from "./sides.ts";
import { details, pivot, placeText, table } from "./tables.ts";

/** The most missing cells of a series that are named individually. */
const NAMED = 8;

const strong = (verdict: Verdict): string => (verdict === "reversed" ? `**${verdict}**` : verdict);

/** Lists the paper's statements with the result and the verdict of every column that has measurements, and links to causes. */
export function statements(compared: Compared, causes: readonly Cause[]): string {
  const sides = shownSides(compared);
  const cells = ({ ours, verdict, cause, because }: Finding): [string, string] => {
    if (because !== null) return ["", CANNOT];
    const number = numberOf(causes, cause);
    const why = number === undefined ? "" : `, [why](#cause-${number})`;
    return [ours ?? "", `${strong(verdict)}${why}`];
  };
  return table(
    ["the paper's statement", "section", "paper", ...sides.flatMap(({ id }) => [LABELS[id], "verdict"])],
    compared.main.findings.map(({ id, claim, where, paper }, i) => [
      `<a id="${id}"></a>${claim} (\`${id}\`)`,
      where,
      paper,
      ...sides.flatMap(({ of }) => cells(of.findings[i]!)),
    ]),
  );
}

/** Says why statements cannot be decided in some columns, each reason once. */
export function undecided({ sides }: Compared): string[] {
  const all = sides.flatMap(({ id: column, of }) =>
    of.findings.flatMap(({ id, because }) => (because === null ? [] : [{ column, id, because }])),
  );
  return [...Map.groupBy(all, ({ because }) => because)].map(([because, of]) => {
    const columns = Map.groupBy(of, ({ id }) =>
      of
        .filter((one) => one.id === id)
        .map(({ column }) => LABELS[column])
        .join(", "),
    );
    const where = [...columns].map(
      ([labels, ones]) => `${[...new Set(ones.map(({ id }) => `\`${id}\``))].join(", ")} (${labels})`,
    );
    return `Cannot be measured: ${where.join("; ")}. ${because}`;
  });
}

/** Lists the paper's numbers next to ours, then all of ours. */
export function numbers(compared: Compared): string[] {
  return overlaidOf(compared).flatMap((one) => [...beside(one), ...all(one)]);
}

function beside({ panel, sides }: Overlaid): string[] {
  const { title, paper, x } = panel;
  const [first] = sides;
  if (paper.length === 0 || first === undefined) return [];
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

/** Names the cells that a column has not measured, and columns without any, with the commands that measure them. */
export function missing({ sides }: Compared): string[] {
  const lines = sides.flatMap(({ id, of }) =>
    isMeasured(of) ? of.panels.flatMap((panel) => missingOf(id, of, panel)) : absentText(of, id),
  );
  if (lines.length === 0) return [];
  return [details("Cells not measured yet, and the command that measures them", lines.join("\n"))];
}

function missingOf(
  id: SideId,
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
  const how = id === "published" ? PUBLISHED : (own ?? command);
  return [`- ${LABELS[id]}: ${title} (${where}\`${how}\`). ${bySeries.join(". ")}.`];
}

/** The command that measures kernels as published. */
const PUBLISHED = "run bench published";

/** Says how to measure a figure on a column without any measurement. */
function absentText({ command, needs }: Evaluated, id: SideId): string {
  if (id === "published")
    return needs === "cpu"
      ? `- ${LABELS[id]}: no program of the paper's kind for a CPU.`
      : `- ${LABELS[id]} (on a machine with a GPU \`${PUBLISHED}\`). All cells.`;
  if (id === "cpu") return `- ${LABELS[id]} (\`${command}\`). All cells.`;
  const names = /^run bench ([\w -]+?)(?: --.*)?$/.exec(command)?.[1]?.split(" ");
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
