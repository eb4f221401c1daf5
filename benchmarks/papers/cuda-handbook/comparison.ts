import { DISTRIBUTIONS } from "../../src/data/distributions.ts";
import { atomicsCombine, mergeSkipsZeros } from "../causes.ts";
import type { Measured } from "../measured.ts";
import type { Figure } from "../model.ts";
import { because, digits, ratioMagnitude, ratioSide, rule, steadier } from "../readings/index.ts";

const [paper, id] = ["cuda-handbook", "comparison"] as const;
const WHERE = "Privatized (Per Thread) Histograms";

/** The Handbook's kernels, and ours. */
const KERNELS: Readonly<Record<string, string>> = {
  global: "global",
  "per-block": "per-block",
  "privatized periodic interleaved": "privatized",
  "per-lane": "per-lane (ours)",
};
/** The paper's "order of magnitude". */
const MAGNITUDE = 10;
const THEIRS = ["global", "per-block", "privatized"];
const loss = (series: string) => ratioMagnitude({ series, x: "uniform" }, { series, x: "zeros" });

/** Uniform bytes meet on few cache lines, too: more bins make global atomics faster. */
function fewLines(measured: Measured): string | null {
  const rows = measured
    .rows("handbook")
    .filter(({ algorithm, distribution }) => algorithm === "global" && distribution === "uniform")
    .toSorted((a, b) => a.bins - b.bins);
  const [few, many] = [rows[0], rows.at(-1)];
  const each = ({ gbps, type }: NonNullable<typeof few>) => gbps / (type === "u16" ? 2 : 1);
  if (few === undefined || many === undefined || each(many) < 2 * each(few)) return null;
  return `Uniform bytes meet in few cache lines, too: uniform values of ${few.bins} bins reach ${digits(each(few))} x 10^9 additions per second, and those of ${digits(many.bins)} bins ${digits(each(many))} x 10^9.`;
}

export const comparison: Figure = {
  paper,
  id,
  title: "One histogram per grid, per block, per thread",
  source: `${WHERE}, Performance`,
  lost: "the section Performance with all its numbers, which the excerpt lacks. The excerpt has its claims about the data",
  needs: "gpu",
  command: "run bench algorithms",
  panels: [
    {
      id: "distributions",
      title: "Throughput by distribution",
      mark: "bar",
      x: { label: "bytes", scale: "category" },
      y: { label: "GB/s", scale: "log" },
      paper: [],
      wanted: THEIRS.flatMap((series) => DISTRIBUTIONS.map((x) => ({ series, x }))),
      ours: (measured) =>
        measured.rows("algorithms").flatMap(({ algorithm, variant, distribution, gbps }) => {
          const series = KERNELS[[algorithm, variant].filter(Boolean).join(" ")];
          return series === undefined ? [] : [{ series, x: distribution, y: gbps }];
        }),
    },
  ],
  rules: [
    because(
      rule(
        "distributions",
        "Global atomics lose an order of magnitude on degenerate data: uniform over zeros",
        WHERE,
        loss("global"),
        MAGNITUDE,
        "an order of magnitude",
      ),
      fewLines,
    ),
    because(
      rule(
        "distributions",
        "Shared atomics lose an order of magnitude on degenerate data: uniform over zeros",
        WHERE,
        loss("per-block"),
        MAGNITUDE,
        "an order of magnitude",
      ),
      atomicsCombine,
    ),
    because(
      rule(
        "distributions",
        "Privatized histograms depend less on the data than one histogram per block",
        WHERE,
        steadier("privatized", "per-block"),
        { side: "above 1" },
        "the aim",
      ),
      mergeSkipsZeros("privatized", "`privatized`"),
    ),
    rule(
      "distributions",
      "One histogram per thread is slower than one per block on scattered data",
      WHERE,
      ratioSide({ series: "privatized", x: "uniform" }, { series: "per-block", x: "uniform" }),
      { side: "below 1" },
      "some performance given up",
    ),
  ],
  notes: [
    "`global` is measured on 64 MiB and the others on 1 GiB, because `global` is two orders of magnitude slower.",
  ],
};
