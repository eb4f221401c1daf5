import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { DAWN } from "@polybin/testbed/dawn";
import { swiftshaderEnv } from "@polybin/testbed/swiftshader";
import { describe, expect, it } from "vitest";

const PROGRAM = fileURLToPath(new URL("./restricted-program.mjs", import.meta.url));

interface Found {
  readonly probes: readonly { readonly available: boolean; readonly reason?: string }[];
  readonly backend: string;
  readonly skipped: readonly { readonly backend: string; readonly reason: string }[];
  readonly counts: readonly number[];
  readonly sums: readonly number[];
}

/** Opens backends in another process. @param missing the name of a global that the process lacks, or "nothing" */
function opened(
  names: readonly string[],
  { flags = [], missing = "nothing", env = {} }: Partial<Lacking> & { readonly env?: object },
): Found {
  const given = [...flags, PROGRAM, missing, ...names];
  const { status, stdout, stderr } = spawnSync(process.execPath, given, {
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Found;
}

interface Lacking {
  readonly flags: readonly string[];
  readonly missing: string;
}

const PERMISSION = ["--permission", "--allow-fs-read=*"];

const PLACES: readonly (readonly [string, Partial<Lacking>, RegExp])[] = [
  ["--jitless", { flags: ["--jitless"] }, /no WebAssembly.*--jitless/],
  ["--permission", { flags: PERMISSION }, /forbids worker threads.*--allow-worker/],
  ["without SharedArrayBuffer", { missing: "SharedArrayBuffer" }, /no SharedArrayBuffer/],
  ["without WebAssembly", { missing: "WebAssembly" }, /no WebAssembly/],
];

describe.each(PLACES)("%s", (_, lacking, reason) => {
  it("a list of backends falls back to core, and says why", () => {
    const found = opened(["webgpu", "cuda", "piscina"], {
      ...lacking,
      env: { VK_ICD_FILENAMES: "/nowhere" },
    });
    expect(found).toMatchObject({ backend: "cpu", counts: [0, 1, 2, 0], sums: [1_000_000, 100_000] });
    expect(found.skipped.map(({ backend }) => backend)).toEqual(["webgpu", "cuda", "piscina"]);
    expect(found.skipped[2]!.reason).toMatch(reason);
    // A probe that calls a backend available must be right.
    expect(found.probes.map((probe) => probe.reason)).toEqual(found.skipped.map((skipped) => skipped.reason));
  });
});

it("core's threads are skipped if Node's permissions forbid them, and need no shared memory", () => {
  const forbidden = opened(["multithreaded"], { flags: PERMISSION });
  expect(forbidden.probes[0]).toMatchObject({
    available: false,
    reason: expect.stringMatching(/--allow-worker/),
  });
  expect(forbidden.skipped).toHaveLength(1);
  const unshared = opened(["multithreaded"], { missing: "SharedArrayBuffer" });
  expect(unshared).toMatchObject({ skipped: [], probes: [{ available: true }], sums: [1_000_000, 100_000] });
});

it("a process that lacks nothing opens the worker pool", () => {
  const found = opened(["piscina"], {});
  expect(found).toMatchObject({ backend: "piscina", skipped: [], probes: [{ available: true }] });
  const allowed = opened(["piscina"], { flags: [...PERMISSION, "--allow-worker"] });
  expect(allowed).toMatchObject({ backend: "piscina", skipped: [] });
});

it("WebGPU needs neither WebAssembly nor shared memory, but addons", async (ctx) => {
  const swiftshader = await swiftshaderEnv();
  if (typeof swiftshader === "string") return ctx.skip(swiftshader);
  const env = { ...swiftshader, DAWN: JSON.stringify(DAWN) };
  for (const lacking of [
    { flags: ["--jitless"] },
    { missing: "SharedArrayBuffer" },
    { missing: "WebAssembly" },
  ]) {
    const found = opened(["swiftshader"], { ...lacking, env });
    expect(found).toMatchObject({
      backend: "webgpu",
      skipped: [],
      counts: [0, 1, 2, 0],
      sums: [1_000_000, 100_000],
    });
  }
  const found = opened(["swiftshader"], { flags: PERMISSION, env });
  expect(found.skipped[0]!.reason).toMatch(/--allow-addons/);
  expect(found.probes[0]!.available).toBe(false);
});
