import type { DeviceLimits } from "../../base/index.ts";
import { VALUE_TRAITS, type ValueType } from "../../input/index.ts";
import type { ParameterRule, SumsPlan } from "../../plan/index.ts";

/** The unit that a thread loads: 32 bits, which hold 8, 4 or 2 values, or one value. */
export type Fetch = "word" | "value";

/**
 * Xu et al., 4.1: "we constantly use unsigned int as global memory fetch type to maximize the bandwidth utilization,
 * and then get the actual value by shift or and operation".
 */
export const FETCH: ParameterRule = {
  title: "what a thread loads at a time: a 32-bit word of values, or one value",
  of: ["word", "value"],
};

/** Returns the fetch in effect: words on a GPU unless values are requested. A worker loads one value at a time. */
export function fetchOn({ kind }: DeviceLimits, fetch: Fetch | undefined): Fetch {
  return fetch ?? (kind === "workers" ? "value" : "word");
}

/** States that a worker does not fetch words. */
export function noWords(slug: string): string {
  return `${slug} with the fetch word needs a GPU: a worker copies its documents to its own memory and loads one value at a time`;
}

/** Returns the documents of one fetch. */
export function documentsPerFetch(type: ValueType, fetch: Fetch): number {
  const wordBits = 32;
  return fetch === "word" ? wordBits / Math.log2(VALUE_TRAITS[type].values) : 1;
}

/** Returns the documents of one fetch of a plan. A plan without the parameter fetches values. */
export function documentsPerFetchOf({ type, parameters }: Pick<SumsPlan, "type" | "parameters">): number {
  return documentsPerFetch(type, parameters.fetch === "word" ? "word" : "value");
}

/** Rounds a number of documents up to whole fetches. */
export function wholeFetches(documents: number, perFetch: number): number {
  return Math.ceil(documents / perFetch) * perFetch;
}
