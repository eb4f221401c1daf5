import type { Case } from "@polybin/conformance";

/** Of the cases over segments those that every test runs. */
const SEGMENTS = /^f32: every kind|^bytes: |^into an array|^left on|^aborted|^descriptions|^supports/;

/**
 * What SwiftShader takes minutes for, and what another case nearly shows: numbers of bins other than 256, large inputs,
 * most of the weighted contract, most segments, axes of a kernel that finds rows as per-lane does. `npm test` leaves it to
 * `.ci/run`.
 */
export const isSlow = ({ topic, name }: Case): boolean =>
  (["axes", "flow"].includes(topic) && name.startsWith("per-segment: ")) ||
  (topic === "axes" && /: (?!256 )\d+ bins of every type/.test(name)) ||
  (topic === "segments" && !SEGMENTS.test(name)) ||
  (topic === "sizes" && !/: n around every limit/.test(name)) ||
  (topic.startsWith("weighted") && !/every type and number of bins|^claim of/.test(name));

const { POLYBIN_SEED, POLYBIN_RUNS } = process.env;
/** Random inputs: as few as SwiftShader has time for, and every night others and more. */
export const RANDOM: { readonly seed: number; readonly numRuns: number } = {
  seed: Number(POLYBIN_SEED ?? 1),
  numRuns: Number(POLYBIN_RUNS ?? 10),
};
