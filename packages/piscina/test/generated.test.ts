import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

it.each([
  ["WORKER_LANES", "written for 16 and 2 lanes"],
  ["WORKER_PAIR_LANES", "written for 16 and 2 lanes"],
  ["WORKER_NARROW_LANES", "written for 8 and 4 lanes"],
  ["WORKER_WIDE_LANES", "rows have 4 lanes"],
  ["SEGMENT_LANES", "written for 8 tables"],
])(
  "the kernels are not built for another number of %s",
  (name, says) => {
    const folder = mkdtempSync(join(tmpdir(), "polybin-kernels-"));
    try {
      cpSync(join(root, "src/kernels"), folder, { recursive: true });
      const file = join(folder, "generated/limits.as.ts");
      const limits = readFileSync(file, "utf8").replace(new RegExp(`(${name}: u32 =) \\d+`), "$1 3");
      writeFileSync(file, limits);
      const asc = join(root, "node_modules/.bin/asc");
      const args = ["generated/module.as.ts", "--outFile", "x.wasm", "--enable", "simd", "--runtime", "stub"];
      const { status, stderr } = spawnSync(asc, args, { cwd: folder, encoding: "utf8" });
      expect(stderr).toContain(says);
      expect(status).not.toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  30_000,
);
