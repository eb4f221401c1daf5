import { openEngine } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";
import { expect, it } from "vitest";
import { deviceLimits } from "../src/platform/capabilities.ts";
import { isSoftware } from "../src/platform/software.ts";
import { absence, backend, userDevice } from "./shared.ts";

const reason = await absence();
const needsDevice = reason === null ? it : (name: string, _: unknown) => it(name, ({ skip }) => skip(reason));

const NOTHING = { vendor: "", architecture: "", device: "", description: "", isFallbackAdapter: false };
const told = (info: Partial<GPUAdapterInfo>) => ({ info: { ...NOTHING, ...info } as GPUAdapterInfo });

it.each([
  ["what the specification says", told({ isFallbackAdapter: true })],
  ["what an adapter itself used to say", { ...told({}), isFallbackAdapter: true }],
  ["SwiftShader in Chromium", told({ vendor: "google", architecture: "swiftshader" })],
  ["SwiftShader in Dawn", told({ description: "SwiftShader driver 5.0.0" })],
  ["llvmpipe in Firefox", told({ device: "llvmpipe (LLVM 19.1.7, 256 bits)" })],
  ["Mesa's drivers on the CPU, in Chromium", told({ vendor: "mesa", architecture: "software" })],
  ["lavapipe", told({ description: "Lavapipe Vulkan driver" })],
  ["WARP in Chromium", told({ vendor: "microsoft", architecture: "warp" })],
  ["WARP by its device", told({ description: "Microsoft Basic Render Driver" })],
])("an adapter that computes on the CPU is known by %s", (_, adapter) => {
  expect(isSoftware(adapter)).toBe(true);
});

it.each([
  ["tells nothing", told({})],
  ["is NVIDIA's", told({ vendor: "nvidia", architecture: "hopper", device: "NVIDIA H200" })],
  ["is Intel's by Mesa", told({ vendor: "intel", description: "Mesa Intel(R) Graphics (RPL-S)" })],
  ["has a name with such a word in it", told({ device: "Warpdrive 9" })],
])("a GPU that %s is none of software", (_, adapter) => {
  expect(isSoftware(adapter)).toBe(false);
});

needsDevice("on a device of software the probe says so, and a list passes it over", async () => {
  expect(await backend().probe()).toMatchObject({ available: true, software: true });
  {
    await using engine = await openEngine({ backends: [backend()] });
    expect(engine.backend).toBe("cpu");
    expect(engine.skipped[0]!.reason).toMatch(/^swiftshader.*the CPU emulates.*fallback: true/i);
  }
  await using engine = await openEngine({ backends: [backend()], fallback: true });
  expect(engine).toMatchObject({ backend: "webgpu", skipped: [] });
});

needsDevice("a user's device of software is one, too, and gets plans of few blocks", async () => {
  const device = await userDevice();
  expect(await webgpu({ device }).probe()).toMatchObject({ available: true, software: true });
  const { units, generic } = deviceLimits(device);
  expect(units).toBe(2);
  expect(generic).toBe(true);
  device.destroy();
});
