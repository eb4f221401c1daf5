import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cuda } from "@polybin/cuda";
import { expect, it } from "vitest";
import type { Provoked } from "./device/provoke.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

// This runs in its own process, because the last case makes CUDA unusable in the process.
it("all cases pass on a device", { timeout: 1_200_000 }, async (test) => {
  const probe = await cuda().probe();
  if (!probe.available) return test.skip(probe.reason);
  const program = [path("device/main.ts"), path("../dist/polybin_fault.node")];
  // The program exits with 1 if a case failed. It prints the results in any case.
  const { stdout } = await promisify(execFile)(process.execPath, program).catch(
    (error: { readonly stdout: string }) => error,
  );
  const results: Provoked[] = JSON.parse(stdout);
  expect(results.length).toBeGreaterThan(0);
  expect(results.filter(({ passed }) => !passed)).toEqual([]);
});
