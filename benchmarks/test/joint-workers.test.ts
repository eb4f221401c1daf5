import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { JOINT_DISTRIBUTIONS, jointFloats } from "../src/data/joint-floats.ts";

describe("the benchmark of joint histograms on workers", () => {
  it("measures exact counts of every contestant that is installed", { timeout: 60_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), "polybin-joint-"));
    const out = join(folder, "rows.json");
    const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
    const options = ["--pairs", "70001", "--rounds", "1", "--distributions", "uniform,outside", "--out", out];
    // It fails if a count of polybin or C differs from the oracle's.
    execFileSync(process.execPath, [main, "--suite", "joint-workers", ...options], { stdio: "pipe" });
    const { rows } = JSON.parse(readFileSync(out, "utf8"));
    rmSync(folder, { recursive: true });
    expect(rows.map(({ distribution }: { distribution: string }) => distribution)).toEqual([
      "uniform",
      "outside",
    ]);
    for (const { ns, cpuNs } of rows) {
      expect(Object.keys(ns)).toEqual(expect.arrayContaining(["polybin, 1 worker", "polybin, 2 workers"]));
      expect(Object.keys(cpuNs)).toEqual(Object.keys(ns));
      for (const time of Object.values(ns)) expect(time).toBeGreaterThan(0);
    }
  });

  it.each(JOINT_DISTRIBUTIONS)("has the same pairs every time: %s", (distribution) => {
    const [x, y, again, other] = [0, 1, 2, 3].map(() => new Float32Array(1000)) as Float32Array[];
    jointFloats(x!, y!, distribution);
    jointFloats(again!, other!, distribution);
    expect([again, other]).toEqual([x, y]);
    const outside = x!.filter((value) => value < 0 || value >= 1).length;
    expect(outside > 300).toBe(distribution === "outside");
  });
});
