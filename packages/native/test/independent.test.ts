import { expect, it } from "vitest";
import { campaign, describeFindings } from "../../core/test/independent/index.ts";

const seed = Number(process.env.POLYBIN_SEED ?? 3);

it("200 random calls on the addon agree with the independent reference", {
  timeout: 120_000,
}, async () => {
  const worker = new URL("independent-worker.ts", import.meta.url);
  const found = await campaign({ worker, seed, cases: 200, threads: 1 });
  expect(describeFindings(found, seed)).toMatch(/^200 cases, 0 wrong, 0 hung,/);
});
