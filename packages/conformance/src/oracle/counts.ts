import type { Axis, SampleType } from "@polybin/core";
import type { SampleArray } from "@polybin/core/backend";
import { codeOf, FLOW } from "./codes.ts";

/** The expected content of a histogram. */
export interface Expected {
  readonly counts: Float64Array;
  readonly underflow: number;
  readonly overflow: number;
  readonly nan: number;
}

/** Counts one channel by the definition, in a plain loop. */
export function countByDefinition(
  axis: Axis,
  type: SampleType,
  samples: SampleArray,
  channel = 0,
  channels = 1,
): Expected {
  const { bins } = axis;
  const all = new Float64Array(bins + FLOW);
  const code = codeOf(axis, type);
  for (let i = channel; i < samples.length; i += channels) all[code(samples[i]!)]!++;
  const [underflow, overflow, nan] = all.subarray(bins);
  return { counts: all.slice(0, bins), underflow: underflow!, overflow: overflow!, nan: nan! };
}
