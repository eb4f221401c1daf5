import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { campaign, describeFindings } from "./independent/campaign.ts";

const seed = Number(process.env.POLYBIN_SEED ?? 2);
const cases = 1_000_000;

it("a million random calls agree with the independent reference", async () => {
  const worker = new URL("independent/worker.ts", import.meta.url);
  const found = await campaign({ worker, seed, cases, threads: availableParallelism() });
  console.log(describeFindings(found, seed));
  expect(describeFindings(found, seed)).toMatch(/^1000000 cases, 0 wrong, 0 hung;/);
}, 7_200_000);
