import { ruleX } from "@observablehq/plot";
import { html, type TemplateResult } from "lit-html";
import {
  basisName,
  type Crossover,
  crossover,
  figure,
  kindOf,
  memoryOf,
  nameOf,
  type Row,
  residenceName,
  sides,
  sizeOf,
} from "../data/index.ts";
import {
  type Context,
  chosen,
  distinct,
  keysOf,
  lines,
  named,
  plain,
  select,
  type View,
} from "../show/index.ts";
import { cellLink } from "./cell-link.ts";
import { fewOfEach, isSwept, onceEach } from "./groups.ts";
import { nothingOn } from "./nothing.ts";

/** Throughput against the number of samples, and the size from which on the GPU is faster, if a run has both. */
export const throughput: View = {
  id: "explore/throughput",
  title: "Throughput",
  question: "How does throughput grow with the number of samples?",
  about:
    "GB/s against the number of samples: where a GPU overtakes the CPU, and where it reaches the bandwidth of its memory. If the run measured both, the dashed line is the crossover of whole calls between the fastest CPU row and the fastest GPU row, with straight lines between measured sizes on logarithmic axes.",
  reads: "one file",
  basis: "switch",
  drawable: (rows) => {
    const plainRows = rows.filter(({ weighted, bins }) => weighted === undefined && bins > 0);
    return isSwept(plainRows) ? plainRows : [];
  },
  render(context) {
    const { rows } = context;
    if (rows.length === 0) return nothingOn(context, "No plain histogram was measured");
    const residences = distinct(rows.map(({ residence }) => residence));
    const residence = chosen(
      context,
      "residence",
      residences.toSorted((a, b) => sizesOf(rows, b) - sizesOf(rows, a)),
    );
    const there = rows.filter((row) => liesThere(row, residence));
    const kinds = distinct(there.map(kindOf));
    const kind = chosen(context, "kind", kinds, kinds.includes("u8, 256 bins") ? "u8, 256 bins" : kinds[0]);
    const ofKind = there.filter((row) => kindOf(row) === kind);
    const distributions = distinct(ofKind.map(({ distribution }) => distribution)).filter((d) => d !== "any");
    const distribution = chosen(context, "distribution", distributions);
    const ofDistribution = ofKind.filter(
      (row) => row.distribution === distribution || row.distribution === "any",
    );
    const points = onceEach(ofDistribution);
    const { cpu, gpu } = sides(points);
    const found = crossover(cpu, gpu);
    const what = `${kind}, ${distribution}, ${residenceName(residence)}`;
    return html`${cpu.length > 0 && gpu.length > 0 ? sentence(context, found) : null} ${drawn(context, points, context.basis === "kernel" ? NOWHERE : found, what)}
      <div class="fields">
        ${select("Data location", named(residences, residenceName), residence, (value) => context.select({ residence: value }))}
        ${select("Type and bins", plain(kinds), kind, (value) => context.select({ kind: value }))}
        ${select("Distribution", plain(distributions), distribution, (value) => context.select({ distribution: value }))}
      </div>`;
  },
};

/** The number of sizes of the data in one place. */
const sizesOf = (rows: readonly Row[], residence: string): number =>
  new Set(rows.filter((row) => row.residence === residence).map(({ n }) => n)).size;

/** Core's CPU backend uploads nothing, because it counts any memory in place. */
function liesThere({ backend, residence }: Row, asked: string): boolean {
  return residence === asked || (asked === "upload" && backend === "cpu" && residence === "resident");
}

/** No crossover to draw. */
const NOWHERE: Pick<Crossover, "at" | "between"> = { at: null, between: [] };

/** States the crossover in words. */
function sentence({ basis }: Context, { headline, detail }: Crossover): TemplateResult {
  return basis === "kernel"
    ? html`<p id="crossover">A CPU has no kernel times. Choose whole calls to see from how many samples on the GPU is faster.</p>`
    : html`<p id="crossover"><strong>${headline}</strong> ${detail}</p>`;
}

function drawn(
  context: Context,
  rows: readonly Row[],
  { at, between }: Pick<Crossover, "at" | "between">,
  what: string,
): TemplateResult {
  const { names, first } = fewOfEach(rows);
  // The lines that cross are always among those that are shown first.
  const inFront = distinct([...between, ...names]);
  return lines({
    title: `GB/s by number of samples, ${basisName(context.basis)}: ${what}`,
    ...{ width: context.width, source: context.source, keys: keysOf(rows, names) },
    names: inFront,
    first: Math.max(first, between.length),
    points: rows.map((row) => ({ name: nameOf(row), x: row.n, y: row.gbps })),
    x: { label: "samples", base: 2, format: sizeOf },
    y: { what: "throughput", label: "GB/s", base: 10, format: figure },
    marks: at === null ? [] : [ruleX([at], { stroke: "currentColor", strokeDasharray: "4 3" })],
    columns: ["program", "samples", "GB/s", "% of ceiling", "ceiling of", "basis", "runs"],
    numbers: [1, 2, 3],
    rows: rows
      .toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)) || a.n - b.n)
      .map((row) => [
        nameOf(row),
        sizeOf(row.n),
        figure(row.gbps),
        row.invalidCeiling ? "invalid" : row.ceilingPercent === null ? "–" : figure(row.ceilingPercent),
        memoryOf(row),
        basisName(context.basis),
        cellLink(row),
      ]),
  });
}
