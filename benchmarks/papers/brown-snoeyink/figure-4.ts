import { limits } from "@polybin/core/backend";
import { claimOf, numbersOf } from "../data.ts";
import type { Figure } from "../model.ts";
import { before, best, follows, ratio, rule, trend } from "../readings/index.ts";
import { kOf } from "./rows.ts";

const [paper, id] = ["brown-snoeyink", "figure-4"] as const;
const KS = Array.from({ length: limits.TRISH_WORDS }, (_, i) => i + 1);
/** Every k that sums rows only when it must, so that only loop overhead differs. */
const FULL = KS.filter((k) => limits.rowSumEfficiency(k) === 1);
const x = { label: "k", scale: "linear" } as const;
const wanted = KS.map((k) => ({ series: "TRISH", x: k }));
const upTo = claimOf(paper, id, "worst up to");

export const figure4: Figure = {
  paper,
  id,
  title: "Figure 4: throughput and RowSum efficiency by k",
  source: "5.4 and Figure 4",
  lost: "the curves. The text gives k = 1, 31, 32 and 63, and the formula of the efficiency",
  needs: "gpu",
  command: "run bench trish --gib 0.25",
  panels: [
    {
      id: "throughput",
      title: "Throughput, uniform bytes",
      mark: "line",
      x,
      y: { label: "GB/s", scale: "linear" },
      paper: numbersOf(paper, id, "throughput"),
      wanted,
      ours: (measured) =>
        measured
          .rows("trish")
          .filter(({ distribution }) => distribution === "uniform")
          .flatMap((row) => {
            const k = kOf(row);
            return k === null ? [] : [{ series: "TRISH", x: k, y: row.gbps }];
          }),
    },
    {
      id: "efficiency",
      title: "RowSum efficiency",
      mark: "line",
      x,
      y: { label: "words between row sums / 63", scale: "linear" },
      paper: numbersOf(paper, id, "efficiency"),
      wanted: [],
      on: "formula",
      ours: () => KS.map((k) => ({ series: "TRISH", x: k, y: limits.rowSumEfficiency(k) })),
    },
  ],
  rules: [
    rule("throughput", "The fastest k", "5.4", best("TRISH")),
    rule(
      "throughput",
      "k = 31 is faster than k = 32, which sums rows twice as often",
      "5.4",
      ratio({ series: "TRISH", x: 31 }, { series: "TRISH", x: 32 }),
    ),
    rule(
      "throughput",
      "Unrolling is worthwhile: k = 31 over k = 1",
      "5.4",
      ratio({ series: "TRISH", x: 31 }, { series: "TRISH", x: 1 }),
    ),
    rule(
      "throughput",
      `k up to ${upTo} is worst: below the mean of the rest`,
      "5.4",
      before("TRISH", upTo),
      { side: "below 1" },
      "worst",
    ),
    rule(
      "throughput",
      "At higher k throughput follows RowSum efficiency",
      "5.4",
      follows("TRISH", limits.rowSumEfficiency, "RowSum efficiency", upTo + 1),
      1,
      "strong",
    ),
    rule(
      "throughput",
      "A larger k reduces loop overhead, at full RowSum efficiency",
      "5.4",
      trend("TRISH", FULL),
      "rises",
    ),
  ],
  notes: [
    "The paper does not state n for this figure. The command measures its largest one, 268,435,456 bytes.",
    "RowSum efficiency follows from the paper's formula and measures nothing, so no statement about it is judged.",
    "Figure 4's caption says that k = 22 and 31 have the lowest efficiency, and that 7 is one of the best. By the paper's own formula k = 32 has the lowest efficiency, and 7 divides 63, too.",
  ],
};
