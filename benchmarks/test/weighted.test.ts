import { expect, it } from "vitest";
import { DISTRIBUTIONS } from "../src/data/distributions.ts";
import { measureWeighted } from "../src/suites/weighted-workers.ts";
import { reportIn, scratch } from "./shared.ts";

it("compares the workers with the plain loop, bit by bit, on every distribution", {
  timeout: 60_000,
}, async () => {
  const report = reportIn(scratch());
  await measureWeighted(report, { features: 3, documents: 4096, rounds: 1, threads: [1, 2] });
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
