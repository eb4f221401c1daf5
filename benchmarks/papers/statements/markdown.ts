import { existsSync } from "node:fs";
import { composedAlgorithms } from "@polybin/core/backend";
import { PAPERS } from "../data.ts";
import type { Verdict } from "../model.ts";
import { table } from "../tables.ts";
import {
  type Absent,
  type Account,
  type InCode,
  type InReport,
  isAbsent,
  KINDS,
  RUNS,
  type Runs,
  type Statement,
  slugsOf,
} from "./statement.ts";

/** A figure of the report with its verdicts, as `report.json` has it. The first side is the paper's kernel as published. */
export interface Judged {
  readonly id: string;
  readonly title: string;
  readonly sides: readonly { readonly label: string }[];
  readonly findings: readonly {
    readonly id: string;
    readonly claim: string;
    readonly paper: string;
    readonly sides: readonly { readonly ours: string | null; readonly verdict: Verdict }[];
  }[];
  readonly panels: readonly {
    readonly id: string;
    readonly sides: readonly { readonly series: readonly unknown[] }[];
  }[];
}

/** The folders that the page's links lead to, relative to the page. */
const [ROOT, ALGORITHMS] = ["../..", "../../docs/internals/algorithms"];
const REPORT = "README.md";

/** Writes the page with every statement of every paper. */
export function statementsPage(accounts: readonly Account[], figures: readonly Judged[]): string {
  return `${[
    "# The papers' methods and claims",
    `Each row is a method, a variant, a parameter or a claim of a source paper. It shows where polybin implements the row and where the [report](${REPORT}) measures it. If a row has no place, it states the reason that the paper or the hardware gives.`,
    "`npm run tables` generates this page from `benchmarks/papers/statements`. A test compares each row with the code: the algorithm, its parameters, constants, files and names in files. It also finds every algorithm, parameter, figure and claim of the report without a row.",
    "The last column shows a claim's verdicts and values: those of the paper's kernel as published, then those of polybin's. They are those of the report on an NVIDIA H200.",
    table(
      ["paper", ...KINDS.map((kind) => `${kind}s`), "rows", "in the code", "in the report"],
      accounts.map(summary),
    ),
    ...differences(accounts),
    ...accounts.flatMap((account) => section(account, figures)),
  ].join("\n\n")}\n`;
}

/** Lists every difference of polybin's kernels from a paper, in one place. Kernels as published have none of them. */
function differences(accounts: readonly Account[]): string[] {
  const all = accounts.flatMap(({ paper, statements }) =>
    statements.flatMap(({ where, says, code }) =>
      isAbsent(code) || code.differs === undefined ? [] : [{ paper, where, says, code }],
    ),
  );
  const methods = all.filter(({ code }) => slugsOf(code).length > 0);
  const others = all.filter(({ code }) => slugsOf(code).length === 0);
  return [
    "## Differences from the papers",
    "These are the differences of polybin's kernels, by backend. Without an entry a backend does as the paper says. The [kernels as published](../peers/published) have none of the differences. They fix only what gives wrong counts today, or contradicts the text: barriers of a warp in software tags, the barriers of Listing 8, the lines of Algorithm 2, and Figure 5's test. Xu et al.'s kernels also check ranges, where the paper pads its data.",
    "<!-- statements: made by npm run tables -->",
    table(
      ["paper", "algorithm", "section", "the paper says", ...Object.values(RUNS)],
      methods.map(({ paper, where, says, code }) => [
        ...[paper, slugsOf(code).join(", "), where, says],
        ...(Object.keys(RUNS) as Runs[]).map((runs) => differenceOf(code, runs)),
      ]),
    ),
    "These are differences of the experiments and of the interface, and contradictions within a paper:",
    table(
      ["paper", "section", "the paper says", "polybin"],
      others.map(({ paper, where, says, code }) => [paper, where, says, everyDifference(code)]),
    ),
    "<!-- end of statements -->",
  ];
}

