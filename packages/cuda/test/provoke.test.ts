import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cuda } from "@polybin/cuda";
import { expect, it } from "vitest";
import type { Provoked } from "./device/provoke.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

// In a process of its own: the last thing that is provoked takes CUDA away from the process.
it("what is provoked on a device goes as it must", { timeout: 1_200_000 }, async (test) => {
  const probe = await cuda().probe();
  if (!probe.available) return test.skip(probe.reason);
  const program = [path("device/main.ts"), path("../dist/polybin_fault.node")];
  // It ends with 1 when something did not pass; what, it prints all the same.
  const { stdout } = await promisify(execFile)(process.execPath, program).catch(
    (error: { readonly stdout: string }) => error,
  );
  const results: Provoked[] = JSON.parse(stdout);
  expect(results.length).toBeGreaterThan(0);
  expect(results.filter(({ passed }) => !passed)).toEqual([]);
});
