import { dot, line, pointer, tip } from "@observablehq/plot";
import { html, type TemplateResult } from "lit-html";
import { index, papersOf } from "../data/load.ts";
import type { Panel, PaperFigure, Series } from "../data/types.ts";
import { figure as digits } from "../data/words.ts";
import { addressOf } from "../route.ts";
import { chart, isNarrow } from "../show/chart.ts";
import { select } from "../show/controls.ts";
import { table } from "../show/table.ts";
import { type Context, chosen, distinct, type View } from "./view.ts";

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

/** Every figure and table of the papers next to ours. */
export const papers: View = {
  id: "papers",
  title: "Papers",
  about:
    "The figures and tables of the source papers: their numbers, ours, and whether the papers' statements still hold.",
  reads: "any machine",
  basis: null,
  async render(context) {
    const files = context.files.filter(({ kind }) => kind === "papers");
    if (files.length === 0) return elsewhere(context);
    const loaded = await Promise.all(files.map(async (file) => ({ file, ...(await papersOf(file)) })));
    const all = loaded.flatMap(({ file: { folder }, papers: figures }) =>
      figures.map((one): Reproduced => ({ folder, one, key: `${folder}/${one.id}` })),
    );
    const key = chosen(
      context,
      "figure",
      all.map((one) => one.key),
    );
    const { folder, one } = all.find((candidate) => candidate.key === key)!;
    const choices = all.map((candidate) => ({ value: candidate.key, label: labelOf(candidate) }));
    return html`<ul class="cards">${verdicts(all)}</ul>
      <div class="fields">${select("Figure", choices, key, (value) => context.select({ figure: value }))}</div>
      ${shown(context, folder, one)}
      <h2>All figures and tables</h2>
      ${overview(context, all)}`;
  },
};

/** A report belongs to one machine, but names the machine that measured each figure, which may be another one. */
async function elsewhere({ route }: Context): Promise<TemplateResult> {
  const reports = (await index()).files.filter(({ kind }) => kind === "papers");
  const lines = reports.map(async (file) => {
    const groups = Map.groupBy((await papersOf(file)).papers, ({ machine }) => machine ?? "nothing");
    const counts = [...groups].map(([machine, { length }]) => `${length} measured on ${machine}`).join(", ");
    return html`<li><a href=${addressOf("papers", { machine: file.folder })}>The report of ${file.folder}</a>: ${counts}.</li>`;
  });
  return html`<p class="absent">${route.selected.get("machine")} has no report of the papers' figures. Reports of other machines may contain figures that it measured. <code>npm start -- papers</code> writes a report.</p>
    <ul class="sentences">${await Promise.all(lines)}</ul>`;
}

const nameOf = (paper: string): string => NAMES[paper] ?? paper;
const labelOf = ({ one, folder }: Reproduced): string => `${nameOf(one.paper)}, ${one.title} (${folder})`;

/** Counts the papers' statements by verdict. */
function verdicts(all: readonly Reproduced[]): TemplateResult[] {
  const findings = all.flatMap(({ one }) => one.findings);
  return [...Map.groupBy(findings, ({ verdict }) => verdict)].map(
    ([verdict, group]) =>
      html`<li><strong>${group.length}</strong><span>of ${findings.length} statements: ${verdict}</span></li>`,
  );
}

/** Lists every figure with its verdicts and a link to it. */
function overview({ route }: Context, all: readonly Reproduced[]): TemplateResult {
  const kinds = distinct(all.flatMap(({ one }) => one.findings.map(({ verdict }) => verdict)));
  return table(
    ["figure", "measured on", ...kinds, "cells missing"],
    all.map(({ one, folder, key }) => [
      html`<a href=${addressOf("papers", { ...Object.fromEntries(route.selected), figure: key })}>${labelOf({ one, folder, key })}</a>`,
      one.machine ?? "not measured",
      ...kinds.map((kind) => one.findings.filter(({ verdict }) => verdict === kind).length),
      one.panels.reduce((sum, { missing }) => sum + missing.length, 0),
    ]),
    { numbers: [...kinds.map((_, i) => i + 2), kinds.length + 2] },
  );
}

