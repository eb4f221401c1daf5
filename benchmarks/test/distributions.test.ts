import { expect, it } from "vitest";
import { DISTRIBUTIONS, fill } from "../src/data/distributions.ts";

it.each(DISTRIBUTIONS)("%s stays below the top and is the same every time", (name) => {
  const floats = new Float32Array(10_000);
  fill(floats, name, 1);
  expect(floats.every((value) => value >= 0 && value < 1)).toBe(true);
  const [bytes, again] = [new Uint8Array(10_000), new Uint8Array(10_000)];
  fill(bytes, name);
  fill(again, name);
  expect(bytes).toEqual(again);
});
