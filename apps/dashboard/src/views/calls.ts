import { dot, line, pointer, tip } from "@observablehq/plot";
import { html, type TemplateResult } from "lit-html";
import { onBasis } from "../data/basis.ts";
import type { Row } from "../data/types.ts";
import { figure, isCeiling, isOurs, kindOf, nameOf, sizeOf } from "../data/words.ts";
import { absent, chart, isNarrow } from "../show/chart.ts";
import { plain, select } from "../show/controls.ts";
import { cellLink } from "./cell-link.ts";
import { type Context, chosen, distinct, type View } from "./view.ts";

/** A call of a contestant at one size. */
interface Point {
  readonly row: Row;
  readonly name: string;
  readonly n: number;
  /** Microseconds of the median call. */
  readonly us: number;
}

/** The most lines that a reader can tell apart. */
const MOST_SERIES = 10;
const KIND = "u8, 256 bins";

/** Microseconds of whole calls against their size. */
export const calls: View = {
  id: "explore/calls",
  title: "Calls",
  about:
    "How long a program waits for its counts: microseconds per call by size, for ours and for other programs. All count bytes into 256 bins.",
  reads: "one machine",
  basis: null,
  render(context) {
    const rows = onBasis(context.rows, "call").filter(
      (row) =>
        row.weighted === undefined && row.segments === undefined && !isCeiling(row) && kindOf(row) === KIND,
    );
    if (rows.length === 0)
      return absent("No whole call on bytes was measured on this machine at this commit.");
    const residences = distinct(rows.map(({ residence }) => residence));
    const residence = chosen(context, "residence", residences);
    const there = rows.filter((row) => row.residence === residence);
    const distributions = distinct(there.map(({ distribution }) => distribution)).filter(
      (one) => one !== "any",
    );
    const distribution = chosen(context, "distribution", distributions);
    const points = latest(there.filter((row) => row.distribution === distribution));
    return html`<div class="fields">
        ${select("Data location", plain(residences), residence, (value) => context.select({ residence: value, distribution: null }))}
        ${select("Distribution", plain(distributions), distribution, (value) => context.select({ distribution: value }))}
      </div>
      ${drawn(context, points, `${KIND}, ${distribution}, ${residence}`)}`;
  },
};

/** Sorts points by size. If several files hold a call, the last measured one counts. */
function latest(rows: readonly Row[]): Point[] {
  const groups = Map.groupBy(rows, (row) => `${nameOf(row)} ${row.n}`);
  return [...groups.values()]
    .map((same) => {
      const row = same.toSorted((a, b) => (b.file.date ?? "").localeCompare(a.file.date ?? ""))[0]!;
      return { row, name: nameOf(row), n: row.n, us: row.n / row.gbps / 1000 };
    })
    .sort((a, b) => a.n - b.n);
}

/** Chooses the contestants that were measured at most sizes, ours first. */
function drawnNames(points: readonly Point[]): string[] {
  const lines = [...Map.groupBy(points, ({ name }) => name)].sort(
    ([, a], [, b]) => Number(isOurs(b[0]!.row)) - Number(isOurs(a[0]!.row)) || b.length - a.length,
  );
  const [ours, theirs] = [true, false].map((own) => lines.filter(([, of]) => isOurs(of[0]!.row) === own));
  const half = MOST_SERIES / 2;
  const some = [...ours!.slice(0, Math.max(half, MOST_SERIES - theirs!.length)), ...theirs!];
  return some.slice(0, MOST_SERIES).map(([name]) => name);
}

function drawn(context: Context, points: readonly Point[], what: string): TemplateResult {
  const names = drawnNames(points);
  const shown = points.filter(({ name }) => names.includes(name));
  const channels = { x: "n", y: "us", stroke: "name" } as const;
  const narrow = isNarrow(context.width);
  return chart({
    title: `Microseconds per call: ${what}`,
    width: context.width,
    series: names,
    options: {
      height: narrow ? 360 : 460,
      marginLeft: 60,
      x: { type: "log", base: 2, label: "samples", ticks: narrow ? 5 : 10, tickFormat: sizeOf, grid: true },
      y: { type: "log", label: "µs", grid: true, tickFormat: figure, ticks: 6 },
      marks: [
        line(shown, { ...channels, z: "name", strokeWidth: 1.5 }),
        dot(shown, { ...channels, fill: "name", symbol: "name", r: 3 }),
        tip(
          shown,
          pointer({ ...channels, title: (of: Point) => `${of.name}\n${sizeOf(of.n)}: ${figure(of.us)} µs` }),
        ),
      ],
    },
    columns: ["contestant", "samples", "µs", "99th percentile, µs", "calls per second", "runs"],
    numbers: [1, 2, 3, 4],
    rows: points
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.n - b.n)
      .map(({ name, row, n, us }) => [
        name,
        sizeOf(n),
        figure(us),
        row.p99 === undefined ? "–" : figure(row.p99 * 1000),
        figure(1e6 / us),
        cellLink(row),
      ]),
  });
}
