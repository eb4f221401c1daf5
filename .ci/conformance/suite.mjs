// The contract on backends from the archives, in node:test, as an author of a backend runs it.
// POLYBIN_SEED starts the random inputs elsewhere, and POLYBIN_RUNS tries more of them. POLYBIN_CASES=short leaves out the
// cases below.
import { after, describe, it } from "node:test";
import { describeBackend } from "@polybin/conformance";
import { cpu } from "@polybin/core";
import { multithreaded } from "@polybin/core/multithreaded";
import { native } from "@polybin/native";
import { piscina } from "@polybin/piscina";

const { POLYBIN_SEED: seed, POLYBIN_RUNS: runs, POLYBIN_CASES: cases } = process.env;

/** Cases that only repeat arithmetic with more bins, samples or weights. They take two thirds of the time. */
const isRepetition = ({ topic, name }) =>
  (topic === "axes" && !/: 256 bins of every type/.test(name)) ||
  (topic === "sizes" && !/: n around every limit/.test(name)) ||
  (topic === "weighted" && /every spread of values|two limbs/.test(name));

const options = {
  required: true,
  ...(cases === "short" ? { filter: (one) => !isRepetition(one) } : {}),
  ...(seed ? { seed: Number(seed) } : {}),
  ...(runs ? { numRuns: Number(runs) } : {}),
};
const BACKENDS = {
  cpu: () => cpu,
  multithreaded: () => () => multithreaded({ threads: 2 }),
  piscina: () => () => piscina({ threads: 2 }),
  native: () => () => native({ threads: 2 }),
  cuda: async () => (await import("@polybin/cuda")).cuda,
};
for (const name of (process.env.POLYBIN_BACKENDS ?? "cpu,piscina").split(","))
  describeBackend(await BACKENDS[name](), { describe, it, after }, options);
