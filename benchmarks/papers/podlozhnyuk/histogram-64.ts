import { claimOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import type { Figure, Point } from "../model.ts";
import { because, below, digits, none, ratioSide, rule } from "../readings/index.ts";
import {
  AS_PUBLISHED,
  conflictsOf,
  DATA,
  MERGE,
  mergePoints,
  mergeTimes,
  publishedOf,
  throughputOf,
} from "./published.ts";

const [paper, id] = ["podlozhnyuk", "histogram-64"] as const;
const WHERE = "Implementation of oclHistogram64";
const claim = (name: string) => claimOf(paper, id, name);
const [PLAIN, SWIZZLE, EQUAL, TODAY] = [
  "no swizzle",
  "swizzle",
  "swizzle, equal starts",
  "swizzle for 32 banks",
] as const;
const VARIANTS = [PLAIN, SWIZZLE, EQUAL, TODAY];
const SLUG = "per-thread-64";

function throughput(measured: Measured): Point[] {
  const published = publishedOf(measured, "histogram64").map((line) => ({
    series: line.variant,
    x: DATA[line.distribution]!,
    y: throughputOf(line),
  }));
  const ours = measured
    .rows("podlozhnyuk")
    .filter(({ algorithm }) => algorithm === SLUG)
    .map(({ distribution, gbps }) => ({ series: `${SLUG} (ours)`, x: DATA[distribution]!, y: gbps }));
  return [...published, ...ours];
}

function conflicts(measured: Measured): Point[] {
  return publishedOf(measured, "histogram64").flatMap((line) => {
    const y = conflictsOf(line);
    return y === null ? [] : [{ series: line.variant, x: DATA[line.distribution]!, y }];
  });
}

/** The swizzle was made for 16 banks: the same idea for 32 banks leaves no conflicts. */
function banks(measured: Measured): string | null {
  const of = (variant: string) =>
    conflicts(measured).find(({ series, x }) => series === variant && x === "uniform")?.y;
  const [paper16, today] = [of(SWIZZLE), of(TODAY)];
  if (paper16 === undefined || today === undefined || today >= paper16 / 2) return null;
  return `The swizzle separates 16 threads and 16 banks, but a warp now has 32. It leaves ${digits(paper16)} conflicts per access, and the same idea for 32 banks ${digits(today)}.`;
}

export const histogram64: Figure = {
  paper,
  id,
  title: "oclHistogram64: the swizzle, shifted starts and the merge",
  source: WHERE,
  lost: "all throughputs. The text gives conflicts and the share of the merge",
  needs: "gpu",
  command: "run bench podlozhnyuk",
  panels: [
    {
      id: "throughput",
      title: "Throughput of 67,108,864 bytes over 64 bins",
      mark: "bar",
      x: { label: "bytes", scale: "category" },
      y: { label: "GB/s", scale: "linear" },
      paper: [],
      wanted: [...VARIANTS, `${SLUG} (ours)`].flatMap((series) =>
        Object.values(DATA).map((x) => ({ series, x })),
      ),
      ours: throughput,
    },
    {
      id: "conflicts",
      title: "Bank conflicts: extra trips to shared memory per access",
      mark: "bar",
      x: { label: "bytes", scale: "category" },
      y: { label: "extra trips", scale: "linear" },
      paper: [],
      wanted: VARIANTS.flatMap((series) => Object.values(DATA).map((x) => ({ series, x }))),
      ours: conflicts,
    },
    {
      id: "merge",
      title: "Time of the merge, % of the time of counting",
      mark: "bar",
      x: { label: "", scale: "category" },
      y: { label: "%", scale: "linear" },
      paper: [],
      wanted: [AS_PUBLISHED, `${SLUG} (ours)`].map((x) => ({ series: MERGE, x })),
      ours: (measured) => mergePoints(measured, "histogram64", SLUG),
    },
  ],
  rules: [
    rule(
      "conflicts",
      `Without the swizzle, ${claim("ways without the swizzle")} threads share a bank: conflicts over those with it`,
      WHERE,
      ratioSide({ series: PLAIN, x: "uniform" }, { series: SWIZZLE, x: "uniform" }),
      { side: "above 1" },
      "4-way bank conflicts",
    ),
    because(
      rule(
        "conflicts",
        "The swizzle eliminates bank conflicts completely",
        WHERE,
        none({ series: SWIZZLE, x: "uniform" }),
        0,
        "completely eliminating",
      ),
      banks,
    ),
    rule(
      "throughput",
      "The swizzle is faster",
      WHERE,
      ratioSide({ series: SWIZZLE, x: "uniform" }, { series: PLAIN, x: "uniform" }),
      { side: "above 1" },
      "for best performance",
    ),
    rule(
      "throughput",
      `Shifted starts avoid ${claim("ways without shifted starts")}-way conflicts of the summation, so they are faster`,
      WHERE,
      ratioSide({ series: SWIZZLE, x: "uniform" }, { series: EQUAL, x: "uniform" }),
      { side: "above 1" },
      "completely avoid",
    ),
    because(
      rule(
        "merge",
        "The merge kernel takes a small part of the main kernel's time",
        WHERE,
        below({ series: MERGE, x: AS_PUBLISHED }, claim("merge below, %"), "%"),
        claim("merge below, %"),
        "below",
      ),
      mergeTimes("histogram64"),
    ),
  ],
  notes: [
    "The kernels as published are programs of the benchmark, with work-groups of 192. Only the swizzle for 32 banks has 128, because its rows must be whole numbers of 32 words. All of them give exact counts.",
    `A work-group counts at most ${claim("bytes of a block").toLocaleString("en-US")} bytes, in the paper and in ours.`,
  ],
};
