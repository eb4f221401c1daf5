import { type Case, describeBackend, repeats } from "@polybin/conformance";
import { afterAll, describe, it } from "vitest";
import { hostedBackend, SMALL } from "./host/backend.ts";

const runner = { describe, it, afterAll };

/** Cases whose jobs have the form of another's. Here no kernel counts, so they prove little. The nightly test has all. */
const isRepetition = (one: Case): boolean => {
  const { topic, name } = one;
  return (
    repeats(one) ||
    (topic === "sizes" && !/: n around every limit/.test(name)) ||
    (topic === "parameters" && /every choice|k = 1 to 63/.test(name)) ||
    (topic === "weighted" && /every spread of values|two limbs/.test(name))
  );
};

// All of the addon except its kernels and CUDA's runtime: the boundary must accept the jobs of the contract.
describeBackend(() => hostedBackend(), runner, { filter: (one) => !isRepetition(one) });

describeBackend(() => hostedBackend(SMALL), runner, {
  filter: (one) => one.topic === "axes" && !isRepetition(one),
});
