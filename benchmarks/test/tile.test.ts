import { type Axis, cpu, type Engine, integer, openEngine, regular } from "@polybin/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DISTRIBUTIONS } from "../src/data/distributions.ts";
import { difference, pixelBytes, type Shape, Tile } from "../src/data/tile.ts";

let oracle: Engine;
beforeAll(async () => {
  oracle = await openEngine({ backend: cpu() });
});
afterAll(() => oracle.close());

const SHAPES: readonly (readonly [string, Shape, Axis])[] = [
  ["bytes", { type: "u8", top: 256, channels: 1 }, integer(0, 256)],
  ["16-bit integers", { type: "u16", top: 1024, channels: 1 }, integer(0, 1024)],
  ["floats", { type: "f32", top: 1, channels: 1 }, regular(100, 0.1, 0.9)],
  ["pixels", { type: "u8", top: 256, channels: 4 }, integer(0, 256)],
];

describe.each(SHAPES)("%s", (_, shape, axis) => {
  const names = DISTRIBUTIONS.filter((name) => name !== "sorted" || shape.channels === 1);
  it.each(names)("of %s: the tile's counts are those of all that is laid", async (name) => {
    const length = 4096;
    const tile = Tile.of(shape, name, length);
    // Three pieces and a part, a part only; sorted samples only whole.
    for (const pixels of name === "sorted" ? [length, 4 * length] : [3 * length + 500, 77]) {
      const data = tile.lay(new Uint8Array(pixels * pixelBytes(shape)), pixels);
      const found = await oracle.histograms({ data, channels: shape.channels }, { axis });
      expect(difference(await tile.counts(oracle, pixels, { axis }), found)).toBeNull();
      expect(found[0]!.sum({ flow: true })).toBe(pixels);
    }
  });
});

it("lays sorted samples in order over the whole length", () => {
  const data = Tile.of({ type: "u8", top: 256, channels: 1 }, "sorted", 1024).lay(new Uint8Array(4096), 4096);
  expect(data).toEqual(data.toSorted());
  expect([data[0], data[4095]]).toEqual([0, 255]);
  const tile = Tile.of({ type: "u8", top: 256, channels: 1 }, "sorted", 1024);
  expect(() => tile.lay(new Uint8Array(1500), 1500)).toThrow("expected a multiple of 1024 sorted samples");
});

it("says where counts differ", async () => {
  const truth = [{ counts: [1, 2], underflow: 0, overflow: 0, nan: 0 }];
  expect(difference(truth, [{ ...truth[0]!, counts: [1, 3] }])).toBe(
    "channel 0, bin 1: expected 2 but received 3",
  );
  expect(difference(truth, [{ ...truth[0]!, nan: 1 }])).toBe("nan: expected 0 but received 1");
  expect(difference(truth, [])).toBe("channel 0 is missing");
});
