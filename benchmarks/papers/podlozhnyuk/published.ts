import { PUBLISHED, type Published } from "../../src/suites/podlozhnyuk.ts";
import { type Counted, total } from "../causes.ts";
import type { Measured } from "../measured.ts";
import type { Point } from "../model.ts";
import { digits } from "../readings/index.ts";

/** The paper's data: scattered, all equal, and different within a warp. */
export const DATA: Readonly<Record<string, string>> = { uniform: "uniform", zeros: "zeros", ramp: "linear" };

export const MERGE = "merge";
export const AS_PUBLISHED = "as published";

/** The published kernels of one method, as the suite measured them. */
export function publishedOf(measured: Measured, kernel: Published["kernel"]): readonly Published[] {
  const all = (measured.note("podlozhnyuk", PUBLISHED) ?? []) as readonly Published[];
  return all.filter((line) => line.kernel === kernel);
}

/** Throughput of whole histograms, merges included. */
export function throughputOf({ n, ms, mergeMs }: Published): number {
  return n / (ms + mergeMs) / 1e6;
}

/** Extra trips to shared memory per access: 0 without bank conflicts, 3 if four threads always share a bank. */
export function conflictsOf({ terms }: Published): number | null {
  const [waves, ...accesses] = ["Shared memory wavefronts", "Shared loads", "Shared stores"].map(
    (term) => terms?.[term]?.value,
  );
  const [loads, stores] = accesses;
  return waves == null || loads == null || stores == null ? null : waves / (loads + stores) - 1;
}

/** The time of the merge as a share of the time of counting, in percent. */
export function mergePoints(measured: Measured, kernel: Published["kernel"], slug: string): Point[] {
  const published = publishedOf(measured, kernel)
    .filter(({ distribution, variant }) => distribution === "uniform" && ["swizzle", "tag"].includes(variant))
    .map(({ ms, mergeMs }): Point => ({ series: MERGE, x: AS_PUBLISHED, y: (mergeMs / ms) * 100 }));
  const counted = (measured.note("podlozhnyuk", "Podlozhnyuk") ?? []) as readonly Counted[];
  const ours = counted
    .filter(
      ({ algorithm, collisions, others }) => algorithm === slug && collisions !== "tag" && others.length > 0,
    )
    .flatMap((row): Point[] => {
      const [count, all] = [row.terms["Time (ns)"]?.value, total(row, "Time (ns)")];
      return count && all !== null
        ? [{ series: MERGE, x: `${slug} (ours)`, y: ((all - count) / count) * 100 }]
        : [];
    });
  return [...published, ...ours];
}

/** One merge takes this long, and counting this long. */
export function mergeTimes(kernel: Published["kernel"]): (measured: Measured) => string | null {
  return (measured) => {
    const found = publishedOf(measured, kernel).find(
      ({ distribution, variant }) => distribution === "uniform" && ["swizzle", "tag"].includes(variant),
    );
    if (found === undefined) return null;
    const micro = (ms: number) => `${digits(ms * 1000)} µs`;
    return `For ${digits(found.n)} bytes counting takes only ${micro(found.ms)} today, and the merge ${micro(found.mergeMs)}.`;
  };
}
