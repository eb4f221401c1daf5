import { dot, line, pointer, ruleX, tip } from "@observablehq/plot";
import { html, type TemplateResult } from "lit-html";
import { crossover, sides } from "../data/crossover.ts";
import type { Row } from "../data/types.ts";
import { figure, isOurs, kindOf, nameOf, sizeOf } from "../data/words.ts";
import { absent, chart, isNarrow } from "../show/chart.ts";
import { plain, select } from "../show/controls.ts";
import { cellLink } from "./cell-link.ts";
import { type Context, chosen, distinct, type View } from "./view.ts";

/** Throughput against the number of samples, and the size from which on the GPU is faster. */
export const throughput: View = {
  id: "explore/throughput",
  title: "Throughput",
  about:
    "GB/s against the number of samples: where a GPU overtakes the CPU, and where it reaches the bandwidth of its memory.",
  reads: "one machine",
  basis: "call",
  render(context) {
    const rows = context.rows.filter(({ weighted, bins }) => weighted === undefined && bins > 0);
    if (rows.length === 0) return absent("No plain histogram was measured on this machine at this commit.");
    const residences = distinct(rows.map(({ residence }) => residence));
    const residence = chosen(context, "residence", residences);
    const there = rows.filter((row) => liesThere(row, residence));
    const kinds = distinct(there.map(kindOf));
    const kind = chosen(context, "kind", kinds, kinds.includes("u8, 256 bins") ? "u8, 256 bins" : kinds[0]);
    const ofKind = there.filter((row) => kindOf(row) === kind);
    const distributions = distinct(ofKind.map(({ distribution }) => distribution)).filter((d) => d !== "any");
    const distribution = chosen(context, "distribution", distributions);
    const points = onceEach(
      ofKind.filter((row) => row.distribution === distribution || row.distribution === "any"),
    );
    return html`<div class="fields">
        ${select("Data location", plain(residences), residence, (value) => context.select({ residence: value }))}
        ${select("Type and bins", plain(kinds), kind, (value) => context.select({ kind: value }))}
        ${select("Distribution", plain(distributions), distribution, (value) => context.select({ distribution: value }))}
      </div>
      ${sentence(context, points)} ${drawn(context, points, `${kind}, ${distribution}, ${residence}`)}`;
  },
};

/** Keeps each contestant once per size. If several files hold it, the last measured one counts. */
function onceEach(rows: readonly Row[]): Row[] {
  const groups = Map.groupBy(rows, (row) => `${nameOf(row)} ${row.n}`);
  return [...groups.values()].map(
    (group) => group.toSorted((a, b) => (b.file.date ?? "").localeCompare(a.file.date ?? ""))[0]!,
  );
}

/** Core's CPU backend uploads nothing, because it counts any memory in place. */
function liesThere({ backend, residence }: Row, asked: string): boolean {
  return residence === asked || (asked === "upload" && backend === "cpu" && residence === "resident");
}

/** States the crossover in words. */
function sentence({ basis }: Context, rows: readonly Row[]): TemplateResult {
  if (basis === "kernel") {
    return html`<p id="crossover">A CPU has no kernel times. Choose whole calls to see from how many samples on the GPU is faster.</p>`;
  }
  const { cpu, gpu } = sides(rows);
  const { headline, detail } = crossover(cpu, gpu);
  return html`<p id="crossover"><strong>${headline}</strong> ${detail}</p>`;
}

/** The most lines that a reader can tell apart. */
const MOST_SERIES = 10;

/**
 * Chooses the lines to draw, up to the limit. The order is the fastest of each of our backends, contestants measured at
 * three sizes or more, and the fastest of each peer.
 */
function drawnNames(rows: readonly Row[]): string[] {
  const sizes = Map.groupBy(rows, nameOf);
  const swept = [...sizes].filter(([, group]) => new Set(group.map(({ n }) => n)).size >= 3);
  const single = rows.filter(({ devices }) => devices === undefined).toSorted((a, b) => b.gbps - a.gbps);
  const who = ({ peer, backend }: Row) => peer ?? backend;
  const [ours, theirs] = [single.filter(isOurs), single.filter((row) => !isOurs(row))].map((some) =>
    distinct(some.map(who)).map((one) => nameOf(some.find((row) => who(row) === one)!)),
  );
  return distinct([...ours!, ...swept.map(([key]) => key), ...theirs!])
    .slice(0, MOST_SERIES)
    .sort();
}

function drawn(context: Context, rows: readonly Row[], what: string): TemplateResult {
  const inOrder = rows.toSorted((a, b) => a.n - b.n);
  const names = drawnNames(rows);
  const shown = inOrder.filter((row) => names.includes(nameOf(row)));
  const others = distinct(rows.map(nameOf)).length - names.length;
  const { cpu, gpu } = sides(rows);
  const { at } = crossover(cpu, gpu);
  const channels = { x: "n", y: "gbps", stroke: nameOf } as const;
  return html`${chart({
    title: `Throughput: ${what}`,
    width: context.width,
    series: names,
    options: {
      height: isNarrow(context.width) ? 360 : 460,
      marginLeft: 50,
      x: {
        type: "log",
        base: 2,
        label: "samples",
        ticks: isNarrow(context.width) ? 5 : 10,
        tickFormat: sizeOf,
        grid: true,
      },
      y: { type: "log", label: "GB/s", grid: true, tickFormat: figure, ticks: 6 },
      marks: [
        ...(at === null ? [] : [ruleX([at], { stroke: "currentColor", strokeDasharray: "4 3" })]),
        line(shown, { ...channels, z: nameOf, strokeWidth: 1.5 }),
        dot(shown, { ...channels, fill: nameOf, symbol: nameOf, r: 3 }),
        tip(
          shown,
          pointer({
            ...channels,
            title: (row: Row) => `${nameOf(row)}\n${sizeOf(row.n)}: ${figure(row.gbps)} GB/s`,
          }),
        ),
      ],
    },
    columns: ["contestant", "samples", "GB/s", "% of ceiling", "cell"],
    numbers: [1, 2, 3],
    rows: inOrder
      .toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)) || a.n - b.n)
      .map((row) => [
        nameOf(row),
        sizeOf(row.n),
        figure(row.gbps),
        row.ceilingPercent === null ? "–" : figure(row.ceilingPercent),
        cellLink(row),
      ]),
  })}
  ${others > 0 ? html`<p>The table holds ${others} more contestants, most of them measured at one size.</p>` : null}`;
}
