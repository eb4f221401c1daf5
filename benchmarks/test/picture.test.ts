import { expect, it } from "vitest";
import { planeOf, rgbaOf, samplePicture, tiled } from "../src/data/picture.ts";

it("decodes the sample picture: blue above, the sun where it was drawn", () => {
  const { width, height, rgb } = samplePicture();
  expect([width, height, rgb.length]).toEqual([640, 480, 640 * 480 * 3]);
  const at = (x: number, y: number) => [...rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
  for (const [place, colour] of [
    [at(10, 0), [28, 44, 104]],
    [at(430, 235), [255, 250, 226]],
  ] as const) {
    for (const [i, value] of colour.entries()) expect(Math.abs(place[i]! - value)).toBeLessThanOrEqual(2);
  }
});

it("takes planes, adds alpha, and tiles", () => {
  const picture = { width: 2, height: 1, rgb: Uint8Array.of(1, 2, 3, 4, 5, 6) };
  expect(planeOf(picture, 1)).toEqual(Uint8Array.of(2, 5));
  expect(rgbaOf(picture, 0)).toEqual(Uint8Array.of(1, 2, 3, 0, 4, 5, 6, 0));
  expect(tiled(planeOf(picture, 1), picture, 3)).toEqual(Uint8Array.of(2, 5, 2, 2, 5, 2, 2, 5, 2));
});
