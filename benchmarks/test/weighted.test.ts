import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { DISTRIBUTIONS } from "../src/data/distributions.ts";
import { Report } from "../src/runner/report.ts";
import { measureWeighted } from "../src/suites/weighted-workers.ts";

it("compares the workers with the plain loop, bit by bit, on every distribution", {
  timeout: 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "polybin-weighted-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const report = new Report(join(folder, "weighted.json"), null, { commit: "here", quiet: true });
  await measureWeighted(report, 3, 4096, 1, [1, 2]);
  const { rows, missing } = report;
  expect(missing).toEqual([]);
  expect(rows.map(({ distribution }) => distribution).filter((_, i) => i % 13 === 0)).toEqual(DISTRIBUTIONS);
  expect(rows.every(({ exact, ms }) => exact && ms.length === 1)).toBe(true);
  expect(rows.slice(0, 3)).toMatchObject([
    { peer: "js-loop", threads: 1, n: 12_288, weighted: { adds: "counts and sums" } },
    { algorithm: "weighted-fixed-point", threads: 1, n: 12_288, weighted: { adds: "counts and sums" } },
    { algorithm: "weighted-fixed-point", threads: 1, variant: "sums", weighted: { adds: "sums" } },
  ]);
});
