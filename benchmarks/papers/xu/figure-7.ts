import { claimOf, numbersOf } from "../data.ts";
import type { Figure } from "../model.ts";
import { readOf } from "../page/hardware.ts";
import { because, level, ratio, ratiosSide, rule, trend } from "../readings/index.ts";
import { notMemory } from "./causes.ts";
import { COUNTERS_COMMAND, countersOf, memoryOf } from "./counters.ts";
import { asInPaper, byBins, pointsOf } from "./rows.ts";

const [paper, id] = ["xu", "figure-7"] as const;
const series = "collision-free";
const [WORDS, VALUES] = ["words", "single values"] as const;
const SHARE = "achieved memory throughput";
const bins = [2, 4, 8, 16, 32, 64, 128];

export const figure7: Figure = {
  paper,
  id,
  title: "Figure 7: the collision-free method by bins",
  source: "6.1.2 and Figure 7, with the numbers of Table 7",
  lost: "the achieved memory throughput, except for its end",
  needs: "gpu",
  command: "run bench weighted-paper",
  panels: [
    {
      id: "throughput",
      title: "Throughput by bins",
      mark: "line",
      x: { label: "bins", scale: "log" },
      y: { label: "GB/s of values", scale: "linear" },
      paper: numbersOf(paper, id, "throughput"),
      wanted: bins.map((x) => ({ series, x })),
      // The best for each number of bins, since Table 5 varies N_unroll.
      ours: (measured) => {
        const rows = [...measured.sums("Figure 7"), ...measured.sums("Table 5")];
        const shown = asInPaper(
          rows.filter(({ algorithm, weighted }) => algorithm === "weighted-collision-free" && !weighted.skip),
        );
        const own = rows.filter(({ algorithm }) => algorithm === "weighted-fixed-point");
        return [...pointsOf(shown, byBins), ...pointsOf(own, byBins)].toSorted((a, b) => a.y - b.y);
      },
    },
    {
      id: "memory",
      title: "Achieved memory throughput, % of a plain read",
      mark: "line",
      x: { label: "bins", scale: "log" },
      y: { label: "%", scale: "linear" },
      paper: [],
      wanted: bins.map((x) => ({ series: SHARE, x })),
      command: COUNTERS_COMMAND,
      ours: (measured) => {
        const read = readOf(measured);
        return countersOf(measured, "Table 5").flatMap((one) => {
          const gbps = memoryOf(one);
          return gbps === null || read === null
            ? []
            : [{ series: SHARE, x: one.bins, y: (gbps / read) * 100 }];
        });
      },
    },
    {
      id: "fetch",
      title: "Words and single values, uniform values",
      mark: "line",
      x: { label: "bins", scale: "log" },
      y: { label: "GB/s of values", scale: "linear" },
      paper: [],
      wanted: [WORDS, VALUES].flatMap((name) => bins.map((x) => ({ series: name, x }))),
      command: "run bench weighted-fetch",
      ours: (measured) =>
        measured.rows("weighted-fetch").flatMap(({ algorithm, bins: x, gbps, weighted }) => {
          const is =
            algorithm === "weighted-collision-free" && bins.includes(x) && weighted?.precision === "fast";
          return is && weighted.fetch !== undefined
            ? [{ series: weighted.fetch === "word" ? WORDS : VALUES, x, y: gbps }]
            : [];
        }),
    },
  ],
  rules: [
    rule(
      "fetch",
      "Fetching words maximises the bandwidth: the median ratio of words to single values",
      "4.1",
      ratiosSide("median", WORDS, VALUES),
      { side: "above 1" },
      "to maximize",
    ),
    because(
      rule(
        "memory",
        "With few bins the achieved memory throughput is that of a plain copy, in % of it",
        "6.1.2",
        level({ series: SHARE, x: 2 }, "%"),
        (claimOf(paper, id, "memory throughput") / claimOf(paper, id, "a plain copy")) * 100,
      ),
      notMemory,
    ),
    because(rule("throughput", "More bins are slower", "6.1.2", trend(series)), notMemory),
    because(
      rule("throughput", "2 bins over 128", "Table 7", ratio({ series, x: 2 }, { series, x: 128 })),
      notMemory,
    ),
    because(
      rule("throughput", "2 bins over 16", "Table 7", ratio({ series, x: 2 }, { series, x: 16 })),
      notMemory,
    ),
    rule("throughput", "64 bins over 128", "Table 7", ratio({ series, x: 64 }, { series, x: 128 })),
  ],
  notes: [
    "Table 7 compares the same numbers of the paper with other rows of ours. This figure shows the best N_unroll for each number of bins, with floats, on uniform values or 80% zeros, whichever is faster. Table 7 shows the paper's N_unroll of Table 5, with integers, on 80% zeros.",
    "The achieved memory throughput comes from a profiler, in the paper and in ours. It counts all bytes between memory and caches. The throughput in the first panel only counts the bytes of the values.",
  ],
};
