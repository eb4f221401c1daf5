import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("linux-x64 loads with the glibc that its README names", (test) => {
  const addon = new URL("../npm/linux-x64/polybin_cuda.node", import.meta.url);
  if (!existsSync(addon)) return test.skip("the addon is not built here");
  const versions = readFileSync(addon, "latin1").matchAll(/GLIBC_2\.(\d+)/g);
  expect(Math.max(...Array.from(versions, ([, minor]) => Number(minor)))).toBeLessThanOrEqual(34);
});
