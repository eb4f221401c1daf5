// The contract on backends from the archives, in node:test, as an author of a backend runs it.
// POLYBIN_SEED starts the random inputs elsewhere, and POLYBIN_RUNS tries more of them. POLYBIN_CASES=node keeps the
// cases of what Node has a part in.
import { after, describe, it } from "node:test";
import { describeBackend } from "@polybin/conformance";
import { cpu } from "@polybin/core";
import { multithreaded } from "@polybin/core/multithreaded";
import { native } from "@polybin/native";
import { piscina } from "@polybin/piscina";

const { POLYBIN_SEED: seed, POLYBIN_RUNS: runs, POLYBIN_CASES: cases } = process.env;

/** The topics in which Node has a part: its files, streams, threads, memory and garbage. */
const TOPICS = ["abort", "calls", "claims", "files", "lifecycle", "streams", "views", "wrong requests"];
const ofNode = ({ topic, name }) =>
  TOPICS.includes(topic) ||
  (topic === "sequences" && name.startsWith("random ")) ||
  topic.startsWith("numpy");

const options = {
  required: true,
  ...(cases === "node" ? { filter: ofNode } : {}),
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
