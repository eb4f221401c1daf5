import { html, type TemplateResult } from "lit-html";
import {
  basisName,
  figure,
  isCeiling,
  kindOf,
  nameOf,
  onBasis,
  type Row,
  residenceName,
  sizeOf,
} from "../data/index.ts";
import {
  absent,
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

/** A call of a contestant at one size. */
interface Point {
  readonly row: Row;
  readonly name: string;
  readonly n: number;
  /** Microseconds of the median call. */
  readonly us: number;
}

const KIND = "u8, 256 bins";

/** Microseconds of whole calls against their size. */
export const calls: View = {
  id: "explore/calls",
  title: "Calls",
  question: "How long does a program wait for its counts?",
  about:
    "Microseconds per call by size, for polybin and for other programs. All count bytes into 256 bins. The table has the 99th percentile where calls were measured one by one.",
  timing: "This view shows whole calls: nobody waits for a kernel alone.",
  reads: "one file",
  basis: null,
  drawable: (all) => {
    const rows = onBasis(all, "call").filter(
      (row) =>
        row.weighted === undefined && row.segments === undefined && !isCeiling(row) && kindOf(row) === KIND,
    );
    return isSwept(rows) ? rows : [];
  },
  render(context) {
    const { rows } = context;
    if (rows.length === 0) return absent("No whole call on bytes was measured on this machine.");
    const residences = distinct(rows.map(({ residence }) => residence));
    const residence = chosen(context, "residence", residences);
    const there = rows.filter((row) => row.residence === residence);
    const distributions = distinct(there.map(({ distribution }) => distribution)).filter(
      (one) => one !== "any",
    );
    const distribution = chosen(context, "distribution", distributions);
    const points = pointsOf(there.filter((row) => row.distribution === distribution));
    return html`${drawn(context, points, `${KIND}, ${distribution}, ${residenceName(residence)}`)}
      <div class="fields">
        ${select("Data location", named(residences, residenceName), residence, (value) => context.select({ residence: value, distribution: null }))}
        ${select("Distribution", plain(distributions), distribution, (value) => context.select({ distribution: value }))}
      </div>`;
  },
};

/** Sorts points by size. */
function pointsOf(rows: readonly Row[]): Point[] {
  return onceEach(rows)
    .map((row) => ({ row, name: nameOf(row), n: row.n, us: row.n / row.gbps / 1000 }))
    .sort((a, b) => a.n - b.n);
}

function drawn(context: Context, points: readonly Point[], what: string): TemplateResult {
  const rows = points.map(({ row }) => row);
  const { names, first } = fewOfEach(rows);
  return lines({
    title: `Microseconds per call, whole call: ${what}`,
    ...{ width: context.width, source: context.source, names, first, keys: keysOf(rows, names) },
    points: points.map(({ name, n, us }) => ({ name, x: n, y: us })),
    x: { label: "samples", base: 2, format: sizeOf },
    y: { what: "time of a call", label: "µs", base: 10, format: figure },
    columns: ["program", "samples", "µs", "99th percentile, µs", "calls per second", "basis", "runs"],
    numbers: [1, 2, 3, 4],
    rows: points
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.n - b.n)
      .map(({ name, row, n, us }) => [
        name,
        sizeOf(n),
        figure(us),
        row.p99 === undefined ? "–" : figure(row.p99 * 1000),
        figure(1e6 / us),
        basisName("call"),
        cellLink(row),
      ]),
  });
}
