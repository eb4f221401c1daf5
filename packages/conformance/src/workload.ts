import type { Axis, SampleType } from "@polybin/core";
import type { SampleArray } from "@polybin/core/backend";
import { describeAxis } from "./axes.ts";
import { countByDefinition, type Expected } from "./oracle.ts";

/** Samples and what must come of them. */
export interface Workload {
  readonly samples: SampleArray;
  readonly expected: Expected;
}

/** Samples that are kept: larger ones cost more to keep than to make again. */
const MOST_KEPT = 2 ** 17;
const kept = new Map<string, Workload>();

/** Makes samples and counts them once for all slugs that are tried on them; `name` tells them from others. */
export function workload(axis: Axis, type: SampleType, name: string, make: () => SampleArray): Workload {
  const key = `${type}, ${describeAxis(axis)}, ${name}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const samples = make();
  const found = { samples, expected: countByDefinition(axis, type, samples) };
  if (samples.length <= MOST_KEPT) kept.set(key, found);
  return found;
}
