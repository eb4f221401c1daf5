import { expect, it } from "vitest";
import { campaign, describeFindings } from "../../core/test/independent/index.ts";

const seed = Number(process.env.POLYBIN_SEED ?? 2);
const cases = 50 * Number(process.env.POLYBIN_RUNS ?? 400);

it(`${cases} random calls on the addon agree with the reference`, { timeout: 7_200_000 }, async () => {
  const worker = new URL("independent-worker.ts", import.meta.url);
  const text = describeFindings(await campaign({ worker, seed, cases, threads: 1 }), seed);
  console.log(text);
  expect(text).toMatch(new RegExp(`^${cases} cases, 0 wrong, 0 hung,`));
});
