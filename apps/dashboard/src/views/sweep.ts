import { dot, line, pointer, tip } from "@observablehq/plot";
import { html } from "lit-html";
import type { Row } from "../data/types.ts";
import { figure, sizeOf } from "../data/words.ts";
import { absent, chart, isNarrow } from "../show/chart.ts";
import { select } from "../show/controls.ts";
import { cellLink } from "./cell-link.ts";
import { type Context, chosen, distinct, type View } from "./view.ts";

/** A row of TRISH whose only parameter is k. */
interface Point {
  readonly row: Row;
  readonly k: number;
  readonly name: string;
}

/** TRISH against its k, and how many words it bins between two row sums. */
export const sweep: View = {
  id: "explore/k-sweep",
  title: "k sweep",
  about:
    "TRISH by k, the number of words that a thread bins in one unrolled loop (Brown & Snoeyink, Figure 4). The second plot shows how many of the 63 words that a byte can count are binned between two row sums.",
  reads: "one machine",
  basis: "kernel",
  render(context) {
    const all = context.rows.flatMap(pointsOf);
    const sizes = [...Map.groupBy(all, ({ row }) => String(row.n))]
      .sort(([, a], [, b]) => distinct(b.map(({ k }) => k)).length - distinct(a.map(({ k }) => k)).length)
      .map(([n]) => n);
    if (all.length === 0) return absent("TRISH was not swept over k on this machine at this commit.");
    const size = chosen(context, "n", sizes);
    const points = once(all.filter(({ row }) => String(row.n) === size)).sort((a, b) => a.k - b.k);
    return html`<div class="fields">
        ${select(
          "Number of samples",
          sizes
            .toSorted((a, b) => Number(a) - Number(b))
            .map((value) => ({ value, label: sizeOf(Number(value)) })),
          size,
          (value) => context.select({ n: value }),
        )}
      </div>
      ${against(context, points, "GB/s", `TRISH against k: bytes, ${sizeOf(Number(size))} samples`, ({ row }) => row.gbps)}
      ${efficiency(context, points)}`;
  },
};

function pointsOf(row: Row): Point[] {
  const k = /^k=(\d+)$/.exec(row.variant ?? "")?.[1];
  if (row.algorithm !== "trish" || k === undefined) return [];
  return [{ row, k: Number(k), name: `${row.backend} ${row.distribution}` }];
}

/** If several files hold a point, the one of the longest sweep counts, because that sweep comes from one run. */
function once(points: readonly Point[]): Point[] {
  const lengths = Map.groupBy(points, ({ row, name }) => `${row.file.path} ${name}`);
  const length = ({ row, name }: Point) => lengths.get(`${row.file.path} ${name}`)!.length;
  const groups = Map.groupBy(points, ({ name, k }) => `${name} ${k}`);
  return [...groups.values()].map((same) => same.toSorted((a, b) => length(b) - length(a))[0]!);
}

/** Draws Figure 4's lower half, which is the same on every distribution. */
function efficiency(context: Context, points: readonly Point[]) {
  const first = distinct(points.map(({ name }) => name))[0];
  const known = points.filter(({ row, name }) => row.rowSumEfficiency !== undefined && name === first);
  if (known.length === 0) return null;
  return against(
    context,
    known,
    "% of 63 words",
    "Words between two row sums, as a share of the maximum",
    ({ row }) => 100 * row.rowSumEfficiency!,
  );
}

function against(
  { width }: Context,
  points: readonly Point[],
  label: string,
  title: string,
  value: (point: Point) => number,
) {
  const counts = Map.groupBy(points, ({ name }) => name);
  // A contestant with two or three values of k is no sweep.
  const names = [...counts]
    .filter(([, group]) => group.length > 8 || counts.size === 1)
    .map(([name]) => name)
    .sort();
  const series = names.length > 0 ? names : [...counts.keys()];
  const shown = points.filter(({ name }) => series.includes(name));
  return chart({
    title,
    width,
    series,
    options: {
      height: isNarrow(width) ? 300 : 360,
      marginLeft: 56,
      x: { label: "k", ticks: isNarrow(width) ? 6 : 12, grid: true },
      y: { label, zero: true, grid: true, tickFormat: figure },
      marks: [
        line(shown, { x: "k", y: value, stroke: "name", z: "name" }),
        dot(shown, { x: "k", y: value, stroke: "name", fill: "name", symbol: "name", r: 2.5 }),
        tip(
          shown,
          pointer({
            x: "k",
            y: value,
            title: (point: Point) => `${point.name}\nk = ${point.k}: ${figure(value(point))} ${label}`,
          }),
        ),
      ],
    },
    columns: ["contestant", "k", label, "runs"],
    numbers: [1, 2],
    rows: points
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.k - b.k)
      .map((point) => [point.name, point.k, figure(value(point)), cellLink(point.row)]),
  });
}
