import { hasChart } from "./chart.ts";
import { PAPERS } from "./data.ts";
import { missing, numbers, rules, statements, undecided } from "./details.ts";
import type { Evaluated } from "./evaluate.ts";
import type { PaperId } from "./model.ts";
import { overlaidOf } from "./overlay.ts";
import { isShown } from "./overlay-chart.ts";
import { type Cause, causesOf } from "./page/causes.ts";
import type { Cell, Page, Section } from "./page/page.ts";
import { missingIn, verdictsIn } from "./page/tally.ts";
import { type Compared, drawnSide, isMeasured, LABELS } from "./sides.ts";
import { details, table } from "./tables.ts";

/** The origin of rows. */
export interface Provenance {
  readonly file: string;
  readonly machine: string;
  readonly commit: string;
  readonly date: string;
  /** Whether the file has hashes of the code that its rows ran. */
  readonly hasHashes: boolean;
}

/** A whole report. */
export interface Written {
  readonly page: Page;
  readonly figures: readonly Compared[];
  readonly from: readonly Provenance[];
}

/** Writes the page: the story, then every figure. Its pictures are in a folder, relative to the page. */
export function markdownOf({ page, figures, from }: Written, folder: string): string {
  const prefix = folder === "" ? "" : `${folder}/`;
  const causes = causesOf(figures);
  return `${[
    `# ${page.title}`,
    "<!-- computed: by polybin papers, from result files -->",
    ...page.lead,
    ...page.sections.slice(0, page.story).flatMap((one) => storyOf(one, prefix)),
    "---",
    "The story ends here. Below is the evidence: more tables, every figure of every paper with its rules and numbers, the causes of differences, and the files.",
    ...page.sections.slice(page.story).flatMap((one) => storyOf(one, prefix)),
    "## Every figure and table",
    [
      "Each figure compares the paper's numbers with ours, one plot per backend. Numbers are relative: the same cell is 1 for the paper and for us, so a plot compares relations and not speeds. Filled symbols and bars are ours. Hollow symbols, and dark lines across bars, are the paper's.",
      "The same rule tests every statement of a paper on both sides:",
    ].join(" "),
    [
      "- **agrees**: both sides meet the rule in the same way.",
      "- **differs**: they do not, but they are not opposites.",
      "- **reversed**: today's hardware, or our kernel, shows the opposite.",
      "- **not measured**: cells are missing. The figure's section names the command that measures them.",
    ].join("\n"),
    "The next table has five counts in each column: statements that agree, differ, are reversed, are not measured, and cannot be measured. Then it has the number of cells without a measurement.",
    summary(figures),
    ...causeSection(causes),
    "<!-- /computed -->",
    "<!-- figures: the prose linter checks these sentences at their source, benchmarks/papers -->",
    ...(Object.keys(PAPERS) as PaperId[]).flatMap((paper) => section(paper, figures, { prefix, causes })),
    "<!-- /figures -->",
    "## Sources of our numbers",
    table(
      ["file", "machine", "commit", "date"],
      from.map(({ file, machine, commit, date }) => [file, machine, commit.slice(0, 9), date.slice(0, 10)]),
    ),
    "A row of a GPU is left out, as if nobody had measured it, if the clock lay far below the highest in its file (`LEAST_CLOCK`).",
    ...unknownAge(from),
  ].join("\n\n")}\n`;
}

/** Names the files whose rows cannot be compared with the code. */
function unknownAge(from: readonly Provenance[]): string[] {
  const files = from.filter(({ hasHashes }) => !hasHashes).map(({ file }) => `\`${file}\``);
  if (files.length === 0) return [];
  return [
    `A result file holds hashes of the code that its rows ran, and \`bench --stale\` compares them with the code of today. ${files.length} of these files ${files.length === 1 ? "is" : "are"} older than the hashes, so their age is unknown: ${files.join(", ")}.`,
  ];
}

function storyOf({ id, title, text, picture, table: of }: Section, prefix: string): string[] {
  return [
    `## ${title}`,
    ...text,
    ...(picture === undefined ? [] : [`![${title}](${prefix}${storyPictureOf(id)})`]),
    ...(of === null || of.rows.length === 0
      ? []
      : [
          table(
            of.columns,
            of.rows.map((row) => row.map(cellText)),
          ),
        ]),
  ];
}

