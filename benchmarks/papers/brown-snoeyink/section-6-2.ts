import { limits } from "@polybin/core/backend";
import type { Degraded } from "../../src/suites/degraded.ts";
import { numbersOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import type { Figure, Point } from "../model.ts";
import { ratio, rule, trend } from "../readings/index.ts";

const [paper, id] = ["brown-snoeyink", "section-6.2"] as const;
const NOTE = "degraded self-comparison (6.2), uniform";
const [K1, K31] = ["k = 1", "k = 31"] as const;
const [WITH, WITHOUT] = ["with row sums", "without row sums"] as const;

function accumulation(measured: Measured): Point[] {
  const note = measured.note("trish", NOTE) as Degraded | undefined;
  if (note === undefined) return [];
  return [
    { series: WITH, x: K1, y: note.measured.k1 },
    { series: WITH, x: K31, y: note.measured.k31 },
    { series: WITHOUT, x: K1, y: note.withoutAccumulation.k1 },
    { series: WITHOUT, x: K31, y: note.withoutAccumulation.k31 },
  ];
}

function occupancy(measured: Measured): Point[] {
  return measured.rows("trish").flatMap(({ variant, gbps }) => {
    const blocks = /^k=31, (\d+) blocks a multiprocessor$/.exec(variant ?? "")?.[1];
    return blocks === undefined ? [] : [{ series: "TRISH", x: Number(blocks), y: gbps }];
  });
}

export const section62: Figure = {
  paper,
  id,
  title: "Section 6.2: the gain from accumulation, unrolling and occupancy",
  source: "6.2",
  lost: null,
  needs: "gpu",
  command: "run bench trish --gib 0.25",
  panels: [
    {
      id: "accumulation",
      title: "Row sums and unrolling",
      mark: "bar",
      x: { label: "words per loop", scale: "category" },
      y: { label: "GB/s", scale: "linear" },
      paper: numbersOf(paper, id, "accumulation"),
      wanted: [WITH, WITHOUT].flatMap((series) => [K1, K31].map((x) => ({ series, x }))),
      ours: accumulation,
    },
    {
      id: "occupancy",
      title: `Blocks per multiprocessor, k = ${limits.TRISH_K}`,
      mark: "line",
      x: { label: "blocks", scale: "linear" },
      y: { label: "GB/s", scale: "linear" },
      paper: numbersOf(paper, id, "occupancy"),
      wanted: [1, 2, 4, 6, 8, 10, 12].map((x) => ({ series: "TRISH", x })),
      ours: occupancy,
    },
  ],
  rules: [
    rule(
      "accumulation",
      "Without row sums TRISH is faster",
      "6.2",
      ratio({ series: WITHOUT, x: K31 }, { series: WITH, x: K31 }),
    ),
    rule(
      "accumulation",
      "Unrolling is faster, without row sums",
      "6.2",
      ratio({ series: WITHOUT, x: K31 }, { series: WITHOUT, x: K1 }),
    ),
    rule("occupancy", "More blocks are faster", "6.2", trend("TRISH")),
    rule(
      "occupancy",
      "Two blocks over one",
      "6.2",
      ratio({ series: "TRISH", x: 2 }, { series: "TRISH", x: 1 }),
    ),
  ],
  notes: [
    "The paper switched row sums off, which gives wrong counts. Ours is an estimate from k = 31 and k = 32. Both do the same work between two row sums, and sum rows every 62 and every 32 words.",
    "The paper has one to three blocks of 16 KiB on 48 KiB of shared memory. Ours has one block, and every even number of blocks that fits. Three blocks are not measured.",
  ],
};
