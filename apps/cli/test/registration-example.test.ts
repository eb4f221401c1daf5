// docs/examples/registration, as its README runs it. packages/webgpu/test/registration.nightly.test.ts runs it on
// SwiftShader.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cpu, openEngine } from "@polybin/core";
import { cuda } from "@polybin/cuda";
import { piscina } from "@polybin/piscina";
import { expect, test } from "vitest";

const EXAMPLE = new URL("../../../docs/examples/registration/", import.meta.url);
const { slice } = await import(new URL("phantom.js", EXAMPLE).href);
const { register } = await import(new URL("register.js", EXAMPLE).href);
const { halved, sampled, smoothed } = await import(new URL("transform.js", EXAMPLE).href);

const STILL = { degrees: 0, shift: [0, 0] };
const TRUTH = { degrees: 7.5, shift: [11.25, -4.5] };
const WITHIN = 0.1;

test.for([cpu(), piscina(), cuda()].map((backend) => [backend.id, backend] as const))(
  "%s finds the transform",
  async ([, backend], context) => {
    const probe = await backend.probe();
    if (!probe.available) return context.skip(probe.reason);
    await using engine = await openEngine({ backend });
    const found = await register(engine, slice(256, 0, STILL), slice(256, 1, TRUTH));
    expect(Math.abs(found.degrees - TRUTH.degrees)).toBeLessThan(WITHIN);
    expect(Math.abs(found.shift[0] - TRUTH.shift[0]!)).toBeLessThan(WITHIN);
    expect(Math.abs(found.shift[1] - TRUTH.shift[1]!)).toBeLessThan(WITHIN);
    expect(found.evaluations).toBeGreaterThan(50);
  },
);

test("the program prints the transform and evaluations per second of each backend", async () => {
  const main = fileURLToPath(new URL("main.js", EXAMPLE));
  const { stdout } = await promisify(execFile)(process.execPath, [main]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => line.split(/:| does/)[0])).toEqual(["cpu", "piscina", "webgpu", "cuda"]);
  const found = lines.filter((line) => !line.includes("does not work here"));
  expect(found.length).toBeGreaterThanOrEqual(2);
  const line = /^\w+: ([\d.]+) degrees, shift \(([\d.]+), (-[\d.]+)\); \d+ evaluations, \d+ per second$/;
  // The counts are the same everywhere, and so is the way of the search.
  const transforms = found.map((text) => line.exec(text)!.slice(1).map(Number));
  for (const [degrees, x, y] of transforms) {
    expect([degrees, x, y]).toEqual(transforms[0]);
    expect(degrees! - 7.5).toBeCloseTo(0, 0);
  }
});

test("a moved slice is the still one, looked up under the transform", () => {
  const size = 64;
  const still = slice(size, 0, STILL);
  const moved = slice(size, 0, { degrees: 5, shift: [3, -2] });
  const back: Float32Array = sampled(moved, { degrees: 5, shift: [3, -2] }, 1);
  const inside = [...back.keys()].filter((i) => !Number.isNaN(back[i]!));
  expect(inside.length).toBeGreaterThan(0.85 * size * size);
  expect(inside.length).toBeLessThan(size * size);
  const mean = inside.reduce((sum, i) => sum + Math.abs(back[i]! - still.data[i]!), 0) / inside.length;
  // Noise and interpolation alone. Without the transform it is far more.
  expect(mean).toBeLessThan(4);
  const unmoved =
    inside.reduce((sum, i) => sum + Math.abs(moved.data[i]! - still.data[i]!), 0) / inside.length;
  expect(unmoved).toBeGreaterThan(2 * mean);
});

test("pixels are interpolated, halved and smoothed by hand", () => {
  const picture = { data: Float32Array.of(0, 4, 8, 0, 4, 8, 4, 8, 16), width: 3, height: 3 };
  const shifted = sampled(picture, { degrees: 0, shift: [0.5, 0.25] }, 1);
  expect([...shifted]).toEqual([2, 6, Number.NaN, 3, 7.5, Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  // A shift of the full picture is half as many pixels of the half one.
  expect(sampled(picture, { degrees: 0, shift: [1, 0.5] }, 2)).toEqual(shifted);
  expect(halved(picture)).toEqual({ data: Float32Array.of(2), width: 1, height: 1 });
  expect([...smoothed(picture).data]).toEqual([0, 4, 8, 0, 5.25, 8, 4, 8, 16]);
});
