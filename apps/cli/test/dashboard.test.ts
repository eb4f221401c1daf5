import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { MAIN, polybin } from "./command.ts";

test("dashboard prints where it listens, serves, and ends when it is told to", async () => {
  const child = spawn(process.execPath, [MAIN, "dashboard", "--port", "0"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [origin] = (await once(createInterface(child.stdout), "line")) as [string];
  expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await (await fetch(origin)).text()).toContain("polybin");
  const { backends } = (await (await fetch(`${origin}/api/status`)).json()) as { backends: unknown };
  expect(backends).toEqual(JSON.parse((await polybin(["backends", "--json"])).stdout));
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  expect(code).toBe(128 + 15);
});

test.each(["x", "-1", "65536", "1.5"])("dashboard --port=%s is wrong use", async (port) => {
  const { code, stdout, stderr } = await polybin(["dashboard", `--port=${port}`]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^error\[ERR_INPUT\]: expected .* --port .*\n$/);
});
