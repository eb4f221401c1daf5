import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { MAIN, polybin, scratch } from "./command.ts";

test("bench hands its arguments to the benchmarks, and ends as they do", async () => {
  const help = await polybin(["bench", "--help"]);
  expect({ code: help.code, stderr: help.stderr }).toEqual({ code: 0, stderr: "" });
  expect(help.stdout).toMatch(/^usage: polybin bench/);
  const args = "bench --quick --backend cpu --peers none --n 4096 --algorithm sequential --json -".split(" ");
  const { code, stdout, stderr } = await polybin(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout).rows).toMatchObject([
    { backend: "cpu", algorithm: "sequential", n: 4096, exact: true },
  ]);
  expect(await polybin(["bench", "--nope"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error\[ERR_INPUT\]/),
  });
});

test("bench outside a checkout says where the benchmarks are", () => {
  const dist = dirname(MAIN);
  const folder = join(scratch(), "apps", "cli");
  mkdirSync(folder, { recursive: true });
  cpSync(dist, join(folder, "dist"), { recursive: true });
  cpSync(join(dist, "../package.json"), join(folder, "package.json"));
  symlinkSync(join(dist, "../node_modules"), join(folder, "node_modules"));
  const { status, stderr } = spawnSync(process.execPath, [join(folder, "dist/main.js"), "bench"], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringMatching(/^error\[ERR_UNAVAILABLE\]: polybin bench is in the source only: .*\n$/),
  });
});
