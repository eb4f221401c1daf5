import { cpu } from "@polybin/core";
import { expect, it } from "vitest";
import { runConformance } from "../src/index.ts";

const { POLYBIN_SEED, POLYBIN_RUNS } = process.env;

// A million requests with the nightly 400 runs: 25 for each of 40,000 random inputs.
it("random requests one after another on core's CPU backend", { timeout: 7_200_000 }, async () => {
  const { results } = await runConformance(cpu, {
    filter: ({ topic, name }) => topic === "sequences" && name.startsWith("random"),
    seed: Number(POLYBIN_SEED ?? 1),
    numRuns: 100 * Number(POLYBIN_RUNS ?? 1),
    required: true,
  });
  expect(results).toMatchObject([{ status: "passed", reason: "" }]);
});
