import type { Published } from "../../src/suites/podlozhnyuk.ts";
import { type Counted, total } from "../causes.ts";
import type { Measured } from "../measured.ts";
import type { Point } from "../model.ts";
import { publishedOf } from "./published.ts";

const MERGE = "merge";

/** The time of the merge as a share of the time of counting, in percent. */
export function merges(measured: Measured, kernel: Published["kernel"], slug: string): Point[] {
  const published = publishedOf(measured, kernel)
    .filter(({ distribution, variant }) => distribution === "uniform" && ["swizzle", "tag"].includes(variant))
    .map(({ ms, mergeMs }): Point => ({ series: MERGE, x: "as published", y: (mergeMs / ms) * 100 }));
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
