import { type Counted, countersOf, total } from "../causes.ts";
import type { Measured } from "../measured.ts";
import type { Figure } from "../model.ts";
import { because, digits, ratioSide, rule } from "../readings/index.ts";

const WHERE = "Layout Considerations";
/** Figures 4, 5 and 6. */
const LAYOUTS = ["row", "column", "interleaved"];
const MERGES = ["periodic", "avoid", "check-shared", "check-global"];

/** Returns the counters of one way to merge and one layout, on uniform bytes. */
function countedOf(measured: Measured, merge: string, layout: string): Counted | undefined {
  return countersOf(measured, "handbook", "Handbook").find(
    (row) => row.merge === merge && row.layout === layout && row.distribution === "uniform",
  );
}

/** Instructions and conflicts of the interleaved layout and of another one. */
function sameWork(layout: string): (measured: Measured) => string | null {
  return (measured) => {
    const [own, other] = ["interleaved", layout].map((one) => {
      const row = countedOf(measured, "periodic", one);
      if (row === undefined) return null;
      const [instructions, conflicts] = [total(row, "Ins/Byte"), total(row, "Bank Conflicts")];
      return instructions === null || conflicts === null
        ? null
        : { instructions, conflicts: conflicts / (row.n / THREADS) };
    });
    if (!own || !other) return null;
    const text = ({ instructions, conflicts }: typeof own) =>
      `${digits(instructions)} instructions per byte and ${digits(conflicts)} bank conflicts per 32 bytes`;
    return `8-bit accesses are no longer slow: interleaved words take ${text(own)}, and a ${layout} of bytes ${text(other)} (ncu).`;
  };
}

/** Threads of a warp, which count one byte each at a time. */
const THREADS = 32;

/** Instructions of periodic merging and of avoiding overflow. */
function sameMerges(measured: Measured): string | null {
  const [periodic, avoid] = ["periodic", "avoid"].map((merge) => {
    const row = countedOf(measured, merge, "interleaved");
    return row === undefined ? null : total(row, "Ins/Byte");
  });
  if (periodic == null || avoid == null) return null;
  return `Both ways merge equally often, because any byte could be in one bin: periodic merging takes ${digits(periodic)} instructions per byte, and more blocks ${digits(avoid)} (ncu).`;
}

/** Bytes for which both merges of the blocks are compared. */
const N = 2 ** 28;

/** Periodic merging adds all counts to global memory each time, with atomics. */
function mergesByAtomics(measured: Measured): string | null {
  const [atomic, tables] = ["atomic", "tables"].map(
    (way) =>
      measured
        .rows("reduce")
        .find(
          ({ algorithm, variant, distribution, n }) =>
            algorithm === "privatized" &&
            variant === `reduce=${way}` &&
            distribution === "uniform" &&
            n === N,
        )?.gbps,
  );
  if (!atomic || !tables || tables < 1.5 * atomic) return null;
  return `Periodic merging adds 256 counts to global memory each time. Uniform bytes spill seldom. With a table of its own for each block instead of atomics, periodic merging reaches ${digits(tables)} GB/s instead of ${digits(atomic)}.`;
}

export const layouts: Figure = {
  paper: "cuda-handbook",
  id: "layouts",
  title: "Figures 4 to 6 and Listing 8: layouts and merges of privatized histograms",
  source: `${WHERE}; Managing Overflow`,
  lost: "all numbers. The text only says which is faster",
  needs: "gpu",
  command: "run bench algorithms",
  panels: ["uniform", "zeros"].map((distribution) => ({
    id: distribution,
    title: `Throughput by layout, ${distribution === "zeros" ? "all zeros" : "uniform bytes"}`,
    mark: "bar",
    x: { label: "layout", scale: "category" },
    y: { label: "GB/s", scale: "linear" },
    paper: [],
    wanted: MERGES.flatMap((series) => LAYOUTS.map((x) => ({ series, x }))),
    ours: (measured) =>
      measured.rows("algorithms").flatMap((row) => {
        const [series, x] = row.variant?.split(" ") ?? [];
        const is = row.algorithm === "privatized" && row.distribution === distribution;
        return is && series !== undefined && x !== undefined ? [{ series, x, y: row.gbps }] : [];
      }),
  })),
  rules: [
    ...["row", "column"].map((layout) =>
      because(
        rule(
          "uniform",
          `Interleaved bytes in words (Figure 6) are faster than a ${layout} of bytes`,
          WHERE,
          ratioSide({ series: "periodic", x: "interleaved" }, { series: "periodic", x: layout }),
          { side: "above 1" },
          "faster",
        ),
        sameWork(layout),
      ),
    ),
    rule(
      "zeros",
      "Neighbouring words separate degenerate data: interleaved over a row of bytes",
      WHERE,
      ratioSide({ series: "periodic", x: "interleaved" }, { series: "periodic", x: "row" }),
      { side: "above 1" },
      "faster",
    ),
    because(
      rule(
        "uniform",
        "Periodic merging is faster than launching enough blocks to avoid overflow",
        "Managing Overflow",
        ratioSide({ series: "periodic", x: "interleaved" }, { series: "avoid", x: "interleaved" }),
        { side: "above 1" },
        "measurably faster",
      ),
      sameMerges,
    ),
    ...(["shared", "global"] as const).map((to) =>
      because(
        rule(
          "uniform",
          `Checking every increment for overflow is slower than periodic merging (atomics into ${to} memory)`,
          "Managing Overflow",
          ratioSide({ series: `check-${to}`, x: "interleaved" }, { series: "periodic", x: "interleaved" }),
          { side: "below 1" },
          "too slow",
        ),
        mergesByAtomics,
      ),
    ),
  ],
  notes: [],
};
