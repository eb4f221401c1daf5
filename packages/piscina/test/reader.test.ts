import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eachSegmentRun, type Segments } from "@polybin/core/backend";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { newControl, stop, takeNext } from "../src/counting/control.ts";
import { eachStep } from "../src/counting/steps.ts";
import { eachRun, readerOf, rowOf } from "../src/input/index.ts";

const SETTINGS = { seed: 1, numRuns: 300 };

/** Tiles of 3 x 2 pixels over an image. */
function tilesOver(imageWidth: number, imageHeight: number): Segments {
  const [columns, rows] = [Math.ceil(imageWidth / 3), Math.ceil(imageHeight / 2)];
  const pixels = imageWidth * imageHeight;
  const size = { width: 3, height: 2, columns, rows, imageWidth, imageHeight };
  return { kind: "tiles", ...size, count: columns * rows, longest: 6, pixels };
}

it("copies any pixels of any rows, in their own order and in the order of tiles", () => {
  const sizes = fc.record({
    width: fc.integer({ min: 1, max: 400 }),
    height: fc.integer({ min: 1, max: 5 }),
    padding: fc.integer({ min: 0, max: 9 }),
    pixelBytes: fc.constantFrom(1, 2, 3, 4, 8),
    offset: fc.integer({ min: 0, max: 8 }),
    isShared: fc.boolean(),
    isTiled: fc.boolean(),
  });
  fc.assert(
    fc.property(sizes, fc.nat(), fc.nat(), (size, a, b) => {
      const { width, height, padding, pixelBytes, offset } = size;
      const rowPitch = width * pixelBytes + padding;
      const memory = new (size.isShared ? SharedArrayBuffer : ArrayBuffer)(offset + height * rowPitch);
      const bytes = new Uint8Array(memory, offset, (height - 1) * rowPitch + width * pixelBytes);
      for (let i = 0; i < bytes.length; i++) bytes[i] = Math.imul(i, 2_654_435_761) >>> 24;
      const pixels = width * height;
      const [first, end] = [a % (pixels + 1), b % (pixels + 1)].sort((x, y) => x - y) as [number, number];
      const order = size.isTiled ? tilesOver(width, height) : null;
      const want: number[] = [];
      const take = (pixel: number, count: number) => {
        for (let at = pixel; at < pixel + count; at++) {
          const start = Math.floor(at / width) * rowPitch + (at % width) * pixelBytes;
          want.push(...bytes.subarray(start, start + pixelBytes));
        }
      };
      if (order === null) take(first, end - first);
      else eachSegmentRun(order, first, end, take);
      const out = new Uint8Array(pixels * pixelBytes);
      const geometry = { width, height, rowPitch, pixelBytes };
      readerOf({ source: { kind: "memory", geometry, bytes, visible: null }, order }, out)(first, end);
      expect([...out.subarray(0, want.length)]).toEqual(want);
      expect(out.subarray(want.length).every((byte) => byte === 0)).toBe(true);
    }),
    SETTINGS,
  );
});

it("finds each run of rows once, and dense pixels in one run", () => {
  const runs: number[][] = [];
  eachRun({ width: 10, height: 3, rowPitch: 16, pixelBytes: 1 }, 5, 20, (...run) => void runs.push(run), 7);
  expect(runs).toEqual([
    [5, 5, 7],
    [16, 10, 12],
    [32, 5, 22],
  ]);
  eachRun(rowOf(30, 2), 5, 20, (...run) => expect(run).toEqual([10, 20, 0]));
});

it("cuts the pixels of a call into steps, each of which one thread takes", () => {
  const control = newControl();
  const steps = { kind: "shared", from: 3, to: 20, pixels: 5, control } as const;
  const seen: number[][] = [];
  takeNext(control);
  eachStep(steps, ({ first, end }) => void seen.push([first, end]));
  expect(seen).toEqual([
    [8, 13],
    [13, 18],
    [18, 20],
  ]);
  const stopped = { ...steps, control: newControl() };
  eachStep(stopped, ({ first }) => {
    expect(first).toBe(3);
    stop(stopped.control);
  });
});

it("names the file that ends while it is read", () => {
  const folder = mkdtempSync(join(tmpdir(), "polybin-reader-"));
  const path = join(folder, "cut");
  writeFileSync(path, new Uint8Array(10));
  const fd = openSync(path, "r");
  onTestFinished(() => {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  });
  const source = { kind: "file", path, fd, offset: 2, geometry: rowOf(100, 1) } as const;
  expect(() => readerOf({ source, order: null }, new Uint8Array(100))(0, 100)).toThrow(
    `expected 92 more bytes at 10 of ${path} but the file ended: it was cut while it was read`,
  );
});
