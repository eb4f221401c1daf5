import { type Case, repeats } from "@polybin/conformance";

/** The combinations that name an algorithm. */
const NAMED = /; (fused|global|privatized|trish|\w+(-\w+)+)$/;

/** The cases of requests one after another that every test run includes: 250 random ones (`RANDOM`), and few parts. */
const SEQUENCES = /^random |: (axis 0|channels and their order|type of segments|row pitch and region)$/;

/** The topics that ask the same of each algorithm. SwiftShader compiles a pipeline or more for each of their cases. */
const OF_ALGORITHMS = /^(numpy|axes|flow|parameters|properties|sizes|weighted|other types)/;
/** Among them, the cases that ask most of a kernel. */
const TELLING =
  /every edge, its|: 256 bins of every type|NaN of every kind|every type and number of bins|^claim of/;

/** About half of the names, always the same ones. */
const isOdd = (name: string): boolean => name.length % 2 === 1;

export type Tier = "test" | "slow" | "nightly";

/**
 * The tier of a case. SwiftShader takes seconds to compile a pipeline, and milliseconds to run it. At night are numbers of bins
 * other than 256, large inputs, most of the combinations, algorithms in combinations, most of the weighted contract, most of
 * what is asked of each algorithm, and axes of a kernel that finds rows as per-lane does.
 */
export const tierOf = (one: Case): Tier => {
  const { topic, name } = one;
  const isRare =
    (["axes", "flow"].includes(topic) && name.startsWith("per-segment: ")) ||
    (topic === "combinations" && (NAMED.test(name) || repeats(one))) ||
    topic === "large requests" ||
    (topic === "sequences" && !SEQUENCES.test(name));
  if (isRare) return "nightly";
  if (!OF_ALGORITHMS.test(topic)) return "test";
  return topic === "numpy" || (TELLING.test(name) && !isOdd(name)) ? "slow" : "nightly";
};

const { POLYBIN_SEED, POLYBIN_RUNS } = process.env;
/** Random inputs: as few as SwiftShader has time for. Every night runs others and more of them. */
export const RANDOM: { readonly seed: number; readonly numRuns: number } = {
  seed: Number(POLYBIN_SEED ?? 1),
  numRuns: Number(POLYBIN_RUNS ?? 10),
};
