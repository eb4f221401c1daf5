// The contract on the backends that need no GPU, in node:test, as an author of a backend runs it: from the archives.
// POLYBIN_SEED starts the random inputs elsewhere, and POLYBIN_RUNS tries more of them.
import { after, describe, it } from "node:test";
import { describeBackend } from "@polybin/conformance";
import { cpu } from "@polybin/core";
import { multithreaded } from "@polybin/core/multithreaded";
import { piscina } from "@polybin/piscina";

const { POLYBIN_SEED: seed, POLYBIN_RUNS: runs } = process.env;
const options = {
  required: true,
  ...(seed ? { seed: Number(seed) } : {}),
  ...(runs ? { numRuns: Number(runs) } : {}),
};
const BACKENDS = {
  cpu,
  multithreaded: () => multithreaded({ threads: 2 }),
  piscina: () => piscina({ threads: 2 }),
};
for (const name of (process.env.POLYBIN_BACKENDS ?? "cpu,piscina").split(","))
  describeBackend(BACKENDS[name], { describe, it, after }, options);
