import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testBed } from "../src/command/checkout.ts";
import type { Results } from "../src/runner/row.ts";
import { ROW_SUMS, type RowSums } from "../src/suites/own-programs.ts";
import { rowSumsByPlan } from "../src/suites/trish-variants.ts";
import { scratch } from "./shared.ts";

const at = (path: string) => new URL(`../src/${path}`, import.meta.url).href;

it("measures WebGPU's own kernel with row sums and without, which loses counts", {
  timeout: 60_000,
}, async (test) => {
  const bed = await testBed("swiftshader.ts");
  const env = await bed!.swiftshaderEnv();
  if (typeof env === "string") return test.skip(env);
  const file = join(scratch(), "webgpu-trish-variants.json");
  const script = `
    import { withBench } from "${at("runner/bench.ts")}";
    import { Report } from "${at("runner/report.ts")}";
    import { TARGETS } from "${at("runner/target.ts")}";
    import { ${rowSumsByPlan.name} as measure } from "${at("suites/trish-variants.ts")}";
    const target = { ...TARGETS.webgpu, sleeps: false, software: true };
    const report = (device) => new Report(${JSON.stringify(file)}, device, { quiet: true });
    await withBench(target, { rounds: 1, budget: 1e6, bytes: 2 ** 20 }, report, (bench) => measure(bench, [31]));`;
  // The loader reads the place of SwiftShader's driver only when a process starts.
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    ...{ encoding: "utf8", env: { ...process.env, ...env } },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const { notes, missing } = JSON.parse(readFileSync(file, "utf8")) as Results;
  expect(missing).toEqual([]);
  const { cells } = notes![ROW_SUMS] as RowSums;
  expect(cells).toMatchObject([
    { k: 31, rowSums: true },
    { k: 31, rowSums: false },
  ]);
});
