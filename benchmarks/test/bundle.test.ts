import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writePrograms } from "../bundle/programs.ts";
import type { Results } from "../src/runner/row.ts";

// The archive of gpu:bundle needs nvcc. Its programs do not, and a change of a package's files can break them.
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
let folder = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "polybin-bundle-test-"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  mkdirSync(join(folder, "node_modules"));
  for (const [owner, name] of [
    ["benchmarks", "webgpu"],
    ["packages/piscina", "piscina"],
  ] as const) {
    symlinkSync(realpathSync(join(ROOT, owner, "node_modules", name)), join(folder, "node_modules", name));
  }
  await writePrograms(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (program: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, program), ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
};

it("the program for GPU machines starts, and counts exactly in processes of its own", {
  timeout: 60_000,
}, () => {
  expect(run("program/gpu.mjs")).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^usage: run axes/),
  });
  const size = "--quick --only u8 --budget 60 --out .".split(" ");
  const { status, stderr } = run("program/gpu.mjs", "bench", "cpu", ...size);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const { rows } = JSON.parse(readFileSync(join(folder, "cpu.json"), "utf8")) as Results;
  for (const who of ["cpu", "piscina", "js-loop"])
    expect(rows.some(({ backend, peer, exact }) => (backend ?? peer) === who && exact)).toBe(true);
});

it("the archive's tasks read a file and count groups", { timeout: 60_000 }, () => {
  const { status, stderr } = run(
    "program/gpu.mjs",
    ..."bench tasks --quick --only file,groups --out .".split(" "),
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const { rows, missing } = JSON.parse(readFileSync(join(folder, "tasks.json"), "utf8")) as Results;
  expect(missing.filter((line) => /^(cpu|native|numpy|js-loop), .*(ended|answer)/.test(line))).toEqual([]);
  for (const task of ["file", "groups"])
    expect(rows.some(({ backend, type, exact }) => backend === "cpu" && type === task && exact)).toBe(true);
});

it("the program that provokes faults is one file, which only lacks the addon", () => {
  const { status, stdout } = run("program/provoke.mjs", join(folder, "none.node"));
  expect(status).toBe(1);
  const results: { reason: string }[] = JSON.parse(stdout);
  expect(results.length).toBeGreaterThan(10);
  for (const { reason } of results)
    expect(reason).toMatch(
      /no CUDA device|expected a device|the addon could not be|Cannot find module '\S+\.node'/,
    );
});
