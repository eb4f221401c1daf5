import type { Row } from "../src/runner/row.ts";
import { median } from "../src/runner/statistics.ts";
import type { Terms } from "../src/suites/table1-terms.ts";
import type { Measured } from "./measured.ts";
import { digits, side } from "./readings/index.ts";

/** One launch of a kernel under ncu. */
export interface Launch {
  readonly kernel: string;
  readonly terms: Terms;
}

/** One row of a suite that runs ncu: a cell, its longest kernel, and the others. */
export interface Counted extends Launch {
  readonly algorithm: string;
  readonly k?: number;
  readonly collisions?: string;
  readonly merge?: string;
  readonly layout?: string;
  readonly distribution: string;
  readonly n: number;
  readonly others: readonly Launch[];
}

/** Returns what ncu counted for Table 1, or for another suite. */
export function countersOf(measured: Measured, file = "table1", note = "Table 1"): readonly Counted[] {
  return (measured.note(file, note) ?? []) as readonly Counted[];
}

/** Returns what ncu counted for a method on uniform bytes. Podlozhnyuk's is the one with atomics. */
export function countedOf(measured: Measured, algorithm: string): Counted | undefined {
  return countersOf(measured).find(
    (row) => row.algorithm === algorithm && row.distribution === "uniform" && row.collisions !== "tag",
  );
}

const NANOSECONDS = "Time (ns)";
const INSTRUCTIONS = "Ins/Byte";

/** Returns a counter's sum over all kernels of a histogram. */
export function total({ terms, others }: Counted, term: string): number | null {
  const values = [terms, ...others.map((other) => other.terms)].map((of) => of[term]?.value);
  return values.every((value) => value != null) ? values.reduce((sum, value) => sum! + value!, 0)! : null;
}

/** Warps per multiprocessor of compute capability 9.0, and threads of a warp. */
const [MOST_WARPS, WARP] = [64, 32] as const;
/** Multiprocessors of an H100 and of an H200, the devices with counters. */
const UNITS = 132;

/** Returns resident threads per multiprocessor: those that fit, as ncu reports their share of the warps, but no more than the grid has. */
export function residentThreads({ terms }: Counted): number | null {
  const [share, blocks, threads] = ["Occupancy, at most %", "Blocks", "Threads a block"].map(
    (term) => terms[term]?.value,
  );
  if (share == null || blocks == null || threads == null) return null;
  const fit = Math.round((share / 100) * MOST_WARPS) * WARP;
  return Math.min(fit, Math.ceil(blocks / UNITS) * threads);
}

/** n at which the paper compares data sets. */
const N = 2 ** 26;

function speed(rows: readonly Row[], algorithm: string, variant: string | null, distribution: string) {
  return rows.find(
    (row) =>
      row.algorithm === algorithm &&
      row.distribution === distribution &&
      row.n === N &&
      (variant === null || row.variant?.split(" ").includes(variant)),
  )?.gbps;
}

/** Atomics on one address no longer slow a warp down, but the software tag does. */
export function atomicsCombine(measured: Measured): string | null {
  const rows = measured.rows("figure6");
  const of = (collisions: string) =>
    ["uniform", "zeros"].map((data) => speed(rows, "per-warp", collisions, data));
  const [[scattered, equal], [tagScattered, tagEqual]] = [of("atomic"), of("tag")];
  if (!scattered || !equal || !tagScattered || !tagEqual) return null;
  if (equal < scattered / 2 || tagEqual > tagScattered / 2) return null;
  return `Atomics of a warp on one address no longer wait for each other. From uniform bytes to zeros, \`per-warp\` goes from ${digits(scattered)} to ${digits(equal)} GB/s with atomics, and from ${digits(tagScattered)} to ${digits(tagEqual)} GB/s with the software tag.`;
}

/** One method executes more instructions per byte than another. */
export function moreInstructions(
  measured: Measured,
  algorithm: string,
  than: string,
  names: readonly [string, string],
): string | null {
  const [one, other] = [algorithm, than].map((slug) => instructionsOf(countedOf(measured, slug)));
  if (one == null || other == null || one <= other) return null;
  return `${names[0]} executes ${digits(one)} instructions per byte, and ${names[1]} ${digits(other)} (ncu, uniform bytes).`;
}

/** Merges by atomics skip empty bins, so the time of a histogram depends on the data. Merges of tables do not. */
export function mergeSkipsZeros(measured: Measured, algorithm: string, name: string): string | null {
  const rows = measured.rows("reduce").filter((row) => row.algorithm === algorithm && row.n === N);
  const of = (way: string) =>
    ["uniform", "zeros"].map(
      (data) =>
        rows.find(({ variant, distribution }) => distribution === data && variant?.includes(`reduce=${way}`))
          ?.gbps,
    );
  const [[a, b], [c, d]] = [of("atomic"), of("tables")] as const;
  if (!a || !b || !c || !d || side(b / a) === 0 || Math.abs(Math.log(b / a)) <= Math.abs(Math.log(d / c)))
    return null;
  return `The merge depends on the data: from uniform bytes to zeros, ${name} goes from ${digits(a)} to ${digits(b)} GB/s if blocks add with atomics, which skip empty bins, and from ${digits(c)} to ${digits(d)} GB/s with the published merge.`;
}

