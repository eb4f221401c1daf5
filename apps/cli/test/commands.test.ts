import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MAIN, polybin } from "./command.ts";

test("backends lists every backend, whether it works here and why not", async () => {
  const { stdout, code } = await polybin(["backends", "--json"]);
  expect(code).toBe(0);
  const listed = JSON.parse(stdout);
  expect(listed.map(({ id }: { id: string }) => id)).toEqual(["cpu", "piscina", "native", "webgpu", "cuda"]);
  for (const backend of listed) {
    expect(Object.keys(backend)).toEqual([
      "id",
      "available",
      "reason",
      "device",
      "software",
      "algorithms",
      "weighted",
    ]);
    expect(backend.reason === null).toBe(backend.available);
    expect(backend.device === null).toBe(!backend.available);
  }
  expect(listed[0]).toMatchObject({ available: true });
  expect(listed[0].algorithms).toContain("sequential");
  expect(listed[0].weighted).toContain("weighted-fixed-point");
  expect((await polybin(["backends", "--verbose"])).stdout).toMatch(/^cpu +available/);
  const { stdout: short } = await polybin(["backends"]);
  const lines = short.trimEnd().split("\n");
  expect(lines).toHaveLength(listed.length + 2);
  expect(short).not.toMatch(/node_modules|\.node/);
  for (const [i, { available }] of listed.entries()) {
    expect(lines[i]).toMatch(available ? /^\w+ +\d* ?\w/ : /^\w+ +not here: \w/);
  }
});

test("--help and --version", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(await polybin(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  for (const args of [["--help"], ["hist", "--help"], ["weighted", "--help"], ["backends", "--help"]]) {
    const { code, stdout, stderr } = await polybin(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Usage: polybin/);
  }
});

test("demo: real bytes and the sample picture on every backend, which agree", async () => {
  const { code, stdout, stderr } = await polybin(["demo"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("evening.png");
  expect(stdout).toMatch(/^cpu .* [\d.]+ [GM]B\/s/m);
  expect(stdout).toMatch(/agrees? on every bin\.\n$/);
});

test("without arguments: the demonstration, unless a pipe holds something to count", async () => {
  const { status, stdout } = spawnSync(process.execPath, [MAIN], {
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
  });
  expect(status).toBe(0);
  expect(stdout).toMatch(/agrees? on every bin\.\n$/);
  expect((await polybin([], Uint8Array.of(1, 200))).stdout).toMatch(/^standard input {2}2 values of u8/);
});
