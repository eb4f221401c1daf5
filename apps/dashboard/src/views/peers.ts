import { dot, pointer, ruleX, ruleY, tip } from "@observablehq/plot";
import { html, type TemplateResult } from "lit-html";
import { type Comparison, comparisons } from "../data/peers.ts";
import { figure, nameOf } from "../data/words.ts";
import { absent, chart, isNarrow } from "../show/chart.ts";
import { plain, select } from "../show/controls.ts";
import { namesOf } from "../show/names.ts";
import { cellLink } from "./cell-link.ts";
import { type Context, chosen, distinct, type View } from "./view.ts";

/** Other programs, and how many times as fast ours is on the same data in the same run. */
export const peers: View = {
  id: "explore/peers",
  title: "Peers",
  about: "Other programs on the same data in the same run. A factor of 2 means that ours took half the time.",
  reads: "one machine",
  basis: "call",
  render(context) {
    const all = comparisons(context.rows);
    if (all.length === 0)
      return absent("No other program was measured together with ours on this machine at this commit.");
    const names = distinct(all.map(({ peer }) => peer.peer!)).sort();
    const who = chosen(context, "peer", ["all", ...names]);
    const shown = who === "all" ? all.filter(isTelling(all)) : all.filter(({ peer }) => peer.peer === who);
    return html`<div class="fields">
        ${select("Peer", plain(["all", ...names]), who, (value) => context.select({ peer: value === "all" ? null : value }))}
      </div>
      <ul class="cards">${headlines(shown)}</ul>
      ${who === "all" ? html`<p>With all peers at once, each kind of samples is shown at the size that was measured on most distributions. Choose one peer to see every size. A call has a fixed cost, which dominates on small data.</p>` : null}
      ${factors(context, shown)}`;
  },
};

/** Shows each peer's lowest and highest factor. */
function headlines(shown: readonly Comparison[]): TemplateResult[] {
  return [...Map.groupBy(shown, ({ peer }) => peer.peer!)].map(([name, group]) => {
    const inOrder = group.map(({ factor }) => factor).sort((a, b) => a - b);
    return html`<li><strong>${figure(inOrder[0]!)} to ${figure(inOrder.at(-1)!)} times</strong>
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

/** Width in pixels of a number on the axis. */
const TICK = 72;

function factors({ width }: Context, shown: readonly Comparison[]): TemplateResult {
  const names = distinct(shown.map(({ name }) => name)).sort();
  const series = distinct(shown.map(({ peer }) => peer.distribution)).sort();
  const narrow = isNarrow(width);
  const { marks, marginLeft, lineHeight } = namesOf(names, narrow, 340);
  return chart({
    title: "Our throughput divided by the peer's",
    width,
    series,
    options: {
      height: 60 + names.length * lineHeight,
      marginLeft,
      marginRight: 24,
      x: {
        type: "log",
        label: "times",
        grid: true,
        tickFormat: figure,
        ticks: Math.floor((width - marginLeft) / TICK),
      },
      y: { domain: names, label: null, axis: null },
      marks: [
        ...marks,
        ruleX([1], { stroke: "currentColor" }),
        ruleY(names, { y: (name: string) => name, stroke: "var(--line)" }),
        dot(shown, {
          x: "factor",
          y: "name",
          stroke: ({ peer }: Comparison) => peer.distribution,
          fill: ({ peer }: Comparison) => peer.distribution,
          symbol: ({ peer }: Comparison) => peer.distribution,
          r: 3.5,
        }),
        tip(
          shown,
          pointer({
            x: "factor",
            y: "name",
            title: (d: Comparison) => `${d.name}\n${d.peer.distribution}: ${figure(d.factor)} times`,
          }),
        ),
      ],
    },
    columns: ["peer", "distribution", "peer's GB/s", "ours", "our GB/s", "factor", "runs"],
    numbers: [2, 4, 5],
    rows: shown
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.factor - b.factor)
      .map(({ name, peer, ours, factor }) => [
        name,
        peer.distribution,
        figure(peer.gbps),
        nameOf(ours),
        figure(ours.gbps),
        figure(factor),
        html`${cellLink(peer)} ${cellLink(ours)}`,
      ]),
  });
}
