import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { withBench } from "../src/runner/bench.ts";
import { Report } from "../src/runner/report.ts";
import { WORKERS } from "../src/runner/target.ts";
import { algorithms, trishByK } from "../src/suites/sweeps.ts";
import { scratch } from "./shared.ts";

it("makes no data for cells that have no time left, and names each of them", async () => {
  const report = new Report(join(scratch(onTestFinished), "out.json"), null, { commit: "c", quiet: true });
  await withBench(
    WORKERS,
    { bytes: 2 ** 16, rounds: 1, budget: 0 },
    () => report,
    async (bench) => {
      const load = vi.spyOn(bench, "load");
      expect(await trishByK(bench, [1, 31])).toEqual([]);
      await algorithms(bench);
      expect(load).not.toHaveBeenCalled();
    },
  );
  const { rows, missing } = report.results();
  expect(rows).toEqual([]);
  expect(missing).toContain("trish, k=31 on u8 zeros, n = 65536: the 0 s were used up");
  // The slow algorithms have no more data than the others.
  expect(missing).toContain("global on u8 sorted, n = 65536: the 0 s were used up");
});
