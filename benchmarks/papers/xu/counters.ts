import { COUNTERS, DEVICE, type WeightedCounters } from "../../src/suites/weighted-counters.ts";
import type { Measured } from "../measured.ts";

/** The file with ncu's counters of weighted sums. */
const FILE = "weighted-counters";

/** Returns what ncu counted for the cells of a figure or table. */
export function countersOf(
  measured: Measured,
  figure: WeightedCounters["figure"],
): readonly WeightedCounters[] {
  const all = (measured.note(FILE, COUNTERS) ?? []) as readonly WeightedCounters[];
  return all.filter((one) => one.figure === figure);
}

/**
 * Returns the documents that the kernel of a cell reads before it adds them. A thread that fetches words reads whole
 * words, so these can be more than the cell's N_unroll.
 */
export function unrollOf({ kernel }: WeightedCounters): number | null {
  const found = /sumCollisionFree<.*?, (\d+)>/.exec(kernel)?.[1];
  return found === undefined ? null : Number(found);
}

/** Properties of the device that ran ncu. */
export function deviceOf(measured: Measured): Readonly<Record<string, number | null>> | null {
  return (measured.note(FILE, DEVICE) ?? null) as Readonly<Record<string, number | null>> | null;
}

/** GB/s between the device's memory and its caches. */
export function memoryOf({ values: { memoryBytes, time } }: WeightedCounters): number | null {
  return memoryBytes === null || time === null ? null : memoryBytes / time;
}

/** Blocks per multiprocessor that shared memory allows, divided by the fewest that another resource allows. */
export function limiterOf({ values }: WeightedCounters): number | null {
  const { limitShared, limitRegisters, limitWarps, limitBlocks } = values;
  const others = [limitRegisters, limitWarps, limitBlocks];
  return limitShared === null || others.includes(null)
    ? null
    : limitShared / Math.min(...(others as number[]));
}
