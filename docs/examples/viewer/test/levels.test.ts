// The levels that the device finds, and the picture that it shows, next to those of a loop over the same pixels. In Node.
import { openEngine } from "@polybin/core";
import { platformProblem } from "@polybin/testbed/archives";
import { DAWN } from "@polybin/testbed/dawn";
import { webgpu } from "@polybin/webgpu";
import { expect, test } from "vitest";
import { create } from "webgpu";
import { createReader, levelsOf } from "../replaced.js";
import { createScene } from "../scene.js";
import { createViewer } from "../viewer.js";

const SIZE: [number, number] = [67, 40];
const gpu = create([...DAWN]);

async function wordsOf(device: GPUDevice, buffer: GPUBuffer): Promise<ArrayBuffer> {
  const copy = device.createBuffer({ size: buffer.size, usage: 8 | 1 });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, copy, 0, buffer.size);
  device.queue.submit([encoder.finish()]);
  await copy.mapAsync(1);
  return copy.getMappedRange().slice(0);
}

test("the levels on the device are those of a loop over the pixels, and stretch the frame", async (context) => {
  const adapter = await gpu.requestAdapter();
  if (adapter === null) {
    expect(platformProblem(), "the install brings SwiftShader here").not.toBeNull();
    return context.skip("Dawn finds no adapter");
  }
  const device = await adapter.requestDevice();
  const errors: string[] = [];
  device.addEventListener("uncapturederror", ({ error }) => errors.push(error.message));
  await using engine = await openEngine({ backend: webgpu({ device }) });
  const viewer = await createViewer(device, engine, { size: SIZE, format: "rgba8unorm" });
  const scene = await createScene(device, viewer.frame);
  const target = device.createTexture({ size: SIZE, format: "rgba8unorm", usage: 16 | 1 });
  const [frame, shown] = [createReader(device, viewer.frame), createReader(device, target)];
  const split = 20;
  viewer.splitAt(split);

  const found: number[][] = [];
  for (const [seconds, clip] of [
    [0, 0],
    [1.5, 0.005],
    [3, 0.2],
  ] as const) {
    viewer.set({ clip, speed: 1 });
    const encoder = device.createCommandEncoder();
    scene.paint(encoder, seconds);
    await viewer.measure(encoder, { check: true });
    viewer.show(encoder, target.createView());
    device.queue.submit([encoder.finish()]);

    const pixels = await frame.read((bytes) => bytes.slice());
    const shape = { width: SIZE[0], height: SIZE[1], pitch: 512 };
    const levels = levelsOf(pixels, shape, clip);
    const words = await wordsOf(device, viewer.levels);
    expect([...new Uint32Array(words, 8, 2)]).toEqual(levels);
    found.push(levels);

    const [low, high] = levels as [number, number];
    const drawn = await shown.read((bytes) => bytes.slice());
    for (let y = 0; y < SIZE[1]; y++) {
      for (let x = 0; x < SIZE[0]; x++) {
        for (let c = 0; c < 3; c++) {
          const at = y * 512 + x * 4 + c;
          const value = pixels[at]!;
          const right =
            x < split ? value : (Math.min(Math.max(value, low), high) - low) * (255 / (high - low));
          expect(Math.abs(drawn[at]! - right)).toBeLessThanOrEqual(1);
        }
      }
    }
  }
  // Three frames with three pairs of levels: none of them was left over from another.
  expect(new Set(found.map(String)).size).toBe(3);
  expect(errors).toEqual([]);
});