/** Says what differs on a backend, or that it has none of the methods. */
function differenceOf(code: InCode, runs: Runs): string {
  const folder = { cuda: "cuda", webgpu: "webgpu", workers: "piscina" }[runs];
  const has = (slug: string) =>
    slug === "sequential" ||
    Object.hasOwn(composedAlgorithms, slug) ||
    existsSync(new URL(`../../../packages/${folder}/src/kernels/${slug}`, import.meta.url));
  if (!slugsOf(code).some(has)) return "does not have it";
  if (typeof code.differs === "string") return runs === "cuda" ? code.differs : "the same";
  return code.differs?.[runs] ?? "";
}

/** Lists the differences of all backends in one text. */
function everyDifference({ differs = {} }: InCode): string {
  if (typeof differs === "string") return differs;
  return (Object.keys(RUNS) as Runs[])
    .flatMap((runs) => (differs[runs] === undefined ? [] : [`${RUNS[runs]}: ${differs[runs]}`]))
    .join(" ");
}

function summary({ paper, statements }: Account): string[] {
  const count = (is: (one: Statement) => boolean) => String(statements.filter(is).length);
  return [
    `[${paper}](#${anchorOf(paper)})`,
    ...KINDS.map((kind) => count((one) => one.kind === kind)),
    String(statements.length),
    count(({ code }) => !isAbsent(code)),
    count(({ report }) => !isAbsent(report)),
  ];
}

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

function section({ id, paper, statements }: Account, figures: readonly Judged[]): string[] {
  const rows = statements.map(({ where, kind, says, code, report }) => [
    where,
    kind,
    says,
    isAbsent(code) ? absent("Not in the code", code) : codeCell(code),
    isAbsent(report) ? absent("Not in the report", report) : reportCell(report, figures),
  ]);
  return [
    `## ${paper}`,
    `This section covers *${PAPERS[id].title}*.`,
    "<!-- statements: made by npm run tables -->",
    table(["section", "kind", "the paper says", "in the code", "in the report"], rows),
    "<!-- end of statements -->",
  ];
}

const absent = (what: string, { because }: Absent): string => `${what}. ${because}`;

function codeCell(code: InCode): string {
  const { set = {}, constants = {}, at = [], differs } = code;
  const slugs = slugsOf(code).map((slug) => `[${slug}](${ALGORITHMS}/${slug}.md)`);
  const parameters = Object.entries(set).map(([name, value]) => `\`${name}=${value}\``);
  const places = [
    ...(slugs.length === 0 ? [] : [[slugs.join(", "), ...parameters].join(" ")]),
    ...Object.entries(constants).map(([name, value]) => `\`${name}\` = ${value.toLocaleString("en-US")}`),
    ...at.map(fileText),
  ];
  return [
    `${places.join(", ")}.`,
    ...(differs === undefined ? [] : [`**Differs:** ${everyDifference(code)}`]),
  ].join("<br>");
}

/** Links a file by its last two names, followed by the name in it. */
function fileText(place: string): string {
  const [path = "", name] = place.split(/#(.*)/s);
  const link = `[${path.split("/").slice(-2).join("/")}](${ROOT}/${path})`;
  return name === undefined ? link : `${link} \`${name}\``;
}

function reportCell({ figure, claims = [], panels = [] }: InReport, figures: readonly Judged[]): string {
  const found = figures.find(({ id }) => id === figure);
  if (found === undefined) throw new Error(`the committed report has no ${figure}: write it again`);
  const verdicts = claims.map((claim) => {
    const finding = found.findings.find((one) => one.id === claim);
    if (finding === undefined)
      throw new Error(`the committed report has no claim "${claim}": write it again`);
    const sides = finding.sides.map(
      ({ ours, verdict }, i) => `${found.sides[i]!.label} ${ours === null ? verdict : `${ours}, ${verdict}`}`,
    );
    return `[${finding.claim}](${REPORT}#${claim}): paper ${finding.paper}; ${sides.join("; ")}`;
  });
  const isMeasured = found.panels.some(
    ({ id, sides }) => panels.includes(id) && sides.some(({ series }) => series.length > 0),
  );
  const shown = isMeasured
    ? "The figure shows the numbers without a verdict."
    : "The numbers are not measured yet.";
  const title = found.title.replace(/:.*$/, "");
  return [`[${title}](${REPORT}#${figure})`, ...(claims.length === 0 ? [shown] : verdicts)].join("<br>");
}
