import { hasChart } from "./chart.ts";
import { PAPERS } from "./data.ts";
import type { Evaluated, EvaluatedPanel, Finding } from "./evaluate.ts";
import type { PaperId, Point, Verdict } from "./model.ts";
import { digits } from "./readings/index.ts";

const VERDICTS: readonly Verdict[] = ["agrees", "differs", "reversed", "not measured"];
/** The most missing cells of a series that are named individually. */
const NAMED = 8;

/** The origin of rows. */
export interface Provenance {
  readonly file: string;
  readonly machine: string;
  readonly commit: string;
  readonly date: string;
}

/** Writes the whole report. Its pictures are files next to it, `<paper>-<figure>.svg`. */
export function markdownOf(figures: readonly Evaluated[], from: readonly Provenance[]): string {
  return `${[
    "# The papers' figures and tables, and ours",
    "`npm start -- papers` generates this report from result files. No number and no verdict is written by hand. Each figure shows the paper's numbers on the left and ours on the right, on separate axes. The same rule tests every statement of a paper on both sides. The figure's section states the rule.",
    [
      "- **agrees**: both sides meet the rule in the same way.",
      "- **differs**: they do not, but they are not opposites.",
      "- **reversed**: today's hardware, or our kernel, shows the opposite.",
      "- **not measured**: cells are missing. The figure's section names the command that measures them.",
    ].join("\n"),
    summary(figures),
    ...Object.keys(PAPERS).flatMap((paper) => section(paper as PaperId, figures)),
    "## Sources of our numbers",
    table(
      ["file", "machine", "commit", "date"],
      from.map(({ file, machine, commit, date }) => [file, machine, commit.slice(0, 9), date.slice(0, 10)]),
    ),
  ].join("\n\n")}\n`;
}

function summary(figures: readonly Evaluated[]): string {
  return table(
    ["paper", "figure", ...VERDICTS, "missing cells"],
    figures.map((figure) => [
      short(figure.paper),
      `[${figure.title}](#${anchorOf(figure)})`,
      ...VERDICTS.map((verdict) => String(figure.findings.filter((one) => one.verdict === verdict).length)),
      String(figure.panels.reduce((sum, { missing }) => sum + missing.length, 0)),
    ]),
  );
}

const SHORT: Readonly<Record<PaperId, string>> = {
  "brown-snoeyink": "Brown & Snoeyink",
  "cuda-handbook": "CUDA Handbook",
  podlozhnyuk: "Podlozhnyuk",
  hardavellas: "Hardavellas",
  xu: "Xu et al.",
};
const short = (paper: PaperId): string => SHORT[paper];

function section(paper: PaperId, figures: readonly Evaluated[]): string[] {
  const { title, authors, published, machine } = PAPERS[paper];
  return [
    `## ${short(paper)}`,
    `${authors}: *${title}*. ${published}. The paper measured on: ${machine}.`,
    ...figures.filter((figure) => figure.paper === paper).flatMap(figureSection),
  ];
}

const anchorOf = ({ paper, id }: Evaluated): string => `${paper}-${id}`;

/** Names the picture's file. */
export function pictureOf(figure: Evaluated): string {
  return `${anchorOf(figure)}.svg`;
}

function figureSection(figure: Evaluated): string[] {
  const { title, source, lost, machine, panels, findings, notes, needs } = figure;
  const measured = panels.some((panel) => panel.ours.length > 0 && panel.machine !== "");
  return [
    `<a id="${anchorOf(figure)}"></a>\n\n### ${title}`,
    `Source: ${source}. ${measured ? `Ours: ${machine}.` : `Ours: not measured${needs === "gpu" ? ", because it needs a GPU" : ""}.`}${
      lost === null ? "" : ` Not in the paper's text: ${lost}.`
    }`,
    ...(hasChart(figure) ? [`![${title}: the paper's numbers and ours](${pictureOf(figure)})`] : []),
    table(
      ["the paper's statement", "section", "paper", "ours", "verdict"],
      findings.map(({ claim, where, paper, ours, verdict }) => [
        claim,
        where,
        paper,
        ours ?? "",
        strong(verdict),
      ]),
    ),
    ...causes(figure),
    ...notes
      .map((note) => `- ${note}`)
      .join("\n")
      .split("\n\n")
      .filter(Boolean),
    ...panels.flatMap((panel) => numbers(panel)),
    ...missing(figure),
    details("Rules of comparison", findings.map(({ claim, how }) => `- ${claim}: ${how}.`).join("\n")),
  ];
}

/** Lists the cause of each verdict other than "agrees". */
function causes({ findings, command }: Evaluated): string[] {
  const due = findings.filter(({ verdict }) => verdict === "differs" || verdict === "reversed");
  const line = ({ claim, verdict, cause }: Finding) =>
    `- ${claim}: ${cause ?? `the cause of "${verdict}" is not measured yet (\`${command}\`)`}`;
  return due.length === 0 ? [] : ["Causes of the verdicts that do not agree:", due.map(line).join("\n")];
}

const strong = (verdict: Verdict): string => (verdict === "reversed" ? `**${verdict}**` : verdict);

/** Lists the paper's numbers next to ours, then all of ours. */
function numbers({ title, paper, ours, x }: EvaluatedPanel): string[] {
  const at = ({ series, x: place }: Point) => ours.find((one) => one.series === series && one.x === place)?.y;
  const beside =
    paper.length === 0
      ? []
      : [
          `The paper's numbers for "${title}":`,
          table(
            ["series", x.label, "paper", "ours", "ours / paper", "section"],
            paper.map((point) => {
              const mine = at(point);
              const factor = mine === undefined || point.y === 0 ? "" : digits(mine / point.y);
              return [
                point.series,
                placeText(point.x),
                digits(point.y),
                mine === undefined ? "" : digits(mine),
                factor,
                point.where,
              ];
            }),
          ),
        ];
  return ours.length === 0
    ? beside
    : [...beside, details(`All our numbers for "${title}"`, pivot(ours, x.label))];
}

function pivot(points: readonly Point[], label: string): string {
  const series = [...new Set(points.map((point) => point.series))];
  const places = [...new Set(points.map(({ x }) => x))];
  if (places.every((place) => typeof place === "number")) places.sort((a, b) => Number(a) - Number(b));
  return table(
    [label, ...series],
    places.map((place) => [
      placeText(place),
      ...series.map((name) => {
        const found = points.find((point) => point.series === name && point.x === place);
        return found === undefined ? "" : digits(found.y);
      }),
    ]),
  );
}

function placeText(x: Point["x"]): string {
  return typeof x === "number" ? x.toLocaleString("en-US") : x;
}

function missing({ panels, command, needs }: Evaluated): string[] {
  const lines = panels.flatMap(({ title, missing: cells, command: own }) => {
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
  });
  return lines.length === 0
    ? []
    : ["Cells not measured yet, and the command that measures them:", lines.join("\n")];
}

function details(title: string, body: string): string {
  return `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
