import { dot, line, pointer, tip } from "@observablehq/plot";
import { html, type TemplateResult } from "lit-html";
import { papersOf } from "../data/load.ts";
import type { FileEntry, PaperFigure, Series } from "../data/types.ts";
import { figure as digits } from "../data/words.ts";
import { absent, chart, isNarrow } from "../show/chart.ts";
import { table } from "../show/table.ts";
import { type Context, distinct, type View } from "./view.ts";

/** What the papers show of their methods (issue E): each is here or is said to be missing. */
const WANTED: readonly (readonly [paper: string, figures: readonly string[]])[] = [
  ["Brown & Snoeyink", ["Figure 4", "Figure 6", "Figure 7", "Section 6.2", "Table 1"]],
  ["CUDA Handbook", ["Global, per-block, privatized", "CPU scaling"]],
  [
    "Xu et al.",
    [
      ...[4, 5, 6, 7, 8, 9, 10, 11].map((number) => `Figure ${number}`),
      ...[4, 5, 6, 7].map((number) => `Table ${number}`),
    ],
  ],
];

/** Every figure and table of the papers beside the same of ours. */
export const papers: View = {
  id: "papers",
  title: "Papers",
  about: "The figures and tables that the papers give for their methods, with the papers' own numbers beside ours.",
  reads: true,
  async render(context) {
    const files = context.files.filter(({ kind }) => kind === "papers");
    const loaded = await Promise.all(files.map(async (file) => ({ file, ...(await papersOf(file)) })));
    const all = loaded.flatMap(({ file, papers: figures }) => figures.map((one) => ({ file, one })));
    const absentOnes = loaded.flatMap(({ missing = [] }) => missing);
    return html`${
      all.length === 0
        ? absent("No paper's figure was reproduced on this machine at this commit. `npm start -- papers` does it.")
        : null
    }
      ${WANTED.map(([paper, figures]) => section(context, paper, figures, all.filter(({ one }) => one.paper === paper)))}
      ${distinct(all.map(({ one }) => one.paper))
        .filter((paper) => !WANTED.some(([wanted]) => wanted === paper))
        .map((paper) => section(context, paper, [], all.filter(({ one }) => one.paper === paper)))}
      ${absentOnes.length === 0 ? null : html`<h2>Missing, and why</h2><ul class="sentences">${absentOnes.map((line) => html`<li>${line}</li>`)}</ul>`}`;
  },
};

interface Reproduced {
  readonly file: FileEntry;
  readonly one: PaperFigure;
}

function section(context: Context, paper: string, wanted: readonly string[], figures: readonly Reproduced[]): TemplateResult {
  const missing = wanted.filter((name) => !figures.some(({ one }) => one.figure === name));
  return html`<section><h2>${paper}</h2>
    ${missing.length === 0 ? null : html`<p class="absent">Not among the selected results: ${missing.join(", ")}.</p>`}
    ${figures.map(({ file, one }) => shown(context, file, one))}
  </section>`;
}

function shown(context: Context, file: FileEntry, one: PaperFigure): TemplateResult {
  const { table: cells } = one;
  return html`<article>
    <h3>${one.figure}: ${one.title} <small>(${file.folder})</small></h3>
    ${half(context, `The paper's ${one.figure}`, one, one.paperSeries ?? [])}
    ${half(context, `Ours, on ${file.folder}`, one, one.ourSeries ?? [])}
    ${cells === undefined ? null : table(cells.columns, cells.rows.map((row) => row.map((cell) => cell ?? "–")), { caption: one.title })}
    ${sentences("Agrees", one.agrees)} ${sentences("The other way round today", one.turned)} ${sentences("Notes", one.notes)}
  </article>`;
}

function sentences(title: string, lines: readonly string[] = []): TemplateResult | null {
  if (lines.length === 0) return null;
  return html`<p>${title}:</p><ul class="sentences">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}

/** One side's series. The two have plots of their own: today's hardware would flatten the paper's lines. */
function half({ width }: Context, title: string, { x = {}, y = {} }: PaperFigure, series: readonly Series[]): TemplateResult | null {
  if (series.length === 0) return null;
  const points = series.flatMap(({ name, points: of }) => of.map(([at, value]) => ({ name, at, value })));
  const names = series.map(({ name }) => name);
  const categories = points.some(({ at }) => typeof at === "string");
  return chart({
    title,
    width,
    series: names,
    options: {
      height: isNarrow(width) ? 280 : 340,
      marginLeft: 56,
      marginBottom: categories ? 60 : 36,
      x: {
        label: x.label ?? null,
        ...(categories
          ? { type: "point", domain: distinct(points.map(({ at }) => at)), tickRotate: isNarrow(width) ? -40 : 0 }
          : { grid: true, ...(x.log ? { type: "log", tickFormat: digits, ticks: 5 } : {}) }),
      },
      y: { label: y.label ?? null, grid: true, tickFormat: digits, ...(y.log ? { type: "log" } : { zero: true }) },
      marks: [
        ...(categories ? [] : [line(points, { x: "at", y: "value", stroke: "name", z: "name" })]),
        dot(points, { x: "at", y: "value", stroke: "name", fill: "name", symbol: "name", r: 3 }),
        tip(points, pointer({ x: "at", y: "value", title: (d: (typeof points)[number]) => `${d.name}\n${d.at}: ${digits(d.value)}` })),
      ],
    },
    columns: ["series", x.label ?? "x", y.label ?? "y"],
    numbers: [1, 2],
    rows: points.map(({ name, at, value }) => [name, at, digits(value)]),
  });
}
