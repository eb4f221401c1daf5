import { limits } from "@polybin/core/backend";
import { ROW_SUMS, type RowSums } from "../../src/suites/row-sums.ts";
import { numbersOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import type { Figure, Point } from "../model.ts";
import { ratio, rule, trend } from "../readings/index.ts";

const [paper, id] = ["brown-snoeyink", "section-6.2"] as const;
const [K1, K31] = ["k = 1", "k = 31"] as const;
/** The suite that measures it. An older file of Figure 4 has numbers of blocks, too. */
const SUITE = "trish-variants";
const [WITH, WITHOUT] = ["with row sums", "without row sums"] as const;

function accumulation(measured: Measured): Point[] {
  const note = measured.note(SUITE, ROW_SUMS) as RowSums | undefined;
  return (note?.cells ?? []).map(({ k, rowSums, gbps }) => ({
    series: rowSums ? WITH : WITHOUT,
    x: `k = ${k}`,
    y: gbps,
  }));
}

function occupancy(measured: Measured): Point[] {
  return measured.rows("trish", SUITE).flatMap(({ variant, gbps }) => {
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
  command: "run bench trish-variants --gib 0.25",
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
      wanted: [1, 2, 3, 4, 6, 8, 10, 12].map((x) => ({ series: "TRISH", x })),
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
    rule(
      "occupancy",
      "Three blocks over one",
      "6.2",
      ratio({ series: "TRISH", x: 3 }, { series: "TRISH", x: 1 }),
    ),
  ],
  notes: [
    "Without row sums the counts are wrong, so only a program of the benchmarks has that kernel. It is the library's Count kernel without the sums between two loops. Its byte counters wrap around, and the program checks that every count is exact modulo 256.",
    "The paper measured k = 31 without row sums. It added the difference to the measured throughput of k = 1 to get 27.5 GB/s. Ours are both measured.",
    "The paper has one to three blocks of 16 KiB on 48 KiB of shared memory. On our device more blocks fit.",
  ],
};
