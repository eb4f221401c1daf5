import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { campaign, describeFindings } from "./independent/index.ts";

const seed = Number(process.env.POLYBIN_SEED ?? 2);
const cases = 2500 * Number(process.env.POLYBIN_RUNS ?? 400);

it(`${cases} random calls agree with the independent reference`, { timeout: 7_200_000 }, async () => {
  const worker = new URL("independent/worker.ts", import.meta.url);
  const found = await campaign({ worker, seed, cases, threads: availableParallelism() });
  const text = describeFindings(found, seed);
  console.log(text);
  expect(text).toMatch(new RegExp(`^${cases} cases, 0 wrong, 0 hung,`));
});
