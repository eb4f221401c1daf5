import { runConformance } from "@polybin/conformance";
import { piscina } from "@polybin/piscina";
import { expect, it } from "vitest";

const { POLYBIN_SEED, POLYBIN_RUNS } = process.env;

// A million requests with the nightly 400 runs: 25 for each of 40,000 random inputs.
it("random requests one after another on a pool", { timeout: 7_200_000 }, async () => {
  const { results } = await runConformance(() => piscina({ threads: 2 }), {
    filter: ({ topic, name }) => topic === "sequences" && name.startsWith("random"),
    seed: Number(POLYBIN_SEED ?? 1),
    numRuns: 100 * Number(POLYBIN_RUNS ?? 1),
    required: true,
  });
  expect(results).toMatchObject([{ status: "passed", reason: "" }]);
});
