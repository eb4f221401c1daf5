import { limits } from "@polybin/core/backend";
import { numbersOf } from "../data.ts";
import type { Figure } from "../model.ts";
import { ratio, rule } from "../readings/index.ts";

const [paper, id] = ["brown-snoeyink", "section-5.3"] as const;
const [PAIRS, SINGLETONS] = ["pairs", "singletons"] as const;
/** The k of the paper's program. The section names none. */
const K = `k = ${limits.TRISH_K}`;
const KS = [1, limits.TRISH_K, limits.TRISH_WORDS];

export const section53: Figure = {
  paper,
  id,
  title: "Section 5.3: row sums of pairs and of single bytes",
  source: "5.3",
  lost: null,
  needs: "gpu",
  command: "run bench trish-variants --gib 0.25",
  panels: [
    {
      id: "row sums",
      title: "Throughput by the addends of row sums, uniform bytes",
      mark: "bar",
      x: { label: "words per loop", scale: "category" },
      y: { label: "GB/s", scale: "linear" },
      paper: numbersOf(paper, id, "row sums"),
      wanted: [PAIRS, SINGLETONS].flatMap((series) => KS.map((k) => ({ series, x: `k = ${k}` }))),
      ours: (measured) =>
        measured.rows("trish-variants").flatMap(({ variant, gbps }) => {
          const [, k, series] = /^k=(\d+) (pairs|singletons)$/.exec(variant ?? "") ?? [];
          return series === undefined ? [] : [{ series, x: `k = ${k}`, y: gbps }];
        }),
    },
  ],
  rules: [
    rule(
      "row sums",
      "Pairs are faster than single bytes",
      "5.3",
      ratio({ series: PAIRS, x: K }, { series: SINGLETONS, x: K }),
    ),
  ],
  notes: [
    "The section does not name k. The paper's comparison is shown at k = 31, which its program has.",
    "Only row sums differ. Both kernels compute the addresses of two bytes at a time, for which the paper gives no number.",
  ],
};
