import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { swiftshaderEnv } from "@polybin/testbed/swiftshader";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const PROGRAM = fileURLToPath(new URL("./probe.ts", import.meta.url));
const ADDON = new URL(`../dist/dawn/stderr-${process.platform}-${process.arch}.node`, import.meta.url);

const swiftshader = await swiftshaderEnv();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "polybin-icd-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The output of the program in an environment that has only the given Vulkan variables. */
async function probed(env: Record<string, string>): Promise<{ printed: unknown; stderr: string }> {
  const clean = Object.entries(process.env).filter(([name]) => !/^(VK_|LD_LIBRARY_PATH$)/.test(name));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [PROGRAM], {
    env: { ...Object.fromEntries(clean), ...env },
    timeout: 100_000,
  });
  return { printed: JSON.parse(stdout), stderr };
}

/** A manifest of a driver that does not exist. */
async function brokenDriver(): Promise<string> {
  const path = join(folder, "broken.json");
  const ICD = { library_path: join(folder, "nowhere.so"), api_version: "1.0.5" };
  await writeFile(path, JSON.stringify({ file_format_version: "1.0.0", ICD }));
  return path;
}

describe("only the program's own output reaches stderr", () => {
  it.for<readonly [string, (env: Record<string, string>) => Promise<Record<string, string>>, object]>([
    ["where a device is found", async (env) => env, { available: true }],
    [
      "where a device is found and another's driver is broken",
      async (env) => ({
        ...env,
        VK_ICD_FILENAMES: `${await brokenDriver()}:${env.VK_ICD_FILENAMES}`,
      }),
      { available: true },
    ],
    [
      "where no driver is found",
      async (env) => ({ ...env, VK_ICD_FILENAMES: join(folder, "none.json") }),
      { available: false, reason: expect.stringMatching(/no driver for it \(.*none\.json\)$/) },
    ],
    [
      "where the only driver is broken",
      async (env) => ({ ...env, VK_ICD_FILENAMES: await brokenDriver() }),
      { available: false, reason: expect.stringMatching(/no driver for it \(.*nowhere\.so/) },
    ],
  ])("%s", async ([, environment, probe], { skip }) => {
    if (typeof swiftshader === "string") return skip(swiftshader);
    if (!existsSync(ADDON)) return skip("the addon that keeps stderr quiet is not built here");
    const { printed, stderr } = await probed(await environment(swiftshader));
    expect(printed).toMatchObject({ first: probe, again: probe });
    // The program writes before, during and after. Its stderr is unchanged.
    expect(stderr).toBe("before\nbetween\nafter\n");
  });

  it("if Vulkan's loader does not exist", async () => {
    const { printed, stderr } = await probed({});
    expect(printed).toHaveProperty("first.available");
    expect(stderr).toBe("before\nbetween\nafter\n");
  });
});

it("the log of Vulkan's loader is written if requested", async ({ skip }) => {
  if (typeof swiftshader === "string") return skip(swiftshader);
  const { stderr } = await probed({ ...swiftshader, VK_LOADER_DEBUG: "all" });
  expect(stderr).toContain("vk_swiftshader_icd.json");
});
