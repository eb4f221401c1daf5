import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const addonFor = (platform: string) => new URL(`../npm/${platform}/polybin_native.node`, import.meta.url);

describe.each(["linux-arm64", "linux-x64"])("%s", (platform) => {
  it("loads with the glibc that its README names", (test) => {
    const addon = addonFor(platform);
    if (!existsSync(addon)) return test.skip("polybin_native.node is not built here");
    const versions = readFileSync(addon, "latin1").matchAll(/GLIBC_2\.(\d+)/g);
    expect(Math.max(...Array.from(versions, ([, minor]) => Number(minor)))).toBeLessThanOrEqual(34);
  });
});
