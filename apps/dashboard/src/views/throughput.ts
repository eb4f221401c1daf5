import { dot, line, ruleX, ruleY, tip, pointer } from "@observablehq/plot";
import { html, type TemplateResult } from "lit-html";
import { crossover } from "../data/crossover.ts";
import type { Row } from "../data/types.ts";
import { figure, isOurs, kindOf, nameOf, onCpu, sizeOf } from "../data/words.ts";
import { absent, chart, isNarrow } from "../show/chart.ts";
import { plain, select } from "../show/controls.ts";
import { cellLink } from "./cell-link.ts";
import { type Context, chosen, distinct, type View } from "./view.ts";

/** Throughput against the number of samples, and from where on the GPU is the faster one. */
export const throughput: View = {
  id: "throughput",
  title: "Throughput",
  about: "GB/s against the number of samples: where a GPU overtakes the CPU, and where it reaches what memory can do.",
  reads: true,
  render(context) {
    const rows = context.rows.filter(({ weighted, bins }) => weighted === undefined && bins > 0);
    if (rows.length === 0) return absent("No plain histogram was measured on this machine at this commit.");
    const residences = distinct(rows.map(({ residence }) => residence));
    const residence = chosen(context, "residence", residences);
    const kinds = distinct(rows.filter((row) => row.residence === residence).map(kindOf));
    const kind = chosen(context, "kind", kinds, kinds.includes("u8, 256 bins") ? "u8, 256 bins" : kinds[0]);
    const ofKind = rows.filter((row) => row.residence === residence && kindOf(row) === kind);
    const distributions = distinct(ofKind.map(({ distribution }) => distribution)).filter((d) => d !== "any");
    const distribution = chosen(context, "distribution", distributions);
    const points = onceEach(ofKind.filter((row) => row.distribution === distribution || row.distribution === "any"));
    return html`<div class="fields">
        ${select("Data", plain(residences), residence, (value) => context.select({ residence: value }))}
        ${select("Samples", plain(kinds), kind, (value) => context.select({ kind: value }))}
        ${select("Distribution", plain(distributions), distribution, (value) => context.select({ distribution: value }))}
      </div>
      ${sentence(points)} ${drawn(context, points, `${kind}, ${distribution}, ${residence}`)}`;
  },
};

/** A contestant at one size once: of several files the last measured. */
function onceEach(rows: readonly Row[]): Row[] {
  const groups = Map.groupBy(rows, (row) => `${row.file.folder} ${nameOf(row)} ${row.n}`);
  return [...groups.values()].map(
    (group) => group.toSorted((a, b) => (b.file.date ?? "").localeCompare(a.file.date ?? ""))[0]!,
  );
}

/** The crossover in words, of our own backends. */
function sentence(rows: readonly Row[]): TemplateResult {
  const ours = rows.filter(isOurs);
  const found = crossover(ours.filter(onCpu), ours.filter((row) => !onCpu(row)));
  return html`<p id="crossover"><strong>${found.headline}</strong> ${found.detail}</p>`;
}

function drawn(context: Context, rows: readonly Row[], what: string): TemplateResult {
  const machines = distinct(rows.map(({ file }) => file.folder));
  const name = (row: Row) => (machines.length > 1 ? `${nameOf(row)} (${row.file.folder})` : nameOf(row));
  const inOrder = rows.toSorted((a, b) => a.n - b.n);
  const names = distinct(rows.map(name)).sort();
  const ours = rows.filter(isOurs);
  const { at } = crossover(ours.filter(onCpu), ours.filter((row) => !onCpu(row)));
  const channels = { x: "n", y: "gbps", stroke: name } as const;
  return chart({
    title: `Throughput: ${what}`,
    width: context.width,
    series: names,
    options: {
      height: isNarrow(context.width) ? 360 : 460,
      marginLeft: 50,
      x: { type: "log", base: 2, label: "samples", ticks: isNarrow(context.width) ? 5 : 10, tickFormat: sizeOf, grid: true },
      y: { type: "log", label: "GB/s", grid: true, tickFormat: figure, ticks: 6 },
      marks: [
        ...(at === null ? [] : [ruleX([at], { stroke: "currentColor", strokeDasharray: "4 3" })]),
        line(inOrder, { ...channels, z: name, strokeWidth: 1.5 }),
        dot(inOrder, { ...channels, symbol: name, r: 3 }),
        tip(inOrder, pointer({ ...channels, title: (row: Row) => `${name(row)}\n${sizeOf(row.n)}: ${figure(row.gbps)} GB/s` })),
        ruleY([], {}),
      ],
    },
    columns: ["contestant", "samples", "GB/s", "% of ceiling", "cell"],
    numbers: [1, 2, 3],
    rows: inOrder
      .toSorted((a, b) => name(a).localeCompare(name(b)) || a.n - b.n)
      .map((row) => [name(row), sizeOf(row.n), figure(row.gbps), row.ceilingPercent === null ? "–" : figure(row.ceilingPercent), cellLink(context, row)]),
  });
}
