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
  sides,
  sizeOf,
} from "../data/index.ts";
import { type Context, chosen, distinct, lines, plain, select, type View } from "../show/index.ts";
import { cellLink } from "./cell-link.ts";
import { inOrder } from "./groups.ts";
import { nothingOn } from "./nothing.ts";

/** Throughput against the number of samples, and the size from which on the GPU is faster. */
export const throughput: View = {
  id: "explore/throughput",
  title: "Throughput",
  question: "From how many samples on is the GPU faster than the CPU?",
  about:
    "GB/s against the number of samples: where a GPU overtakes the CPU, and where it reaches the bandwidth of its memory. The dashed line is the crossover of whole calls between the fastest CPU row and the fastest GPU row, with straight lines between measured sizes on logarithmic axes. All rows are those of one host. If several files hold a contestant, the last measured one counts.",
  reads: "one machine",
  basis: "switch",
  render(context) {
    const rows = context.rows.filter(({ weighted, bins }) => weighted === undefined && bins > 0);
    if (rows.length === 0) return nothingOn(context, "No plain histogram was measured");
    const residences = distinct(rows.map(({ residence }) => residence));
    const residence = chosen(context, "residence", residences);
    const there = rows.filter((row) => liesThere(row, residence));
    const kinds = distinct(there.map(kindOf));
    const kind = chosen(context, "kind", kinds, kinds.includes("u8, 256 bins") ? "u8, 256 bins" : kinds[0]);
    const ofKind = there.filter((row) => kindOf(row) === kind);
    const distributions = distinct(ofKind.map(({ distribution }) => distribution)).filter((d) => d !== "any");
    const distribution = chosen(context, "distribution", distributions);
    const ofDistribution = ofKind.filter(
      (row) => row.distribution === distribution || row.distribution === "any",
    );
    const hosts = byHost(ofDistribution);
    const host = chosen(context, "host", [...hosts.keys()]);
    const points = hosts.get(host)!;
    const { cpu, gpu } = sides(points);
    const found = crossover(cpu, gpu);
    const what = `${kind}, ${distribution}, ${residence}`;
    return html`${sentence(context, found)} ${drawn(context, points, context.basis === "kernel" ? NOWHERE : found, what)}
      <div class="fields">
        ${select("Host", plain([...hosts.keys()]), host, (value) => context.select({ host: value }))}
        ${select("Data location", plain(residences), residence, (value) => context.select({ residence: value }))}
        ${select("Type and bins", plain(kinds), kind, (value) => context.select({ kind: value }))}
        ${select("Distribution", plain(distributions), distribution, (value) => context.select({ distribution: value }))}
      </div>`;
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

/** The rows of each host, the host with most sizes on CPU and GPU first. A folder may hold hosts with different CPUs. */
function byHost(rows: readonly Row[]): Map<string, Row[]> {
  const hosts = Map.groupBy(
    rows,
    ({ file: { machine } }) => `${machine?.cpu ?? "unknown CPU"}, ${machine?.cores ?? "unknown"} cores`,
  );
  const sizes = (of: readonly Row[]) => {
    const { cpu, gpu } = sides(of);
    return crossover(cpu, gpu).sizes;
  };
  const all = [...hosts].map(([host, of]) => ({ host, of: onceEach(of) }));
  return new Map(
    all
      .toSorted((a, b) => sizes(b.of) - sizes(a.of) || b.of.length - a.of.length)
      .map(({ host, of }) => [host, of]),
  );
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
  return lines({
    title: `GB/s by number of samples, ${basisName(context.basis)}: ${what}`,
    width: context.width,
    // The lines that cross are always among those that are shown first.
    names: distinct([...between, ...inOrder(rows)]),
    points: rows.map((row) => ({ name: nameOf(row), x: row.n, y: row.gbps })),
    x: { label: "samples", base: 2, format: sizeOf },
    y: { label: "GB/s", base: 10, format: figure },
    marks: at === null ? [] : [ruleX([at], { stroke: "currentColor", strokeDasharray: "4 3" })],
    columns: ["contestant", "samples", "GB/s", "% of ceiling", "ceiling of", "basis", "runs"],
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