/** The kernel that counts, or the one that merges, takes longer on some data. */
export function kernelsDepend(measured: Measured, algorithm: string, name: string): string | null {
  const counted = countersOf(measured).flatMap((row) => {
    const [count, all] = [row.terms[NANOSECONDS]?.value, total(row, NANOSECONDS)];
    return row.algorithm === algorithm && count != null && all !== null
      ? [{ data: row.distribution, count, merge: all - count }]
      : [];
  });
  const inOrder = counted.toSorted((a, b) => a.count + a.merge - b.count - b.merge);
  const [least, most] = [inOrder[0], inOrder.at(-1)];
  if (least === undefined || most === undefined || least === most) return null;
  const times = ({ data, count, merge }: typeof most) =>
    `${digits(count / 1000)} µs${merge === 0 ? "" : ` and merges in ${digits(merge / 1000)} µs`} on ${data === "picture" ? "the picture" : data}`;
  return `${name} counts in ${times(most)}, and in ${times(least)} (ncu).`;
}

/** Two variants of a method have the same fixed time, which decides at small n. */
export function sameFixedTime(
  measured: Measured,
  one: string,
  other: string,
  names: readonly [string, string],
): string | null {
  const rows = measured.rows("figure6").filter(({ distribution }) => distribution === "uniform");
  const smallest = Math.min(...rows.map(({ n }) => n));
  const [a, b] = [one, other].map((slug) => {
    const found = rows.find(
      ({ algorithm, variant, n }) => `${algorithm} ${variant}` === slug && n === smallest,
    );
    return found === undefined ? null : median(found.ms) * 1000;
  });
  if (a == null || b == null || Math.abs(Math.log(a / b)) > 0.05) return null;
  return `The fixed time of a launch decides at small n, and it is the same: ${digits(smallest)} bytes take ${digits(a)} µs with ${names[0]} and ${digits(b)} µs with ${names[1]}.`;
}

/** The waits that ncu counts, by the words for them. */
const STALLS: Readonly<Record<string, string>> = {
  "Stalled on global memory": "global memory",
  "Stalled on shared memory": "shared memory",
  "Stalled on fixed latency": "earlier instructions",
  "Stalled at a barrier": "barriers",
  "Stalled on a full queue": "full queues",
};

/** The main wait of two methods' warps, per instruction. */
export function mainStalls(
  measured: Measured,
  algorithms: readonly [string, string],
  names: readonly [string, string],
): string | null {
  const found = algorithms.map((slug) => {
    const row = countedOf(measured, slug);
    const waits = Object.entries(STALLS).flatMap(([term, on]) => {
      const value = row?.terms[term]?.value;
      return value == null ? [] : [{ on, value }];
    });
    const [longest] = waits.toSorted((x, y) => y.value - x.value);
    return longest === undefined || row === undefined
      ? null
      : { ...longest, warps: row.terms["Warps/Cycles"]?.value ?? Number.NaN };
  });
  const [one, other] = found;
  if (!one || !other) return null;
  const text = ({ on, value, warps }: typeof one) =>
    `${digits(warps)} warps, which wait for ${on} most, ${digits(value)} cycles per instruction`;
  return `${names[0]} has ${text(one)}. ${names[1]} has ${text(other)} (ncu).`;
}

/** Returns what ncu counted for `per-warp`, with atomics or the software tag. */
function perWarp(measured: Measured, collisions: "atomic" | "tag", data: string): Counted | undefined {
  return countersOf(measured).find(
    (row) => row.algorithm === "per-warp" && row.collisions === collisions && row.distribution === data,
  );
}

const instructionsOf = (row: Counted | undefined) => (row === undefined ? null : total(row, INSTRUCTIONS));

/** One instruction adds to shared memory atomically. The tag's loop takes many. */
export function atomicsAreInstructions(measured: Measured): string | null {
  const [atomic, tag] = (["atomic", "tag"] as const).map((of) =>
    instructionsOf(perWarp(measured, of, "uniform")),
  );
  if (atomic == null || tag == null || tag < 2 * atomic) return null;
  return `An atomic addition to shared memory is one instruction today. With it \`per-warp\` executes ${digits(atomic)} instructions per byte, and ${digits(tag)} with the software tag (ncu, uniform bytes).`;
}

/** The software tag executes more instructions than Nugteren's method. */
export function tagInstructions(measured: Measured): string | null {
  const tag = instructionsOf(perWarp(measured, "tag", "uniform"));
  const nugteren = instructionsOf(countedOf(measured, "per-thread"));
  if (tag === null || nugteren === null || tag < 2 * nugteren) return null;
  return `The software tag executes ${digits(tag)} instructions per byte, and Nugteren's method ${digits(nugteren)} (ncu, uniform bytes).`;
}

/** States that nobody measured why. */
export function notMeasured(): string {
  return "The cause is not measured.";
}

/** Shared memory per multiprocessor of the paper's device, in bytes (NVIDIA GTX 580). */
const SHARED_THEN = 48 * 1024;

/** A multiprocessor has room for more of Nugteren's blocks of one warp than in the paper. */
export function moreWarps(measured: Measured): string | null {
  const row = countedOf(measured, "per-thread");
  const [warps, shared] = ["Warps/Cycles", "Shared Mem"].map((term) => row?.terms[term]?.value);
  if (warps == null || !shared || warps <= SHARED_THEN / shared) return null;
  return `A multiprocessor runs ${digits(warps)} of Nugteren's warps at a time (ncu). Each takes ${digits(shared / 1024)} KiB of shared memory, and the paper's device has ${digits(SHARED_THEN / 1024)} KiB for all.`;
}
