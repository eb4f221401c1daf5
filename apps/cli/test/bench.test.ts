import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { MAIN, polybin, scratch } from "./command.ts";

test("bench hands its arguments to the benchmarks, and ends as they do", async () => {
  const help = await polybin(["bench", "--help"]);
  expect({ code: help.code, stderr: help.stderr }).toEqual({ code: 0, stderr: "" });
  expect(help.stdout).toMatch(/^Usage: polybin bench/);
  const args = "bench --quick --backend cpu --peers none --n 4096 --algorithm sequential --json -".split(" ");
  const { code, stdout, stderr } = await polybin(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout).rows).toMatchObject([
    { backend: "cpu", algorithm: "sequential", n: 4096, exact: true },
  ]);
  expect(await polybin(["bench", "--quick", "--n", "8", "--n", "9"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error\[ERR_INPUT\]: .*--n once/),
  });
  expect(await polybin(["bench", "--nope"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error\[ERR_INPUT\]/),
  });
});

test("^C in a terminal, which tells the whole group, leaves a file that says so", {
  timeout: 120_000,
}, async () => {
  const file = join(scratch(), "out.json");
  const args = [MAIN, "bench", "--quick", "--backend", "cpu", "--peers", "none", "--json", file];
  const child = spawn(process.execPath, args, { detached: true, stdio: "ignore" });
  const ended = once(child, "close");
  const rows = () => (existsSync(file) ? /"rows":\[\{/.test(readFileSync(file, "utf8")) : false);
  while (!rows()) await sleep(20);
  process.kill(-child.pid!, "SIGINT");
  expect(await ended).toEqual([130, null]);
  const { missing } = JSON.parse(readFileSync(file, "utf8"));
  expect(missing.at(-1)).toBe("the rest: a signal ended the run");
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
    stderr: expect.stringMatching(
      /^error\[ERR_UNAVAILABLE\]: polybin bench needs a checkout of the source; .*\n$/,
    ),
  });
});
