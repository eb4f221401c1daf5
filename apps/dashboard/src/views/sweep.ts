import { html } from "lit-html";
import { basisName, figure, programOf, type Row, sizeOf } from "../data/index.ts";
import { type Context, chosen, distinct, keysOf, lines, select, type View } from "../show/index.ts";
import { cellLink } from "./cell-link.ts";
import { nothingOn } from "./nothing.ts";

/** A row of TRISH whose only parameter is k. */
interface Point {
  readonly row: Row;
  readonly k: number;
  readonly name: string;
}

/** Fewer values of k are no sweep. */
const SWEEP = 9;

/** TRISH against its k, and how many words it bins between two row sums. */
export const sweep: View = {
  id: "explore/k-sweep",
  title: "k sweep",
  question: "Which k is the fastest for TRISH?",
  about:
    "TRISH by k, the number of words that a thread bins in one unrolled loop (Brown & Snoeyink, Figure 4). The second plot shows how many of the 63 words that a byte can count are binned between two row sums.",
  reads: "one file",
  basis: "switch",
  drawable: (rows) => {
    const points = rows.flatMap(pointsOf);
    return distinct(points.map(({ k }) => k)).length >= SWEEP ? points.map(({ row }) => row) : [];
  },
  render(context) {
    const all = context.rows.flatMap(pointsOf);
    const sizes = [...Map.groupBy(all, ({ row }) => String(row.n))]
      .sort(([, a], [, b]) => distinct(b.map(({ k }) => k)).length - distinct(a.map(({ k }) => k)).length)
      .map(([n]) => n);
    if (all.length === 0) return nothingOn(context, "TRISH was not swept over k");
    const size = chosen(context, "n", sizes);
    const points = all.filter(({ row }) => String(row.n) === size).sort((a, b) => a.k - b.k);
    const title = `TRISH by k, ${basisName(context.basis)}: bytes, ${sizeOf(Number(size))} samples`;
    return html`${against(context, points, "GB/s", title, ({ row }) => row.gbps)}
      <div class="fields">
        ${select(
          "Number of samples",
          sizes
            .toSorted((a, b) => Number(a) - Number(b))
            .map((value) => ({ value, label: sizeOf(Number(value)) })),
          size,
          (value) => context.select({ n: value }),
        )}
      </div>
      ${efficiency(context, points)}`;
  },
};

const nameIn = (row: Row): string => `${programOf(row).name}, ${row.distribution}`;

function pointsOf(row: Row): Point[] {
  const k = /^k=(\d+)$/.exec(row.variant ?? "")?.[1];
  // The papers' view shows the kernel as published.
  if (row.algorithm !== "trish" || k === undefined || row.peer !== null) return [];
  return [{ row, k: Number(k), name: nameIn(row) }];
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
  { width, basis, source }: Context,
  points: readonly Point[],
  label: string,
  title: string,
  value: (point: Point) => number,
) {
  const counts = Map.groupBy(points, ({ name }) => name);
  const swept = [...counts]
    .filter(([, group]) => group.length >= SWEEP || counts.size === 1)
    .map(([name]) => name);
  const names = (swept.length > 0 ? swept : [...counts.keys()]).toSorted();
  const keys = keysOf(
    points.map(({ row }) => row),
    names,
    nameIn,
  );
  return lines({
    ...{ title, width, source, names, keys },
    points: points.map((point) => ({ name: point.name, x: point.k, y: value(point) })),
    x: { what: "words that a thread bins at once", label: "k", format: String },
    y: { ...(label === "GB/s" ? { what: "throughput" } : {}), label, format: figure },
    columns: ["program", "k", label, "basis", "runs"],
    numbers: [1, 2],
    rows: points
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.k - b.k)
      .map((point) => [point.name, point.k, figure(value(point)), basisName(basis), cellLink(point.row)]),
  });
}
