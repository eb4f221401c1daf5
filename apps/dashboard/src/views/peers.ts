import { html, type TemplateResult } from "lit-html";
import {
  basisName,
  type Comparison,
  comparisons,
  figure,
  programOf,
  type Row,
  slugOf,
} from "../data/index.ts";
import { type Context, chosen, distinct, keysOf, plain, ranges, select, type View } from "../show/index.ts";
import { cellLink } from "./cell-link.ts";
import { comparisonCells } from "./comparison-cells.ts";
import { nothingOn } from "./nothing.ts";

/** Other programs, and how many times as fast ours is on the same data in the same run. */
export const peers: View = {
  id: "explore/peers",
  title: "Peers",
  question: "Is polybin faster than other programs on the same data?",
  about:
    "Other programs on the same data in the same run. A factor of 2 means that polybin took half the time; left of the dashed line, the other program is faster. A line goes from the lowest factor of all distributions to the highest. Polybin's row is its fastest of the same cell with as many threads. Without such a row, there is no comparison.",
  reads: "one file",
  basis: "switch",
  drawable: (rows) => (comparisons(rows).length === 0 ? [] : rows),
  render(context) {
    const all = comparisons(context.rows);
    if (all.length === 0) return nothingOn(context, "No other program was measured together with polybin");
    const names = distinct(all.map(({ peer }) => nameIn(peer))).sort();
    const who = chosen(context, "peer", ["all", ...names]);
    const shown = who === "all" ? all.filter(isTelling(all)) : all.filter(({ peer }) => nameIn(peer) === who);
    const lost = shown.filter(({ factor }) => factor < 1).length;
    return html`<p id="verdict"><strong>polybin is faster in ${shown.length - lost} of ${shown.length} cells, and slower in ${lost}.</strong></p>
      ${factors(context, shown)}
      <div class="fields">
        ${select("Program", [{ value: "all", label: "All" }, ...plain(names)], who, (value) => context.select({ peer: value === "all" ? null : value }))}
      </div>
      <ul class="cards">${headlines(shown)}</ul>
      ${who === "all" ? html`<p>With all peers at once, each kind of samples is shown at the size that was measured on most distributions. Choose one peer to see every size. A call has a fixed cost, which dominates on small data.</p>` : null}`;
  },
};

const nameIn = (row: Row): string => programOf(row).name;

/** Shows each peer's lowest and highest factor. */
function headlines(shown: readonly Comparison[]): TemplateResult[] {
  return [...Map.groupBy(shown, ({ peer }) => nameIn(peer))].map(([name, group]) => {
    const inOrder = group.map(({ factor }) => factor).sort((a, b) => a - b);
    return html`<li><strong>${inOrder.length === 1 ? "" : `${figure(inOrder[0]!)} to `}${figure(inOrder.at(-1)!)} times</strong>
      <span>${name}'s throughput, over ${group.length} cell${group.length === 1 ? "" : "s"}</span></li>`;
  });
}

/** Keeps, for each peer, the size that was measured on most distributions, and the largest of several such sizes. */
function isTelling(all: readonly Comparison[]) {
  const key = ({ peer }: Comparison) => JSON.stringify([peer.peer, peer.variant, peer.type, peer.bins]);
  const sizes = new Map(
    [...Map.groupBy(all, key)].map(([k, group]) => {
      const bySize = Map.groupBy(group, ({ peer }) => peer.n);
      const spread = (n: number) => new Set(bySize.get(n)!.map(({ peer }) => peer.distribution)).size;
      return [k, [...bySize.keys()].sort((a, b) => spread(b) - spread(a) || b - a)[0]];
    }),
  );
  return (one: Comparison) => one.peer.n === sizes.get(key(one));
}

function factors({ width, basis, source }: Context, shown: readonly Comparison[]): TemplateResult {
  const groups = [...Map.groupBy(shown, ({ name }) => name)].map(([name, of]) => {
    const only = of.map(({ factor }) => factor).sort((a, b) => a - b);
    return { name, of, low: only[0]!, high: only.at(-1)! };
  });
  const theirs = shown.map(({ peer }) => peer);
  const series = distinct(theirs.map(nameIn));
  return ranges({
    title: `polybin's throughput divided by the other program's, ${basisName(basis)}`,
    ...{ width, source, series, keys: keysOf(theirs, series, nameIn) },
    unit: "times as fast",
    format: figure,
    mark: "whiskers",
    log: true,
    line: { at: 1, label: "equally fast" },
    ranges: groups
      .toSorted((a, b) => a.low - b.low)
      .map(({ name, of, low, high }) => ({
        ...{ name, series: nameIn(of[0]!.peer), title: slugOf(of[0]!.peer) },
        values: of.map(({ peer, factor }) => ({ on: peer.distribution, value: factor })),
        label: low === high ? figure(low) : `${figure(low)} to ${figure(high)}`,
      })),
    columns: ["program", "distribution", "its GB/s", "polybin", "polybin's GB/s", "factor", "basis", "runs"],
    numbers: [2, 4, 5],
    rows: shown
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.factor - b.factor)
      .map((one) => [...comparisonCells(one, basis), html`${cellLink(one.peer)} ${cellLink(one.ours)}`]),
  });
}
