import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

it("the kernels have core's numbers", () => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/limits.mjs", "--check"], { cwd: root });
  expect(String(stderr)).toBe("");
  expect(status).toBe(0);
});

it.each(["BYTE_LANES", "PAIR_LANES", "NARROW_LANES", "WIDE_LANES"])(
  "the kernels are not built for another number of %s",
  (name) => {
    const folder = mkdtempSync(join(tmpdir(), "polybin-kernels-"));
    try {
      cpSync(join(root, "src/kernels"), folder, { recursive: true });
      const file = join(folder, "limits.as.ts");
      const limits = readFileSync(file, "utf8").replace(new RegExp(`(${name}: u32 =) \\d+`), "$1 3");
      writeFileSync(file, limits);
      const asc = join(root, "node_modules/.bin/asc");
      const args = ["index.as.ts", "--outFile", "x.wasm", "--enable", "simd", "--runtime", "stub"];
      const { status, stderr } = spawnSync(asc, args, { cwd: folder, encoding: "utf8" });
      expect(stderr).toContain("written for 16, 2, 8 and 4 lanes");
      expect(status).not.toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  30_000,
);
