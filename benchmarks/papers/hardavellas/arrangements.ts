import { atomicsCombine, type Counted, total } from "../causes.ts";
import { claimOf, numbersOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import type { Figure, Point } from "../model.ts";
import { because, ratio, ratioSide, rule, steadiness } from "../readings/index.ts";

const [paper, id] = ["hardavellas", "arrangements"] as const;
const [LAB, DISCUSSION] = ["This leads us to the Histogram Lab", "Discussion"] as const;
/** The slides' arrangements, and ours. */
const NAMES: Readonly<Record<string, string>> = {
  "per-thread": "per thread",
  "per-block": "per block",
  "bank-owned": "per bank",
  "per-lane": "per-lane (ours)",
};
const THEIRS = ["per thread", "per block", "per bank"];
const DATA = ["uniform", "zeros", "ramp", "picture"];
const THREADS = "resident threads";
/** Warps per multiprocessor of compute capability 9.0, and threads of a warp. */
const [MOST_WARPS, WARP] = [64, 32] as const;

const counted = (measured: Measured): readonly Counted[] =>
  (measured.note("hardavellas", "Hardavellas") ?? []) as readonly Counted[];

/** Rows of the side-by-side run, or, until it has run, of the run of all algorithms. */
function throughput(measured: Measured): Point[] {
  const own = measured.rows("hardavellas");
  return (own.length > 0 ? own : measured.rows("algorithms")).flatMap(
    ({ algorithm, variant, distribution, gbps }) => {
      const series = NAMES[algorithm!];
      return series === undefined || variant !== undefined || !DATA.includes(distribution)
        ? []
        : [{ series, x: distribution, y: gbps }];
    },
  );
}

/** Warp instructions x 32 per byte, over all kernels, on uniform bytes. */
function instructions(measured: Measured): Point[] {
  return counted(measured)
    .filter(({ distribution }) => distribution === "uniform")
    .flatMap((row) => {
      const y = total(row, "Ins/Byte");
      return y === null ? [] : [{ series: NAMES[row.algorithm]!, x: "instructions per byte", y }];
    });
}

function threads(measured: Measured): Point[] {
  return counted(measured)
    .filter(({ distribution }) => distribution === "uniform")
    .flatMap(({ algorithm, terms }) => {
      const share = terms["Occupancy, at most %"]?.value;
      return share == null
        ? []
        : [{ series: NAMES[algorithm]!, x: THREADS, y: Math.round((share / 100) * MOST_WARPS) * WARP }];
    });
}

export const arrangements: Figure = {
  paper,
  id,
  title: "One histogram per thread, per block, or per bank",
  source: `Sub-Histograms; ${DISCUSSION}; ${LAB}`,
  lost: "any measurement. The slides ask which balance is right",
  needs: "gpu",
  command: "run bench hardavellas",
  panels: [
    {
      id: "throughput",
      title: "Throughput by distribution",
      mark: "bar",
      x: { label: "bytes", scale: "category" },
      y: { label: "GB/s", scale: "log" },
      paper: [],
      wanted: THEIRS.flatMap((series) => DATA.map((x) => ({ series, x }))),
      ours: throughput,
    },
    {
      id: "threads",
      title: "Resident threads per multiprocessor",
      mark: "bar",
      x: { label: "", scale: "category" },
      y: { label: "threads", scale: "linear" },
      paper: numbersOf(paper, id, "threads"),
      wanted: THEIRS.map((series) => ({ series, x: THREADS })),
      ours: threads,
    },
    {
      id: "instructions",
      title: "Instructions per byte",
      mark: "bar",
      x: { label: "", scale: "category" },
      y: { label: "instructions", scale: "log" },
      paper: [],
      wanted: THEIRS.map((series) => ({ series, x: "instructions per byte" })),
      ours: instructions,
    },
  ],
  rules: [
    rule(
      "throughput",
      "One histogram per thread is free of conflicts: it does not depend on the data",
      LAB,
      steadiness(
        ["uniform", "zeros"].map((x) => ({ series: "per thread", x })),
        "per thread",
      ),
      1,
      "conflict free",
    ),
    because(
      rule(
        "throughput",
        `One histogram per block meets in ${claimOf(paper, id, "ways of conflicts")}-way conflicts: zeros over uniform bytes`,
        DISCUSSION,
        ratioSide({ series: "per block", x: "zeros" }, { series: "per block", x: "uniform" }),
        { side: "below 1" },
        "possible and likely",
      ),
      atomicsCombine,
    ),
    rule(
      "throughput",
      "One part of the histogram per bank has no conflicts: it does not depend on the data",
      LAB,
      steadiness(
        ["uniform", "zeros"].map((x) => ({ series: "per bank", x })),
        "per bank",
      ),
      1,
      "no conflicts",
    ),
    rule(
      "threads",
      "One histogram per thread has a low occupancy: threads over those of one per block",
      LAB,
      ratioSide({ series: "per thread", x: THREADS }, { series: "per block", x: THREADS }),
      { side: "below 1" },
      "too few threads and blocks",
    ),
    rule(
      "instructions",
      "One part per bank must read the input 32 times: instructions over one histogram per block",
      LAB,
      ratio(
        { series: "per bank", x: "instructions per byte" },
        { series: "per block", x: "instructions per byte" },
      ),
      claimOf(paper, id, "reads of the input"),
    ),
  ],
  notes: [
    "The slides leave their question open: atomics or privatization, conflicts or divergence, low occupancy or conflicts, one read of the input or 32. The first panel answers it for this device.",
    "The slides' histogram per thread counts in 32 bits, so one warp fills 32 KiB. Ours is Nugteren's, with two counters of 16 bits per word.",
  ],
};
