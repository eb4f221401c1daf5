import type { Measured } from "../measured.ts";
import { digits, value } from "../readings/index.ts";
import { type Compared, LABELS } from "../sides.ts";
import { FIXED_POINT } from "../xu/rows.ts";
import { steadiest } from "./large.ts";
import { type Cell, NONE, type Section } from "./page.ts";

const [WEIGHTED, PANEL] = ["xu-table-7", "throughput"] as const;
/** Numbers of bins for which the table recommends a weighted method. */
const BINS = [16, 64, 256, 1024];
/** Names that only polybin has end with this. */
const OURS = / \(ours\)$/;

/** Says which method is the fastest today, by the rows of the report. */
export function today(figures: readonly Compared[], backends: readonly Measured[]): Section {
  const plain: Cell[][] = backends.flatMap((measured) => {
    const found = steadiest(measured);
    if (found === null) return [];
    return [
      [
        "256 bins of bytes, any data",
        LABELS[measured.backend],
        `\`${found.slug}\``,
        `${digits(found.worst)} to ${digits(found.best)} by the data`,
        NONE,
      ],
    ];
  });
  const weighted = BINS.flatMap((bins) =>
    backends.flatMap((measured) => weightedRow(figures, measured, bins)),
  );
  return {
    id: "today",
    title: "What to use today",
    text: [
      "For plain histograms the table names the method that is fastest on its slowest distribution. For weighted ones it names the fastest on features with 80% zeros, next to the fastest of Xu et al.'s methods.",
      "Without the option `algorithm`, an engine takes `per-lane` for plain histograms and `weighted-fixed-point` for sums of feature tables, on any device that can run them.",
    ],
    table: {
      columns: ["task", "backend", "fastest method", "GB/s", "the paper's fastest, GB/s"],
      rows: [...plain, ...weighted],
      numbers: [3, 4],
    },
  };
}

function weightedRow(figures: readonly Compared[], { backend }: Measured, bins: number): Cell[][] {
  const side = figures
    .find(({ main }) => `${main.paper}-${main.id}` === WEIGHTED)
    ?.sides.find(({ id }) => id === backend);
  const points = side?.of.panels.find(({ id }) => id === PANEL)?.ours ?? [];
  const names = [...new Set(points.map(({ series }) => series))];
  const at = names
    .flatMap((series) => {
      const y = value(points, { series, x: bins });
      return y === null ? [] : [{ series, y }];
    })
    .toSorted((a, b) => b.y - a.y);
  if (at.length === 0) return [];
  const theirs = at.find(({ series }) => series !== FIXED_POINT);
  return [
    [
      { text: `weighted, ${bins.toLocaleString("en-US")} bins`, figure: WEIGHTED },
      LABELS[backend],
      at[0]!.series === FIXED_POINT ? "`weighted-fixed-point`" : at[0]!.series.replace(OURS, ""),
      digits(at[0]!.y),
      theirs === undefined ? NONE : `${digits(theirs.y)} (${theirs.series.replace(OURS, "")})`,
    ],
  ];
}
