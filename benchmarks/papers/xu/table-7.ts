import { claimOf, numbersOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import type { Figure, Point } from "../model.ts";
import { because, digits, lastAbove, ratio, rule, trend } from "../readings/index.ts";
import { CPU_NOTE, documentsOf } from "./cpu.ts";
import {
  asInPaper,
  BINS,
  byBins,
  FIXED_POINT,
  HYBRID_NOTE,
  integersOf,
  OUR_FEATURES,
  pointsOf,
} from "./rows.ts";

const [paper, id] = ["xu", "table-7"] as const;
const [HYBRID, CPU, MIX, AHEAD] = [
  "hybrid",
  "CPU, 1 thread (here: JavaScript)",
  "real features",
  "collision-free over the better of the others",
] as const;

/** Bytes per value by bins: the paper's Table 3. */
const bytesFor = (bins: number) => (bins <= 16 ? 0.5 : bins <= 256 ? 1 : 2);

/** Computes GB/s over the paper's mix of features: their bytes divided by the time that all kinds take together. */
function mixed(documents: (bins: number) => number | undefined): number | null {
  let [bytes, time] = [0, 0];
  for (const bins of BINS) {
    const share = claimOf(paper, id, `share of ${bins} bins, %`);
    const speed = documents(bins);
    if (speed === undefined) return null;
    bytes += share * bytesFor(bins);
    time += share / speed;
  }
  return bytes / time;
}

function throughput(measured: Measured): Point[] {
  const rows = measured.sums("Table 7");
  return [...pointsOf(asInPaper(rows), byBins), ...integersOf(rows, byBins)];
}

function mix(measured: Measured): Point[] {
  const points = throughput(measured);
  const loop = documentsOf(measured);
  const gpu = (name: string) => (bins: number) => {
    const gbps = points.find(({ series, x }) => series === name && x === bins)?.y;
    return gbps === undefined ? undefined : gbps / bytesFor(bins);
  };
  const all = {
    [HYBRID]: mixed(gpu(HYBRID)),
    [FIXED_POINT]: mixed(gpu(FIXED_POINT)),
    [CPU]: mixed((bins) => loop.get(bytesFor(bins))),
  };
  return Object.entries(all).flatMap(([series, y]) => (y === null ? [] : [{ series, x: MIX, y }]));
}

/** The measured ratio of the collision-free method to the better of the other two. The hybrid's own limit plays no part. */
function ahead(measured: Measured): Point[] {
  const points = throughput(measured);
  const at = (series: string, bins: number) =>
    points.find((point) => point.series === series && point.x === bins)?.y;
  return BINS.flatMap((bins) => {
    const [free, ...others] = ["collision-free", "collision", "collision-reduced"].map((name) =>
      at(name, bins),
    );
    return free === undefined || others.some((gbps) => gbps === undefined)
      ? []
      : [{ series: AHEAD, x: bins, y: free / Math.max(...(others as number[])) }];
  });
}

/** Atomic additions became faster than plain ones. */
function growth(measured: Measured): string | null {
  const ours = throughput(measured);
  const theirs = numbersOf(paper, id, "throughput");
  const [few, many] = [BINS[0]!, BINS.at(-1)!].map((bins) => {
    const [now, then] = [ours, theirs].map(
      (points) => points.find(({ series, x }) => series === HYBRID && x === bins)?.y,
    );
    return now === undefined || then === undefined ? null : now / then;
  });
  if (few == null || many == null || many <= few) return null;
  return `Shared atomics gained more than additions without them: at ${digits(BINS.at(-1)!)} bins the hybrid is ${digits(many)} times as fast as the paper's, and at ${BINS[0]} bins ${digits(few)} times.`;
}

/** How much each side of the comparison with a CPU gained. */
function bothSides(measured: Measured): string | null {
  const [gpu, cpu] = [HYBRID, CPU].map((name) => {
    const [now, then] = [mix(measured), numbersOf(paper, id, "mix")].map(
      (points) => points.find(({ series }) => series === name)?.y,
    );
    return now === undefined || then === undefined ? null : now / then;
  });
  if (gpu == null || cpu == null) return null;
  return `The GPU is ${digits(gpu)} times as fast as the paper's, and one thread of JavaScript ${digits(cpu)} times as fast as one of C++.`;
}

export const table7: Figure = {
  paper,
  id,
  title: "Table 7: the hybrid by bins, its choices, and all features together",
  source: "6.3 and Table 7",
  lost: null,
  needs: "gpu",
  command: "run bench weighted-paper",
  panels: [
    {
      id: "throughput",
      title: "Throughput by bins, 80% zeros",
      mark: "line",
      x: { label: "bins", scale: "log" },
      y: { label: "GB/s of values", scale: "log" },
      paper: numbersOf(paper, id, "throughput"),
      wanted: BINS.map((x) => ({ series: HYBRID, x })),
      ours: throughput,
    },
    {
      id: "method",
      title: "The collision-free method over the better of the other two",
      mark: "line",
      x: { label: "bins", scale: "log" },
      y: { label: "ratio", scale: "log" },
      paper: [],
      wanted: BINS.map((x) => ({ series: AHEAD, x })),
      ours: ahead,
    },
    {
      id: "mix",
      title: "All features, by the paper's shares of bins",
      mark: "bar",
      x: { label: "", scale: "category" },
      y: { label: "GB/s of values", scale: "log" },
      paper: numbersOf(paper, id, "mix"),
      wanted: [HYBRID, CPU].map((series) => ({ series, x: MIX })),
      ours: mix,
      command: "run bench papers-cpu --backend piscina",
      on: "gpu and cpu",
    },
  ],
  rules: [
    because(rule("throughput", "More bins are slower", "Table 7", trend(HYBRID)), growth),
    because(
      rule(
        "throughput",
        "2 bins over 1,024",
        "Table 7",
        ratio({ series: HYBRID, x: 2 }, { series: HYBRID, x: 1024 }),
      ),
      growth,
    ),
    because(
      rule(
        "throughput",
        "128 bins over 256, where the method changes",
        "Table 7",
        ratio({ series: HYBRID, x: 128 }, { series: HYBRID, x: 256 }),
      ),
      growth,
    ),
    rule(
      "method",
      "The largest number of bins at which the collision-free method is ahead",
      "6.3",
      lastAbove(AHEAD, 1),
      claimOf(paper, id, "collision-free up to"),
    ),
    because(
      rule(
        "mix",
        "The GPU over one thread of the CPU",
        "6.3",
        ratio({ series: HYBRID, x: MIX }, { series: CPU, x: MIX }),
        claimOf(paper, id, "over the CPU"),
      ),
      bothSides,
    ),
  ],
  notes: [
    OUR_FEATURES,
    HYBRID_NOTE,
    "Figure 7 compares the same numbers of the paper with other rows of ours. In this table the collision-free method unrolls as in the paper's Table 5, on 80% zeros. Figure 7 shows the best N_unroll for each number of bins, on uniform values or 80% zeros.",
    "The paper's last column says 1204 bins but means 1,024.",
    "The mix is computed from the throughputs and the paper's shares.",
    CPU_NOTE,
  ],
};