function shown(context: Context, folder: string, one: PaperFigure): TemplateResult {
  return html`<article>
    <h2>${nameOf(one.paper)}, ${one.title}</h2>
    <dl>
      <dt>The paper</dt><dd>${one.source}, on ${one.paperMachine}</dd>
      <dt>Ours</dt><dd>${one.machine === null ? "not measured" : `${one.machine} (${folder})`}</dd>
      ${one.lost === null ? null : html`<dt>Not in the paper's text</dt><dd>${one.lost}</dd>`}
      <dt>Measured by</dt><dd><code>${one.command}</code></dd>
    </dl>
    ${one.panels.map((panel) => both(context, one, panel))}
    <h3>The paper's statements</h3>
    ${
      one.findings.length === 0
        ? html`<p>The paper makes no statement that could be checked.</p>`
        : table(
            ["statement", "where", "paper", "ours", "verdict"],
            one.findings.map(({ claim, where, how, paper, ours, verdict }) => [
              html`<span title=${how}>${claim}</span>`,
              where,
              paper,
              ours ?? "–",
              verdict,
            ]),
          )
    }
    ${one.notes.length === 0 ? null : html`<ul class="sentences">${one.notes.map((note) => html`<li>${note}</li>`)}</ul>`}
  </article>`;
}

const GAP = 24;
/** The fewest points of a series that a line joins. With fewer, a line would claim more than the paper's text. */
const JOINED = 5;

/** Draws the paper's plot and ours, side by side if there is room. One scale for both would flatten the paper's. */
function both(
  context: Context,
  { paperSeries, ourSeries, paperMachine, machine }: PaperFigure,
  panel: Panel,
): TemplateResult {
  const of = (series: readonly Series[]) => series.filter((one) => one.panel === panel.id);
  const names = distinct([...of(paperSeries), ...of(ourSeries)].map(({ name }) => name));
  const width = isNarrow(context.width) ? context.width : Math.floor((context.width - GAP) / 2);
  const missing = distinct(panel.missing.map(({ series }) => series)).map((name) => {
    const places = panel.missing.filter(({ series }) => series === name).map(({ x }) => x);
    return `${name} at ${places.join(", ")}`;
  });
  return html`<h3>${panel.title}</h3>
    <div class="charts">
      ${half(width, `The paper, ${paperMachine}`, panel, of(paperSeries), names)}
      ${half(width, `Ours, ${machine ?? "not measured"}`, panel, of(ourSeries), names)}
    </div>
    ${missing.length === 0 ? null : html`<p class="absent">Not measured: ${missing.join("; ")}.</p>`}`;
}

/** Writes `64M` on an axis of sizes. */
const short = (value: number): string =>
  value.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 3 });

function half(
  width: number,
  title: string,
  { x, y, mark }: Panel,
  series: readonly Series[],
  names: readonly string[],
): TemplateResult {
  const points = series.flatMap(({ name, points: of }) => of.map((point) => ({ name, ...point })));
  if (points.length === 0) {
    return html`<figure class="chart"><figcaption>${title}</figcaption><p>There are no numbers.</p></figure>`;
  }
  // A single series has no legend.
  const heading = names.length === 1 ? `${title}: ${names[0]}` : title;
  const columns = ["series", x.label || "what", y.label];
  const rows = points.map((point) => [point.name, point.x, digits(point.y)]);
  if (mark === "none") {
    return html`<figure class="chart"><figcaption>${title}</figcaption>${table(columns, rows, { numbers: [2] })}</figure>`;
  }
  const named = x.scale === "category";
  const longest = Math.max(...series.map((one) => one.points.length));
  const joined = mark === "line" && !named && longest >= JOINED;
  const say = (point: (typeof points)[number]) => `${point.name}\n${point.x}: ${digits(point.y)} ${y.label}`;
  return chart({
    title: heading,
    width,
    series: names,
    options: {
      height: 280,
      marginLeft: 56,
      marginBottom: named ? 70 : 36,
      x: {
        label: named ? null : x.label,
        ...(named
          ? { type: "point", domain: distinct(points.map((point) => point.x)), tickRotate: -30, padding: 0.5 }
          : { grid: true, type: x.scale, ...(x.scale === "log" ? { tickFormat: short, ticks: 4 } : {}) }),
      },
      y: {
        label: y.label,
        grid: true,
        tickFormat: digits,
        type: y.scale === "category" ? "linear" : y.scale,
        ticks: 5,
        ...(y.scale === "linear" ? { zero: true } : {}),
      },
      marks: [
        ...(joined ? [line(points, { x: "x", y: "y", stroke: "name", z: "name" })] : []),
        dot(points, { x: "x", y: "y", stroke: "name", fill: "name", symbol: "name", r: 3 }),
        tip(points, pointer({ x: "x", y: "y", title: say })),
      ],
    },
    columns,
    numbers: [2],
    rows,
  });
}
