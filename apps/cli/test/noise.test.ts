import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { swiftshaderEnv } from "@polybin/testbed/swiftshader";
import { expect, type TestContext, test } from "vitest";
import { file, MAIN, noise, scratch } from "./command.ts";

const platform = `${process.platform}-${process.arch}`;
const ADDON = fileURLToPath(
  new URL(`../../../packages/webgpu/dist/dawn/stderr-${platform}.node`, import.meta.url),
);
const swiftshader = await swiftshaderEnv();

/** Runs the command with SwiftShader and a driver that cannot be loaded, or with that one alone. */
function withBrokenDriver({ skip }: TestContext, args: readonly string[], alone = false) {
  if (typeof swiftshader === "string") return skip(swiftshader);
  if (!existsSync(ADDON)) return skip("the addon that keeps stderr quiet is not built here");
  const broken = join(scratch(), "broken.json");
  const ICD = { library_path: join(scratch(), "nowhere.so"), api_version: "1.0.5" };
  writeFileSync(broken, JSON.stringify({ file_format_version: "1.0.0", ICD }));
  const drivers = alone ? broken : `${broken}:${swiftshader.VK_ICD_FILENAMES}`;
  const { VK_LOADER_DEBUG: _, ...clean } = process.env;
  const env = { ...clean, ...swiftshader, VK_ICD_FILENAMES: drivers, NO_COLOR: "1" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { env, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("a driver's noise stays away from a command that succeeds", (context) => {
  const counted = withBrokenDriver(context, ["hist", file("b", noise(500)), "--backend", "webgpu"]);
  expect(counted).toMatchObject({ status: 0, stderr: "" });
  expect(counted.stdout).toContain("webgpu (");
  expect(withBrokenDriver(context, ["backends"])).toMatchObject({ status: 0, stderr: "" });
});

test("what failed stays in sight when the command fails", (context) => {
  const { status, stdout, stderr } = withBrokenDriver(
    context,
    ["hist", file("b", noise(500)), "--backend", "webgpu"],
    true,
  );
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(/^error\[ERR_UNAVAILABLE\]: .*nowhere\.so.*\n$/);
});
