import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { polybin } from "./command.ts";

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
  expect((await polybin(["backends"])).stdout).toMatch(/^cpu +available/);
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

test("without arguments: real bytes and the sample picture on every backend, which agree", async () => {
  const { code, stdout, stderr } = await polybin([]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("evening.png");
  expect(stdout).toMatch(/^cpu .* [\d.]+ [GM]B\/s/m);
  expect(stdout).toMatch(/agrees? on every bin\.\n$/);
});
