import type { Case } from "@polybin/conformance";

/**
 * What SwiftShader takes minutes for, and what another case nearly shows: numbers of bins other than 256, large inputs,
 * most of the weighted contract. `npm test` leaves it to `.ci/run`.
 */
export const isSlow = ({ topic, name }: Case): boolean =>
  (topic === "axes" && /: (?!256 )\d+ bins of every type/.test(name)) ||
  (topic === "sizes" && !/: n around every limit/.test(name)) ||
  (topic.startsWith("weighted") && !/every type and number of bins|^claim of/.test(name));

const { POLYBIN_SEED, POLYBIN_RUNS } = process.env;
/** Random inputs: as few as SwiftShader has time for, and every night others and more. */
export const RANDOM: { readonly seed: number; readonly numRuns: number } = {
  seed: Number(POLYBIN_SEED ?? 1),
  numRuns: Number(POLYBIN_RUNS ?? 10),
};
