import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { create, globals } from "webgpu";
import { swiftshaderEnv } from "../src/swiftshader.ts";
import { runTinyShader, TINY_ANSWER } from "./tiny-shader.ts";

Object.assign(globalThis, globals);

it("a test runs WGSL on SwiftShader", async (ctx) => {
  const env = await swiftshaderEnv();
  if (typeof env === "string") return ctx.skip(env);
  let gpu: GPU | null = create([]);
  const { device, sums } = await runTinyShader(gpu);
  gpu = null;
  expect(sums).toEqual(TINY_ANSWER);
  // If another driver is chosen, vitest.config.ts does not change it.
  if (process.env.VK_ICD_FILENAMES === env.VK_ICD_FILENAMES) expect(device).toContain("SwiftShader");
});

it("a process started with swiftshaderEnv() runs WGSL and ends without help", async (ctx) => {
  const env = await swiftshaderEnv();
  if (typeof env === "string") return ctx.skip(env);
  const script = fileURLToPath(new URL("tiny-process.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script], {
    env: { ...process.env, ...env },
    timeout: 60_000,
  });
  expect(JSON.parse(stdout)).toMatchObject({
    device: expect.stringContaining("SwiftShader"),
    sums: TINY_ANSWER,
  });
});
