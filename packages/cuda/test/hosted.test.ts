import { type Case, describeBackend } from "@polybin/conformance";
import { afterAll, describe, it } from "vitest";
import { hostedBackend, SMALL } from "./host/backend.ts";

const runner = { describe, it, afterAll };

/**
 * Cases whose jobs have the form of another's, with more bins, samples or parameters, and half of the combinations. Here no kernel counts, so they prove
 * little and take most of the time. The nightly test has all.
 */
const isRepetition = ({ topic, name }: Case): boolean =>
  (topic === "axes" && /: (?!256 )\d+ bins of every type/.test(name)) ||
  (topic === "combinations" && name.length % 2 === 1) ||
  (topic === "sizes" && !/: n around every limit/.test(name)) ||
  (topic === "parameters" && /every choice|k = 1 to 63/.test(name)) ||
  (topic === "weighted" && /every spread of values|two limbs/.test(name));

// All of the addon except its kernels and CUDA's runtime: the boundary must accept the jobs of the contract.
describeBackend(() => hostedBackend(), runner, { filter: (one) => !isRepetition(one) });

describeBackend(() => hostedBackend(SMALL), runner, {
  filter: (one) => one.topic === "axes" && !isRepetition(one),
});
