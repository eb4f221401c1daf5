import { claimOf, numbersOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import type { Point } from "../model.ts";
import { digits, value } from "../readings/index.ts";
import { documentsOf } from "./cpu.ts";
import { asInPaper, BINS, byBins, bytesFor, FIXED_POINT, integersOf, pointsOf } from "./rows.ts";

const [paper, id] = ["xu", "table-7"] as const;
const [HYBRID, CPU, MIX, AHEAD] = [
  "hybrid",
  "CPU, 1 thread",
  "real features",
  "collision-free over the better of the others",
] as const;

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

/** Throughput of all methods by bins. */
export function byBinsOfTable7(measured: Measured): Point[] {
  const rows = measured.sums("Table 7");
  return [...pointsOf(asInPaper(rows), byBins), ...integersOf(rows, byBins)];
}

/** Throughput of all features together. */
export function mix(measured: Measured): Point[] {
  const points = byBinsOfTable7(measured);
  const loop = documentsOf(measured);
  const gpu = (name: string) => (bins: number) => {
    const gbps = value(points, { series: name, x: bins });
    return gbps === null ? undefined : gbps / bytesFor(bins);
  };
  const all = {
    [HYBRID]: mixed(gpu(HYBRID)),
    [FIXED_POINT]: mixed(gpu(FIXED_POINT)),
    [CPU]: mixed((bins) => loop.get(bytesFor(bins))),
  };
  return Object.entries(all).flatMap(([series, y]) => (y === null ? [] : [{ series, x: MIX, y }]));
}

/** The collision-free method and the better of the other two, for each number of bins that has all three. */
export function freeAndOthers(measured: Measured): { bins: number; free: number; others: number }[] {
  const points = byBinsOfTable7(measured);
  return BINS.flatMap((bins) => {
    const [free, one, two] = ["collision-free", "collision", "collision-reduced"].map((series) =>
      value(points, { series, x: bins }),
    );
    return free == null || one == null || two == null ? [] : [{ bins, free, others: Math.max(one, two) }];
  });
}

/** The measured ratio of the collision-free method to the better of the other two. The hybrid's own limit plays no part. */
export function freeOverOthers(measured: Measured): Point[] {
  return freeAndOthers(measured).map(({ bins, free, others }) => ({
    series: AHEAD,
    x: bins,
    y: free / others,
  }));
}

/** Atomic additions became faster than plain ones. */
export function growth(measured: Measured): string | null {
  const ours = byBinsOfTable7(measured);
  const theirs = numbersOf(paper, id, "throughput");
  const [few, many] = [BINS[0]!, BINS.at(-1)!].map((bins) => {
    const [now, then] = [ours, theirs].map((points) => value(points, { series: HYBRID, x: bins }));
    return now == null || then == null ? null : now / then;
  });
  // Workers have no shared memory, and their numbers against a GPU's say nothing about atomics.
  if (measured.backend === "piscina" || few == null || many == null) return null;
  // Additions without atomics must have gained, too.
  if (many <= few || few < 1) return null;
  return `Shared atomics gained more than additions without them: at ${digits(BINS.at(-1)!)} bins the hybrid is ${digits(many)} times as fast as the paper's, and at ${BINS[0]} bins ${digits(few)} times.`;
}

/** How much each side of the comparison with a CPU gained. */
export function bothSides(measured: Measured): string | null {
  const sides = [mix(measured), numbersOf(paper, id, "mix")];
  const [gpu, cpu] = [HYBRID, CPU].map((series) => {
    const [now, then] = sides.map((points) => value(points, { series }));
    return now == null || then == null ? null : now / then;
  });
  if (gpu == null || cpu == null) return null;
  return `The GPU is ${digits(gpu)} times as fast as the paper's, and one thread of JavaScript ${digits(cpu)} times as fast as one of C++.`;
}
