import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import type { ReadRow } from "../src/ceilings/read-row.ts";
import { testBed } from "../src/command/checkout.ts";

const MODULE = new URL("../src/ceilings/webgpu.ts", import.meta.url);

it("reads a WebGPU device's memory in every way, and no size is too odd", {
  timeout: 60_000,
}, async (test) => {
  const bed = await testBed("swiftshader.ts");
  const env = await bed!.swiftshaderEnv();
  if (typeof env === "string") return test.skip(env);
  const script = `import { readOnWebgpu } from "${MODULE}";
    console.log(JSON.stringify(await readOnWebgpu(2 ** 18 + 13, 2)));`;
  // The loader reads the place of SwiftShader's driver only when a process starts.
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    ...{ encoding: "utf8", env: { ...process.env, ...env } },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const rows = JSON.parse(stdout) as ReadRow[];
  expect(new Set(rows.map(({ variant }) => variant))).toHaveLength(4);
  expect(new Set(rows.map(({ blocks }) => blocks))).toHaveLength(4);
  for (const { ms } of rows) {
    expect(ms).toHaveLength(2);
    expect(Math.min(...ms)).toBeGreaterThanOrEqual(0);
  }
});
