import { median } from "../../src/runner/statistics.ts";
import { type Counted, countersOf, total } from "../causes.ts";
import type { Measured } from "../measured.ts";
import { digits } from "../readings/index.ts";

/** Uniform bytes meet on few cache lines, too: more bins make global atomics faster. */
export function fewLines(measured: Measured): string | null {
  const rows = measured
    .rows("handbook")
    .filter(({ algorithm, distribution }) => algorithm === "global" && distribution === "uniform")
    .toSorted((a, b) => a.bins - b.bins);
  const [few, many] = [rows[0], rows.at(-1)];
  const each = ({ gbps, type }: NonNullable<typeof few>) => gbps / (type === "u16" ? 2 : 1);
  if (few === undefined || many === undefined || each(many) < 2 * each(few)) return null;
  return `Uniform bytes meet in few cache lines, too: uniform values of ${few.bins} bins reach ${digits(each(few))} x 10^9 additions per second, and those of ${digits(many.bins)} bins ${digits(each(many))} x 10^9.`;
}

/** The time that forking and joining takes of a call with the most threads. */
export function forking(measured: Measured): string | null {
  const rows = measured
    .cpu("papers-cpu")
    .filter(({ algorithm }) => algorithm === "multithreaded")
    .toSorted((a, b) => a.n - b.n || a.threads! - b.threads!);
  const last = rows.at(-1);
  const small = rows.find(({ n, threads }) => n < (last?.n ?? 0) && threads === last?.threads);
  if (last === undefined || small === undefined) return null;
  const [all, fork] = [last, small].map(({ ms }) => median(ms));
  return `With ${last.threads} threads, a call over ${digits(last.n)} bytes takes ${digits(all!)} ms, and a call over ${digits(small.n)} bytes ${digits(fork!)} ms, which is the cost of fork and join.`;
}

/** Returns the counters of one way to merge and one layout, on uniform bytes. */
function countedOf(measured: Measured, merge: string, layout: string): Counted | undefined {
  return countersOf(measured, "handbook", "Handbook").find(
    (row) => row.merge === merge && row.layout === layout && row.distribution === "uniform",
  );
}

/** Instructions and conflicts of the interleaved layout and of another one. */
export function sameWork(measured: Measured, layout: string): string | null {
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
}

/** Threads of a warp, which count one byte each at a time. */
const THREADS = 32;

/** Bytes for which both merges of the blocks are compared. */
const N = 2 ** 28;

/** Periodic merging adds all counts to global memory each time, with atomics. */
export function mergesByAtomics(measured: Measured): string | null {
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
