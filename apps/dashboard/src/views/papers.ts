import { html, type TemplateResult } from "lit-html";
import { addressOf, index, type PaperFigure, papersOf } from "../data/index.ts";
import { type Context, chosen, distinct, select, table, type View } from "../show/index.ts";
import { figureOf } from "./papers-figure.ts";
import { story } from "./papers-page.ts";

const NAMES: Readonly<Record<string, string>> = {
  "brown-snoeyink": "Brown & Snoeyink",
  "cuda-handbook": "The CUDA Handbook",
  podlozhnyuk: "Podlozhnyuk",
  hardavellas: "Hardavellas",
  xu: "Xu et al.",
};

/** A figure, and the machine of its report. */
interface Reproduced {
  readonly folder: string;
  readonly one: PaperFigure;
  /** `nvidia-h200/xu-figure-4` */
  readonly key: string;
}

/** The choice that shows the story instead of a figure. */
const STORY = "";

/** The story of the papers then and now, and every figure and table next to ours. */
export const papers: View = {
  id: "papers",
  title: "Papers",
  question: "Do the papers' statements still hold?",
  about: "The source papers' numbers and statements, and what today's hardware made of them.",
  timing:
    "Each figure keeps the timing of its paper, so the switch between kernel and whole call does not apply.",
  reads: "any machine",
  basis: null,
  async render(context) {
    const files = context.files.filter(({ kind }) => kind === "papers");
    if (files.length === 0) return elsewhere(context);
    const reports = await Promise.all(
      files.map(async (file) => ({ folder: file.folder, ...(await papersOf(file)) })),
    );
    const all = reports.flatMap(({ folder, papers: figures }) =>
      figures.map((one): Reproduced => ({ folder, one, key: `${folder}/${one.id}` })),
    );
    const key = chosen(context, "figure", [STORY, ...all.map((one) => one.key)]);
    const found = all.find((one) => one.key === key);
    const choices = [
      { value: STORY, label: "Then and now" },
      ...all.map((one) => ({ value: one.key, label: labelOf(one, all) })),
    ];
    const choose = (value: string) => context.select({ figure: value === STORY ? null : value });
    const chooser = html`<div class="fields">${select("Show", choices, key, choose)}</div>`;
    return found === undefined
      ? html`<ul class="cards">${verdicts(all)}</ul>
          ${chooser}
          ${reports.map(({ folder, page }) => story(page, context.width, (id) => linkTo(context, `${folder}/${id}`)))}
          <h2>Every figure and table</h2>
          ${overview(context, all)}`
      : html`${chooser}${figureOf(context, nameOf(found.one.paper), found.one)}`;
  },
};

/** A report belongs to one machine, but names the machine that measured each figure, which may be another one. */
async function elsewhere({ route }: Context): Promise<TemplateResult> {
  const reports = (await index()).files.filter(({ kind }) => kind === "papers");
  const lines = reports.map(async (file) => {
    const measured = (await papersOf(file)).papers.flatMap(({ sides }) =>
      distinct(sides.map(({ machine }) => machine || "nothing")),
    );
    const counts = [...Map.groupBy(measured, (machine) => machine)]
      .map(([machine, { length }]) => `${length} measured on ${machine}`)
      .join(", ");
    return html`<li><a href=${addressOf("papers", { machine: file.folder })}>The report of ${file.folder}</a>: ${counts}.</li>`;
  });
  return html`<p class="absent">${route.selected.get("machine")} has no report of the papers' figures. Reports of other machines may contain figures that it measured. <code>npm start -- papers</code> writes a report.</p>
    <ul class="sentences">${await Promise.all(lines)}</ul>`;
}

const nameOf = (paper: string): string => NAMES[paper] ?? paper;
/** Names the machine where reports of several are listed. */
function labelOf({ one, folder }: Reproduced, all: readonly Reproduced[]): string {
  const label = `${nameOf(one.paper)}, ${one.title}`;
  return all.every((other) => other.folder === folder) ? label : `${label} (${folder})`;
}

function linkTo({ route }: Context, key: string): string {
  return addressOf("papers", { ...Object.fromEntries(route.selected), figure: key });
}

/** Returns the verdicts of a figure's main backend. */
const verdictsOf = ({ one }: Reproduced): string[] =>
  one.findings.map(({ because, sides }) => (because === null ? sides[0]!.verdict : UNDECIDED));

/** A statement that nothing of the main backend can decide. The page of the papers calls it so, too. */
const UNDECIDED = "cannot be measured";

/** Verdicts from the best to none, and what several statements do. */
const VERDICTS: Readonly<Record<string, string>> = {
  agrees: "agree",
  differs: "differ",
  reversed: "are reversed",
  "not measured": "are not measured",
  [UNDECIDED]: "cannot be measured",
};

const verdictsIn = (all: readonly Reproduced[]): string[] => {
  const found = distinct(all.flatMap(verdictsOf));
  const known = Object.keys(VERDICTS);
  return [...known.filter((one) => found.includes(one)), ...found.filter((one) => !known.includes(one))];
};

/** Counts the papers' statements by verdict. */
function verdicts(all: readonly Reproduced[]): TemplateResult[] {
  const every = all.flatMap(verdictsOf);
  return verdictsIn(all).map((verdict) => {
    const { length } = every.filter((one) => one === verdict);
    return html`<li><strong>${length}</strong><span>of ${every.length} statements ${VERDICTS[verdict] ?? verdict}, tested on the papers' own kernels</span></li>`;
  });
}

/** Lists every figure with its verdicts and a link to it. */
function overview(context: Context, all: readonly Reproduced[]): TemplateResult {
  const kinds = verdictsIn(all);
  return table(
    ["figure", "measured on", ...kinds, "cells missing"],
    all.map((one) => [
      html`<a href=${linkTo(context, one.key)}>${labelOf(one, all)}</a>`,
      one.one.sides.map(({ label }) => label).join(", "),
      ...kinds.map((kind) => verdictsOf(one).filter((verdict) => verdict === kind).length),
      one.one.panels.reduce((sum, { missing }) => sum + missing.length, 0),
    ]),
    { numbers: [...kinds.map((_, i) => i + 2), kinds.length + 2] },
  );
}
