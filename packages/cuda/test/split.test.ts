import { expect, it } from "vitest";
import { split } from "../src/memory/split.ts";

const ALIGN = 64;

it.each([
  [0, 1],
  [0, 3],
  [1, 1],
  [1, 2],
  [63, 2],
  [64, 2],
  [65, 2],
  [128, 2],
  [1001, 3],
  [1_000_003, 4],
  [2 ** 32 + 2 ** 20 + 3, 8],
  [2 ** 53 - 1, 16],
])("%i pixels for %i devices lie in parts, in order and without gaps", (pixels, devices) => {
  const parts = split(pixels, devices);
  let next = 0;
  for (const { first, pixels: many, device } of parts) {
    expect(first).toBe(next);
    expect(first % ALIGN).toBe(0);
    expect(many).toBeGreaterThan(0);
    expect(device).toBeLessThan(devices);
    next = first + many;
  }
  expect(next).toBe(pixels);
  expect(new Set(parts.map(({ device }) => device)).size).toBe(parts.length);
  const sizes = parts.slice(0, -1).map((part) => part.pixels);
  expect(Math.max(0, ...sizes) - Math.min(...sizes, Math.max(0, ...sizes))).toBeLessThanOrEqual(ALIGN);
});

it("gives each device some as soon as there is a group for each", () => {
  expect(split(4 * ALIGN, 4).map(({ pixels }) => pixels)).toEqual([ALIGN, ALIGN, ALIGN, ALIGN]);
  expect(split(3 * ALIGN + 1, 4).map(({ pixels }) => pixels)).toEqual([ALIGN, ALIGN, ALIGN, 1]);
  expect(split(1, 4)).toEqual([{ device: 0, first: 0, pixels: 1 }]);
});
