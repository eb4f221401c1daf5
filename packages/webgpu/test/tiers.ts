import type { Case } from "@polybin/conformance";

/** The combinations that name an algorithm. */
const NAMED = /; (fused|global|privatized|trish|\w+(-\w+)+)$/;

/** The cases of requests one after another that every test run includes: 250 random ones (`RANDOM`), and few parts. */
const SEQUENCES = /^random |: (axis 0|channels and their order|type of segments|row pitch and region)$/;

/** The topics that ask the same of each algorithm. SwiftShader compiles a pipeline or more for each of their cases. */
const OF_ALGORITHMS = /^(numpy|axes|flow|parameters|properties|sizes|weighted|other types)/;

export type Tier = "test" | "slow" | "nightly";

/**
 * The tier of a case. SwiftShader takes seconds to compile a pipeline, and milliseconds to run it. At night are numbers of bins
 * other than 256, large inputs, algorithms in combinations, most of the weighted contract, and axes of a kernel that finds
 * rows as per-lane does.
 */
export const tierOf = ({ topic, name }: Case): Tier => {
  const isRare =
    (["axes", "flow"].includes(topic) && name.startsWith("per-segment: ")) ||
    (topic === "axes" && /: (?!256 )\d+ bins of every type/.test(name)) ||
    (topic === "combinations" && NAMED.test(name)) ||
    topic === "large requests" ||
    (topic === "sequences" && !SEQUENCES.test(name)) ||
    (topic === "sizes" && !/: n around every limit/.test(name)) ||
    (topic.startsWith("weighted") && !/every type and number of bins|^claim of/.test(name));
  if (isRare) return "nightly";
  return OF_ALGORITHMS.test(topic) ? "slow" : "test";
};

const { POLYBIN_SEED, POLYBIN_RUNS } = process.env;
/** Random inputs: as few as SwiftShader has time for. Every night runs others and more of them. */
export const RANDOM: { readonly seed: number; readonly numRuns: number } = {
  seed: Number(POLYBIN_SEED ?? 1),
  numRuns: Number(POLYBIN_RUNS ?? 10),
};
