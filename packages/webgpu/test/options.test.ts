import { openEngine } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";
import { expect, it } from "vitest";
import { absence, DAWN, userDevice } from "./shared.ts";

const reason = await absence();
const needsDevice = reason === null ? it : (name: string, _: unknown) => it(name, ({ skip }) => skip(reason));

const WRONG: readonly (readonly [string, unknown])[] = [
  ["a name that is none", { devcie: 1 }],
  ["no device", { device: {} }],
  ["null for a device", { device: null }],
  ["another preference", { powerPreference: "fast" }],
  ["fallback, which is openEngine's,", { fallback: true }],
  ["no flags", { dawn: "x" }],
  ["no objects", null],
];

it.each(WRONG)("%s among the options is ERR_INPUT", (_, options) => {
  expect(() => webgpu(options as object)).toThrow(expect.objectContaining({ code: "ERR_INPUT" }));
});

it("inherited properties are no options", () => {
  const inherited = Object.fromEntries([
    ...WRONG.flatMap(([, wrong]) => Object.entries(wrong ?? {})),
    ["kernels", 1],
  ]);
  expect(webgpu(Object.create(inherited) as object).id).toBe("webgpu");
});

needsDevice("a lost device that is handed in is unavailable, and the next backend is taken", async () => {
  const device = await userDevice();
  device.destroy();
  await device.lost;
  const backend = webgpu({ device });
  expect(await backend.probe()).toMatchObject({ available: false });
  await expect(backend.open()).rejects.toMatchObject({ code: "ERR_UNAVAILABLE" });
  await using engine = await openEngine({ backends: [backend] });
  expect(engine.backend).toBe("cpu");
  expect(engine.skipped[0]!.reason).toMatch(/is lost/);
});

needsDevice("a device with few threads a block counts with every algorithm", async () => {
  const { create } = await import("webgpu");
  const gpu = create([...DAWN]);
  const adapter = await gpu.requestAdapter({ featureLevel: "compatibility" });
  const device = await adapter!.requestDevice();
  expect(device.limits.maxComputeInvocationsPerWorkgroup).toBe(128);
  {
    await using engine = await openEngine({ backend: webgpu({ device }) });
    const bytes = Uint8Array.from({ length: 10_001 }, (_, i) => (i * i) >> 5);
    const expected = new Float64Array(256);
    for (const byte of bytes) expected[byte]! += 1;
    for (const algorithm of engine.algorithms.filter((slug) => slug !== "per-thread-64")) {
      const { counts } = await engine.histogram(bytes, { algorithm });
      expect(counts, algorithm).toEqual(expected);
    }
  }
  device.destroy();
  // Dawn's instance must live longer than the objects that it created.
  expect(gpu).toBeDefined();
});
