import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { evaluate } from "../../papers/evaluate.ts";
import { FIGURES } from "../../papers/figures.ts";
import { isSoftware } from "../../papers/here/index.ts";
import { backendsOf } from "../../papers/sides.ts";
import { Report } from "../../src/runner/report.ts";
import { scaling, table4 } from "../../src/suites/papers-cpu.ts";

const SIZE = { bytes: 2 ** 16, features: 2, documents: 4096, rounds: 1 };

it("measures the CPU's figures, exactly, and finds them again", { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "polybin-here-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const report = new Report(join(folder, "papers-cpu.json"), null, { commit: "here", quiet: true });
  await scaling(report, SIZE);
  await table4(report, SIZE);
  const results = report.results();
  const { rows, missing } = results;
  expect(missing).toEqual([]);
  expect(rows.every(({ exact, ms }) => exact && ms.length === 1)).toBe(true);
  const measured = backendsOf([{ name: "papers-cpu", results }])[0];
  const ofCpu = FIGURES.filter(({ needs }) => needs === "cpu").map((figure) => evaluate(figure, measured));
  expect(ofCpu.map(({ id }) => id)).toEqual(["cpu-scaling", "table-4"]);
  for (const { panels, machine } of ofCpu) {
    expect(machine).toContain(`${cpus().length} cores`);
    for (const { ours } of panels) expect(ours.length).toBeGreaterThan(0);
  }
  const [, values] = ofCpu;
  const loops = values!.panels[0]!.ours.filter(({ series }) => series === "CPU, Table 4");
  expect(loops.map(({ x }) => x)).toEqual([0.5, 1, 2]);
  // Documents a second, not bytes.
  const [half] = rows.filter(({ type, algorithm }) => type === "u4" && algorithm === "weighted-sequential");
  expect(half!.valuesPerSecond! / half!.gbps).toBeCloseTo(2e9);
  expect(loops[0]!.y).toBeCloseTo(half!.valuesPerSecond! / 1e9);
});

it("knows imitated GPUs by their names", () => {
  expect(["SwiftShader Device (Subzero)", "llvmpipe (LLVM 15)", "NVIDIA H200"].map(isSoftware)).toEqual([
    true,
    true,
    false,
  ]);
});
