import type { Axis, SampleType } from "@polybin/core";
import type { SampleArray } from "@polybin/core/backend";
import { describeAxis } from "./axes.ts";
import { countByDefinition, type Expected } from "./oracle/counts.ts";

/** Samples and their expected counts. */
export interface Workload {
  readonly samples: SampleArray;
  readonly expected: Expected;
}

/** Maximum number of samples that are cached. Larger inputs cost more to keep than to generate again. */
const MOST_KEPT = 2 ** 17;
const kept = new Map<string, Workload>();

/** Generates samples and counts them once for all slugs that use them. `name` distinguishes them from others. */
export function workload(axis: Axis, type: SampleType, name: string, make: () => SampleArray): Workload {
  const key = `${type}, ${describeAxis(axis)}, ${name}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const samples = make();
  const found = { samples, expected: countByDefinition(axis, type, samples) };
  if (samples.length <= MOST_KEPT) kept.set(key, found);
  return found;
}
