import { PAPERS } from "./data.ts";
import type { Figure, PaperId, Rule } from "./model.ts";
import { reasonOf } from "./reasons.ts";
import { details, table } from "./tables.ts";

/** The page, relative to the report's. */
const REPORT = "papers/README.md";
/** The budget of a suite in the commands below, in seconds. */
const BUDGET = 300;
const MINUTE = 60;

/** Returns the commands that measure a figure: as published, and polybin's. */
function commandsOf({ needs, command }: Figure): string {
  const own = command.replace(/^run /, "./run ");
  return needs === "gpu" ? `\`./run bench published\`, \`${own}\`` : `\`${own}\``;
}

/** The most minutes of a figure's suites, by their budget. */
function minutesOf({ needs, command }: Figure): number {
  const suites = command
    .replace(/^run bench /, "")
    .split(" --")[0]!
    .split(" ").length;
  return ((suites + (needs === "gpu" ? 1 : 0)) * BUDGET) / MINUTE;
}

/** The rule without the values that it compares, which the report has. */
function toleranceOf({ how, because }: Rule): string {
  const reason = reasonOf(because, "published");
  if (reason !== null) return `none. ${reason}`;
  const at = how.search(/(?:Both agree|The paper states no factor|rises if|From )/);
  return at < 0 ? how : how.slice(at);
}

/** Writes the page for readers who check the claims: the modes, and each claim with its command, minutes and tolerance. */
export function artifactPage(figures: readonly Figure[]): string {
  const papers = Object.keys(PAPERS) as PaperId[];
  return `${[
    "# Artifact: the histogram papers, measured again",
    `This page lets a reader check the claims of [the report](${REPORT}). \`npm run tables\` generates it from the figures' data. [CITATION.cff](../CITATION.cff) says how to cite the artifact. Cite a claim by its id, such as \`trish-independence\`: ids never change.`,
    "## Requirements",
    [
      "- For the demo: Linux, macOS or Windows with WSL, Node 20 or newer and npm, 4 GB of memory.",
      "- For the whole: an NVIDIA GPU of compute capability 7.5 or newer with 8 GB of memory, CUDA 13 and `ncu` for the counters. The committed results are from an H200.",
      "- [deploy/papers/Containerfile](../deploy/papers/Containerfile) describes a machine with all of it, except for the driver.",
    ].join("\n"),
    "## Three modes",
    table(
      ["mode", "command", "minutes at most", "shows"],
      [
        [
          "demo",
          "`npm start -- papers --mode demo`",
          "2, after a set-up of one or two",
          "the CPU's figures, and the methods that workers have in a column of their own. The column of the papers' kernels says “not measured”, and no GPU is used",
        ],
        [
          "partial",
          "`npm start -- papers --mode partial`",
          "10",
          "all figures of this machine's best device with less data: its GPU, or workers",
        ],
        [
          "full",
          "`npm start -- papers`, then the commands below",
          "90",
          "all figures. The claims about kernels as published need `run bench published`",
        ],
      ],
    ),
    "Each mode writes the page `papers-report/README.md`, and `results` next to it. The page has one column per device. A claim without all of its cells gets no verdict, and its figure names the cells.",
    "Without any measurement, this command writes the report from the committed results, the same bytes every time:",
    "```sh not run: a test compares the bytes\nnpm start -- papers --from benchmarks/results/nvidia-h200 --from benchmarks/results/nvidia-h100 --from benchmarks/results/amd-epyc-2 --out report\n```",
    "## What to expect",
    [
      "- Every cell is compared with exact counts before it is measured. A cell that differs fails the run.",
      "- A result file has all runs of each cell, in milliseconds, with the commit, the machine and the driver. `interval` is the confidence interval of the median, where there are enough runs for one, and `clocks` are those of the GPU. Older files lack both. Claims about the scaling of a CPU need 8 cores.",
      "- A claim's tolerance is its rule below. The rules allow a factor of two for sizes of effects, and call a small difference a draw, so a GPU of the same kind gives the same verdicts. Another kind may give others: that is a result.",
    ].join("\n"),
    "## Claims",
    "The commands of the table run in an archive, which a checkout makes. The archive includes Node and the compiled programs, so the GPU machine needs only a driver. Copy the folder `results` back, and the page has the verdicts:",
    `\`\`\`sh not run: it needs a GPU machine\nnpm run gpu:bundle                                    # in the checkout: makes dist/gpu.tar.xz\ntar -xf gpu.tar.xz && cd gpu                          # on the GPU machine\n./run bench published figure6 --budget ${BUDGET} --out results\nnpm start -- papers --from results --out report       # in the checkout\n\`\`\``,
    `The minutes are those of \`--budget ${BUDGET}\`, which ends a suite early and names the cells that it left out. In a checkout on the GPU machine, \`npm start -- bench --suite published --out results\` does the same as \`./run bench published --out results\`.`,
    "<!-- figures: the prose linter checks these sentences at their source, benchmarks/papers -->",
    ...papers.map((paper) => claimsOf(paper, figures)),
    "<!-- /figures -->",
  ].join("\n\n")}\n`;
}

function claimsOf(paper: PaperId, figures: readonly Figure[]): string {
  const rows = figures
    .filter((figure) => figure.paper === paper)
    .flatMap((figure) =>
      figure.rules.map((rule) => [
        `[${rule.id}](${REPORT}#${rule.id}): ${rule.claim}`,
        commandsOf(figure),
        String(minutesOf(figure)),
        toleranceOf(rule),
      ]),
    );
  return details(
    `${PAPERS[paper].authors}, ${PAPERS[paper].title}: ${rows.length} claims`,
    table(["claim", "command", "minutes at most", "tolerance"], rows),
  );
}