function cellText(cell: Cell): string {
  return typeof cell === "string" ? cell : `[${cell.text}](#${cell.statement ?? cell.figure})`;
}

/** Counts verdicts and missing cells by figure and column. */
function summary(figures: readonly Compared[]): string {
  const columns = [...new Set(figures.flatMap(({ sides }) => sides.map(({ id }) => id)))];
  return table(
    ["paper", "figure", ...columns.map((id) => LABELS[id])],
    figures.map(({ main, sides }) => [
      short(main.paper),
      `[${main.title}](#${anchorOf(main)})`,
      ...columns.map((id) => {
        const side = sides.find((one) => one.id === id);
        return side === undefined
          ? ""
          : `${verdictsIn(side.of).join(" / ")}; ${missingIn(side.of).toLocaleString("en-US")} cells`;
      }),
    ]),
  );
}

/** Says each cause once, and which verdicts it explains. */
function causeSection(causes: readonly Cause[]): string[] {
  if (causes.length === 0) return [];
  return [
    "## Causes",
    `Each cause explains the verdicts behind it. It is a measurement of the same kernels. A guess has numbers that fit, but no experiment changes the cause alone. A difference without a cause here has none that is measured.`,
    table(
      ["cause", "explains"],
      causes.map(({ number, text, of }) => [
        `<a id="cause-${number}"></a>${number}. ${text}`,
        of
          .map(
            ({ statement, column, isGuess }) =>
              `[${statement}](#${statement}) (${column}${isGuess ? ", a guess" : ""})`,
          )
          .join(", "),
      ]),
    ),
  ];
}

const SHORT: Readonly<Record<PaperId, string>> = {
  "brown-snoeyink": "Brown & Snoeyink",
  "cuda-handbook": "CUDA Handbook",
  podlozhnyuk: "Podlozhnyuk",
  hardavellas: "Hardavellas",
  xu: "Xu et al.",
};
const short = (paper: PaperId): string => SHORT[paper];

/** The folder of the pictures, and the causes of all verdicts, which every figure's section needs. */
interface Around {
  readonly prefix: string;
  readonly causes: readonly Cause[];
}

function section(paper: PaperId, figures: readonly Compared[], around: Around): string[] {
  const { title, authors, published, machine } = PAPERS[paper];
  return [
    `## ${short(paper)}`,
    `${authors}: *${title}*. ${published}. The paper measured on: ${machine}.`,
    ...figures.filter(({ main }) => main.paper === paper).flatMap((one) => figureSection(one, around)),
  ];
}

const anchorOf = ({ paper, id }: Evaluated): string => `${paper}-${id}`;

/** Names the picture of a part of the story. */
export function storyPictureOf(section: string): string {
  return `page-${section}.svg`;
}

/** Names the picture with the axes of each side. */
export function pictureOf(figure: Evaluated): string {
  return `${anchorOf(figure)}.svg`;
}

/** Names the picture with the paper's numbers over ours. */
export function overlayOf(figure: Evaluated): string {
  return `${anchorOf(figure)}-overlay.svg`;
}

function figureSection(compared: Compared, { prefix, causes }: Around): string[] {
  const { main, sides } = compared;
  const { title, source, lost, needs, notes } = main;
  const machines = sides.filter(({ of }) => isMeasured(of)).map(({ of }) => of.machine);
  return [
    `<a id="${anchorOf(main)}"></a>\n\n### ${title}`,
    `Source: ${source}. ${machines.length > 0 ? `Ours: ${machines.join("; ")}.` : `Ours: not measured${needs === "gpu" ? ", because it needs a GPU" : ""}.`}${
      lost === null ? "" : ` Not in the paper's text: ${lost}.`
    }`,
    ...(overlaidOf(compared).some(isShown)
      ? [`![${title}, the paper's numbers over ours](${prefix}${overlayOf(main)})`]
      : []),
    statements(compared, causes),
    ...undecided(compared),
    ...notes
      .map((note) => `- ${note}`)
      .join("\n")
      .split("\n\n")
      .filter(Boolean),
    details(
      `${title}: all numbers`,
      ...(hasChart(drawnSide(compared).of)
        ? [
            `![${title}, the paper's numbers and ours, ${LABELS[drawnSide(compared).id]}](${prefix}${pictureOf(main)})`,
          ]
        : []),
      ...numbers(compared),
      rules(main),
    ),
    ...missing(compared),
  ];
}
