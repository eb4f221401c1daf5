import type { Measured, SumsRow } from "../measured.ts";
import { digits } from "../readings/index.ts";
import { LABELS } from "../sides.ts";
import { steadiest } from "./large.ts";
import { type Cell, NONE, type Section } from "./page.ts";

/** The figures whose cells compare weighted methods, by data. */
const [LINK, FIGURES] = ["xu-table-7", ["Table 7", "Figure 9"]] as const;
/** Numbers of bins for which the table recommends a weighted method. */
const BINS = [16, 64, 256, 1024];
/** Our own weighted method. The others are Xu et al.'s. */
const OURS = "weighted-fixed-point";

/** Says which method is the fastest today, by the rows of the report. */
export function today(backends: readonly Measured[]): Section {
  const plain: Cell[][] = backends.flatMap((measured) => {
    const found = steadiest(measured);
    if (found === null) return [];
    return [
      ["256 bins of bytes, any data", LABELS[measured.backend], `\`${found.slug}\``, rangeOf(found), NONE],
    ];
  });
  const weighted = BINS.flatMap((bins) => backends.flatMap((measured) => weightedRow(measured, bins)));
  return {
    id: "today",
    title: "What to use today",
    text: [
      "The table names the method that is fastest on its slowest data. For weighted histograms it compares the methods that were measured on all kinds of features of a row, and names the fastest of Xu et al.'s methods next to the fastest of all.",
      "Without the option `algorithm`, an engine takes `per-lane` for plain histograms and `weighted-fixed-point` for sums of feature tables, on any device that can run them.",
    ],
    table: {
      columns: ["task", "backend", "fastest method", "GB/s", "the paper's fastest, GB/s"],
      rows: [...plain, ...weighted],
      numbers: [3, 4],
    },
  };
}

/** A weighted method with one arithmetic, and its throughput by kind of features. */
interface Weighted {
  readonly name: string;
  readonly isOurs: boolean;
  readonly by: ReadonlyMap<string, number>;
}

/** Gathers the methods with this number of bins, in the newest rows. */
function methodsAt(measured: Measured, bins: number): Weighted[] {
  const rows = FIGURES.flatMap((figure) => measured.sums(figure)).filter((row) => row.bins === bins);
  const groups = Map.groupBy(
    rows,
    ({ algorithm, weighted: { precision, skip } }) => `${algorithm} ${precision} ${skip}`,
  );
  return [...groups.values()].map((group) => {
    const [{ algorithm, weighted }] = group as [SumsRow];
    const arithmetic = weighted.precision === "fast" ? "floats" : "integers";
    const skips = weighted.skip ? ", zeros skipped" : "";
    return {
      name: algorithm === OURS ? `\`${OURS}\`` : `\`${algorithm}\`, ${arithmetic}${skips}`,
      isOurs: algorithm === OURS,
      by: new Map(group.map(({ distribution, gbps }) => [distribution, gbps])),
    };
  });
}

function weightedRow(measured: Measured, bins: number): Cell[][] {
  const all = methodsAt(measured, bins);
  // Our method was measured on every kind of features. Without it, the method with the most kinds stands for it.
  const widest = all.find(({ isOurs }) => isOurs) ?? all.toSorted((a, b) => b.by.size - a.by.size)[0];
  if (widest === undefined) return [];
  const kinds = [...widest.by.keys()];
  const found = all
    .filter(({ by }) => kinds.every((kind) => by.has(kind)))
    .map(({ by, ...one }) => {
      const speeds = kinds.map((kind) => by.get(kind)!);
      return { ...one, worst: Math.min(...speeds), best: Math.max(...speeds) };
    })
    .toSorted((a, b) => b.worst - a.worst);
  const theirs = found.find(({ isOurs }) => !isOurs);
  const [first] = found;
  const data = kinds.length === 1 ? `features with ${kinds[0]}` : `${kinds.length} kinds of features`;
  return [
    [
      { text: `weighted, ${bins.toLocaleString("en-US")} bins, ${data}`, figure: LINK },
      LABELS[measured.backend],
      first!.name,
      rangeOf(first!),
      theirs === undefined ? NONE : `${rangeOf(theirs)} (${theirs.name})`,
    ],
  ];
}

function rangeOf({ worst, best }: { readonly worst: number; readonly best: number }): string {
  return worst === best ? digits(worst) : `${digits(worst)} to ${digits(best)}`;
}
