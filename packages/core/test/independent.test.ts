import { describe, expect, it } from "vitest";
import { campaign, describeFindings } from "./independent/index.ts";

const worker = new URL("independent/worker.ts", import.meta.url);
const broken = new URL("independent/broken-worker.ts", import.meta.url);

const seed = Number(process.env.POLYBIN_SEED ?? 1);

describe("random calls against an independent reference", { timeout: 120_000 }, () => {
  it("2,000 cases are right, and refusals are those that the documents promise", async () => {
    const found = await campaign({ worker, seed, cases: 2000, threads: 1 });
    expect(describeFindings(found, seed)).toMatch(/^2000 cases, 0 wrong, 0 hung,/);
    expect(found.unjudged).toBeLessThan(100);
    expect(Object.keys(found.refused).sort()).toEqual([
      "ERR_AXIS",
      "ERR_INPUT",
      "ERR_LIMIT",
      "ERR_UNSUPPORTED",
    ]);
  });

  it("finds wrong counts and calls that do not end, and prints code that repeats them", async () => {
    const of = { worker: broken, seed: 7, cases: 60, threads: 1, patience: 1500 };
    const { wrong, hung, cases } = await campaign(of);
    expect(cases).toBe(60);
    expect(wrong.length).toBeGreaterThan(0);
    expect(hung.length).toBeGreaterThan(0);
    for (const one of wrong) {
      expect(one.wrong).toMatch(/has \d+ samples, not \d+/);
      expect(one.code).toMatch(/^const x = .*\n.*engine\.joint\(/s);
    }
    for (const { code } of hung) expect(code).toContain("await engine.segments(");
  });
});
