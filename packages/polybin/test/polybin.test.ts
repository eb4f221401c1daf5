import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openEngine as openCore } from "@polybin/core";
import { afterAll, describe, expect, it } from "vitest";
import { histogram, histograms, integer, joint, openEngine, regular } from "../dist/node.js";
import * as page from "../dist/page.js";

const own = fileURLToPath(new URL("..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "polybin-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const values = Float64Array.from({ length: 5000 }, (_, i) => Math.sin(i) * 20);

describe("calls without an engine", () => {
  it("count as core does, whatever was counted before", async () => {
    const core = await openCore();
    const calls = [
      { bins: 7 },
      { bins: [0, 1, 10] },
      { axis: integer(-3, 3) },
      { bins: 7, range: [0, 1] as const },
      { bins: 7 },
    ];
    for (const options of calls) {
      const found = await histogram(values, options as object);
      const expected = await core.histogram(values, options as object);
      expect([...found.counts, ...found.edges]).toEqual([...expected.counts, ...expected.edges]);
    }
    const pixels = { data: Uint8Array.of(1, 2, 3, 4, 5, 6), channels: 3 };
    expect((await histograms(pixels)).map((one) => one.counts.findIndex((n) => n > 0))).toEqual([1, 2, 3]);
    const both = await joint([values, values], { axes: [regular(2, -20, 20), regular(2, -20, 20)] });
    expect(both.counts[1]).toBe(0);
    await core.close();
  });

  it("run at the same time on one engine", async () => {
    const all = await Promise.all(Array.from({ length: 50 }, (_, i) => histogram(values, { bins: i + 1 })));
    expect(all.map((one) => one.sum())).toEqual(Array(50).fill(5000));
  });

  it("reject with the engine's errors, and count afterwards", async () => {
    await expect(histogram(values, { bin: 3 } as object)).rejects.toThrow(/^did you mean bins\?/);
    await expect(histogram("text" as never)).rejects.toMatchObject({ code: "ERR_INPUT" });
    expect((await histogram(values)).sum()).toBe(5000);
  });
});

describe("openEngine", () => {
  it("opens the backend that the calls use, unless another one is asked for", async () => {
    await using best = await openEngine();
    expect(best.backend).toBe((await histogram(values)).backend);
    await using chosen = await openEngine({ backends: [] });
    expect(chosen.backend).toBe("cpu");
  });
});

describe("in a page", () => {
  it("core counts", async () => {
    expect((await page.histogram(values, { bins: 3 })).backend).toBe("cpu");
    expect(Object.keys(page).sort()).toEqual(Object.keys(await import("../dist/node.js")).sort());
  });
});

/** The files of a package without its addon. */
function copyTo(folder: string, from: string): void {
  for (const part of ["package.json", "bin", "dist"]) {
    if (!existsSync(join(from, part))) continue;
    const filter = (file: string): boolean => !file.endsWith(".node");
    cpSync(join(from, part), join(folder, part), { recursive: true, filter });
  }
}

/** Runs a program in a folder that has these packages installed. */
async function run(packages: readonly string[], args: readonly string[]) {
  const folder = mkdtempSync(join(scratch, "project-"));
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@polybin"), { recursive: true });
  // Copies, because Node looks for dependencies where a file really lies.
  copyTo(join(modules, "polybin"), own);
  for (const name of packages) {
    const [of, how] = name.split(" ");
    const from = realpathSync(join(own, "node_modules", of!));
    if (how === "unbuilt") copyTo(join(modules, of!), from);
    else symlinkSync(from, join(modules, of!));
  }
  // It would have all packages of the workspace.
  const env = { ...process.env, NODE_PATH: undefined };
  return promisify(execFile)(process.execPath, [...args], { cwd: folder, env }).catch((error) => error);
}

const COUNT = `import { histogram, openEngine } from "polybin";
const found = await histogram([1, 2, 2.5], { bins: 2 });
const engine = await openEngine();
console.log([...found.counts].join(), engine.backend, engine.skipped.map(({ reason }) => reason).join());`;

describe("a program ends without close", () => {
  it.each([
    [["@polybin/core", "@polybin/native"], /^1,2 (native \n|cpu )/],
    [["@polybin/core", "@polybin/native unbuilt", "@polybin/piscina"], /^1,2 piscina the addon could not be/],
    [
      ["@polybin/core", "@polybin/native unbuilt"],
      /^1,2 cpu the addon .*,@polybin\/piscina is not installed/,
    ],
  ])("with %o", async (packages, expected) => {
    const { stdout, stderr } = await run(packages, ["--input-type=module", "-e", COUNT]);
    expect(stderr).toBe("");
    expect(stdout).toMatch(expected);
  });
});

describe("the command", () => {
  it("says how to install it", async () => {
    const { code, stderr } = await run([], ["node_modules/polybin/bin/polybin.js"]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      "error[ERR_UNAVAILABLE]: expected the command polybin but it is not installed; run npm install @polybin/cli\n",
    );
  });

  it("runs where it is installed", async () => {
    const { stdout } = await run(["@polybin/cli"], ["node_modules/polybin/bin/polybin.js", "--version"]);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
