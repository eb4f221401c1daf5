import { atomicsCombine, type Counted } from "../causes.ts";
import { claimOf, numbersOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import type { Figure, Point } from "../model.ts";
import { because, below, level, orderOfPlaces, ratioWithin, rule, steadiness } from "../readings/index.ts";
import {
  AS_PUBLISHED,
  DATA,
  MERGE,
  mergePoints,
  mergeTimes,
  publishedOf,
  throughputOf,
} from "./published.ts";

const [paper, id] = ["podlozhnyuk", "histogram-256"] as const;
const WHERE = "Implementation of oclHistogram256";
const [PUBLISHED, TAG, ATOMIC] = [
  "tag, as published",
  "per-warp, tag (ours)",
  "per-warp, atomics (ours)",
] as const;
const SHARED = "shared memory";
const KILOBYTE = 1024;
/** Bytes of a work-group's histograms. */
const BYTES = claimOf(paper, id, "kilobytes of a block") * KILOBYTE;
/** The share of the merge that the paper gives for oclHistogram64. For this method it only says "a small fraction". */
const SMALL = claimOf(paper, "histogram-64", "merge below, %");
/** Brown & Snoeyink (4.1) give the range of this method's worst case. */
const range = {
  low: claimOf("brown-snoeyink", "figure-6", "worst case of the tag, least"),
  high: claimOf("brown-snoeyink", "figure-6", "worst case of the tag, most"),
};

function throughput(measured: Measured): Point[] {
  const published = publishedOf(measured, "histogram256")
    .filter(({ rounds }) => rounds === undefined)
    .map((line) => ({ series: PUBLISHED, x: DATA[line.distribution]!, y: throughputOf(line) }));
  const ours = measured
    .rows("podlozhnyuk")
    .filter(({ algorithm }) => algorithm === "per-warp")
    .map(({ variant, distribution, gbps }) => ({
      series: variant?.split(" ").includes("tag") ? TAG : ATOMIC,
      x: DATA[distribution]!,
      y: gbps,
    }));
  return [...published, ...ours];
}

function rounds(measured: Measured): Point[] {
  return publishedOf(measured, "histogram256").flatMap(({ rounds: y, distribution }) =>
    y === undefined ? [] : [{ series: PUBLISHED, x: DATA[distribution]!, y }],
  );
}

/** Bytes of shared memory of a block, as ncu reads them. */
function shared(measured: Measured): Point[] {
  const counted = (measured.note("podlozhnyuk", "Podlozhnyuk") ?? []) as readonly Counted[];
  const bytes = counted.find(({ algorithm }) => algorithm === "per-warp")?.terms["Shared Mem"]?.value;
  return bytes == null ? [] : [{ series: SHARED, x: "per-warp", y: bytes }];
}

/** Orders the data by rounds. */
const byRounds = orderOfPlaces(PUBLISHED);

export const histogram256: Figure = {
  paper,
  id,
  title: "oclHistogram256: the tag's rounds, best and worst case, and the merge",
  source: `${WHERE}; Brown & Snoeyink, 4.1`,
  lost: "all throughputs. The text gives the worst case in rounds",
  needs: "gpu",
  command: "run bench podlozhnyuk",
  panels: [
    {
      id: "rounds",
      title: "Rounds of the tag per sample",
      mark: "bar",
      x: { label: "bytes", scale: "category" },
      y: { label: "rounds", scale: "linear" },
      paper: numbersOf(paper, id, "rounds"),
      wanted: Object.values(DATA).map((x) => ({ series: PUBLISHED, x })),
      ours: rounds,
    },
    {
      id: "throughput",
      title: "Throughput of 67,108,864 bytes over 256 bins",
      mark: "bar",
      x: { label: "bytes", scale: "category" },
      y: { label: "GB/s", scale: "log" },
      paper: [],
      wanted: [PUBLISHED, TAG, ATOMIC].flatMap((series) => Object.values(DATA).map((x) => ({ series, x }))),
      ours: throughput,
    },
    {
      id: "merge",
      title: "Time of the merge, % of the time of counting",
      mark: "bar",
      x: { label: "", scale: "category" },
      y: { label: "%", scale: "linear" },
      paper: [],
      wanted: [AS_PUBLISHED, "per-warp (ours)"].map((x) => ({ series: MERGE, x })),
      ours: (measured) => mergePoints(measured, "histogram256", "per-warp"),
    },
    {
      id: "shared",
      title: "Shared memory of a work-group of 192",
      mark: "none",
      x: { label: "", scale: "category" },
      y: { label: "bytes", scale: "linear" },
      paper: [],
      wanted: [{ series: SHARED, x: "per-warp" }],
      ours: shared,
    },
  ],
  rules: [
    rule(
      "rounds",
      "Worst case: a warp with equal samples takes 32 rounds",
      WHERE,
      level({ series: PUBLISHED, x: "zeros" }, " rounds"),
    ),
    rule(
      "rounds",
      "Only samples that meet cost rounds: zeros, then uniform, then linear bytes",
      WHERE,
      byRounds,
      ["zeros", "uniform", "linear"],
      "serialises only colliding samples",
    ),
    rule(
      "throughput",
      "The worst case of the tag is 8 to 32 times as slow as its best case: linear bytes over zeros",
      "Brown & Snoeyink, 4.1",
      ratioWithin({ series: PUBLISHED, x: "linear" }, { series: PUBLISHED, x: "zeros" }),
      range,
    ),
    because(
      rule(
        "throughput",
        "Built-in atomics still serialise colliding samples: from uniform bytes to zeros",
        "Overview",
        steadiness(
          ["uniform", "zeros"].map((x) => ({ series: ATOMIC, x })),
          ATOMIC,
        ),
        0,
        "the hardware still has to serialize",
      ),
      atomicsCombine,
    ),
    because(
      rule(
        "merge",
        "The merge kernel takes a small part of the time",
        WHERE,
        below({ series: MERGE, x: AS_PUBLISHED }, SMALL, "%"),
        SMALL,
        "a small fraction, below",
      ),
      mergeTimes("histogram256"),
    ),
    rule("shared", "Shared memory of a work-group", "Overview", level({ series: SHARED }, " bytes"), BYTES),
  ],
  notes: [
    "The published tag relies on warps in lock-step. Since Volta it needs a barrier in each step, which ours have.",
    "The paper gives no share for this method's merge. The rule takes that of oclHistogram64.",
  ],
};
