import {
  atomicsAreInstructions,
  atomicsCombine,
  firstOf,
  kernelsDepend,
  linearConflicts,
  mergeSkipsZeros,
  moreWarps,
  sameFixedTime,
} from "../causes.ts";
import { claimOf, numbersOf } from "../data.ts";
import type { Figure, Panel } from "../model.ts";
import { because, order, ratio, ratiosSide, rule, steadiness, trend } from "../readings/index.ts";
import { byLength, THEIRS } from "./rows.ts";

const [paper, id] = ["brown-snoeyink", "figure-6"] as const;
/** The n for which the paper's text gives numbers. */
const N = 2 ** 26;
/** The largest n that counts as medium. The paper gives no number. */
const MEDIUM = 2 ** 24;
const LENGTHS = Array.from({ length: 16 }, (_, i) => 2 ** (13 + i));

/** The paper's data sets, and the names of ours. */
const DATA = { uniform: "uniform", linear: "ramp", zeros: "zeros" } as const;

const panels = Object.entries(DATA).map(
  ([data, distribution]): Panel => ({
    id: data,
    title: `Throughput by n, ${data === "zeros" ? "all zeros" : `${data} bytes`}`,
    mark: "line",
    x: { label: "n, bytes", scale: "log" },
    y: { label: "GB/s", scale: "log" },
    paper: numbersOf(paper, id, data),
    wanted: THEIRS.flatMap((series) => LENGTHS.map((x) => ({ series, x }))),
    ours: (measured) =>
      byLength(
        measured.rows("figure6").filter((row) => row.distribution === distribution),
        ({ n }) => n,
      ),
  }),
);
/** All data sets side by side at N, which shows the influence of the data. */
const together: Panel = {
  id: "data",
  title: "Throughput by data set, n = 67,108,864",
  mark: "bar",
  x: { label: "bytes", scale: "category" },
  y: { label: "GB/s", scale: "linear" },
  paper: Object.keys(DATA).flatMap((data) =>
    numbersOf(paper, id, data).map((number) => ({ ...number, x: data })),
  ),
  wanted: [],
  ours: (measured) =>
    panels.flatMap((panel) =>
      panel
        .ours(measured)
        .filter(({ x }) => x === N)
        .map((point) => ({ ...point, x: panel.id })),
    ),
};

const everywhere = (series: string) => Object.keys(DATA).map((x) => ({ series, x }));

export const figure6: Figure = {
  paper,
  id,
  title: "Figure 6: throughput by n and data set",
  source: "6.1 and Figure 6",
  lost: "the curves. The text gives n = 67,108,864",
  needs: "gpu",
  command: "run bench figure6",
  panels: [...panels, together],
  rules: [
    rule("uniform", "The three methods on uniform bytes", "6.1", order(THEIRS, N)),
    because(
      rule("linear", "The three methods on Podlozhnyuk's best case", "6.1", order(THEIRS, N)),
      linearConflicts,
    ),
    because(
      rule("zeros", "The three methods on Podlozhnyuk's worst case", "6.1", order(THEIRS, N)),
      atomicsCombine,
    ),
    because(
      rule(
        "uniform",
        "TRISH over Nugteren",
        "6.1",
        ratio({ series: "TRISH", x: N }, { series: "Nugteren", x: N }),
        claimOf(paper, id, "over Nugteren"),
      ),
      moreWarps,
    ),
    because(
      rule(
        "uniform",
        "TRISH over Podlozhnyuk",
        "6.1",
        ratio({ series: "TRISH", x: N }, { series: "Podlozhnyuk", x: N }),
        claimOf(paper, id, "over Podlozhnyuk"),
      ),
      atomicsAreInstructions,
    ),
    because(
      rule(
        "uniform",
        "Hardware atomics make Podlozhnyuk's method faster than its software tag",
        "4.2",
        ratio({ series: "Podlozhnyuk", x: N }, { series: "Podlozhnyuk, tag", x: N }),
        1 + claimOf(paper, id, "gain of atomics, %") / 100,
        "a 50% speedup",
      ),
      atomicsAreInstructions,
    ),
    because(
      rule(
        "data",
        "TRISH does not depend on the data",
        "6.1",
        steadiness(everywhere("TRISH"), "TRISH over the data sets"),
      ),
      firstOf(mergeSkipsZeros("trish", "TRISH"), kernelsDepend("trish", "TRISH")),
    ),
    because(
      rule(
        "data",
        "Nugteren's method does not depend on the data",
        "6.1",
        steadiness(everywhere("Nugteren"), "Nugteren over the data sets"),
      ),
      firstOf(
        mergeSkipsZeros("per-thread", "Nugteren's method"),
        kernelsDepend("per-thread", "Nugteren's method"),
      ),
    ),
    because(
      rule(
        "data",
        "Podlozhnyuk's method depends on the data",
        "6.1",
        steadiness(everywhere("Podlozhnyuk"), "Podlozhnyuk over the data sets"),
      ),
      atomicsCombine,
    ),
    because(
      rule(
        "data",
        "The linear data set is Podlozhnyuk's best case, over zeros",
        "6.1",
        ratio({ series: "Podlozhnyuk", x: "linear" }, { series: "Podlozhnyuk", x: "zeros" }),
      ),
      firstOf(linearConflicts, atomicsCombine),
    ),
    rule("uniform", "TRISH gets faster with n", "Figure 6", trend("TRISH"), "rises"),
    because(
      rule(
        "uniform",
        "k = 31 is faster than k = 63 for small to medium n",
        "5.4",
        ratiosSide("median", "TRISH", "TRISH, k = 63", { upTo: MEDIUM }),
        { side: "above 1" },
        "faster overall",
      ),
      sameFixedTime("trish k=31", "trish k=63", ["k = 31", "k = 63"]),
    ),
  ],
  notes: [
    "In the paper's linear data set, the bytes that a warp counts at once are different. Ours, `ramp`, repeats 0 to 255.",
    `The paper does not say how large a small or medium n is. Ours is up to ${MEDIUM.toLocaleString("en-US")} bytes.`,
    "The paper calls TRISH and Nugteren's method independent of the data, and gives one number for all data sets.",
  ],
};
