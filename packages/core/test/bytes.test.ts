import { describe, expect, it } from "vitest";
import { countBytes } from "../src/cpu/bytes.ts";
import { LANES_LEAST } from "../src/cpu/limits.ts";
import { random } from "./helpers.ts";

/** One byte after the other. */
function counted(bytes: Uint8Array, channel: number, stride: number): Float64Array {
  const cells = new Float64Array(256);
  for (let i = channel; i < bytes.length; i += stride) cells[bytes[i]!]! += 1;
  return cells;
}

describe.each([1, 2, 3, 4])("bytes of %i interleaved channels", (stride) => {
  const all = Array.from({ length: stride }, (_, i) => i);
  const subsets = [
    all,
    all.toReversed(),
    [stride - 1],
    all.slice(-2),
    all.slice(-3),
    all.slice(0, 3).toReversed(),
  ];
  const pixels = Math.ceil(LANES_LEAST / stride);

  it.each(subsets)("are counted separately, for any number of samples, channels %j %j %j %j", (...given) => {
    const channels = given.filter((channel) => channel !== undefined);
    const next = random(stride);
    for (const n of [0, 1, 2, 3, pixels - 1, pixels, pixels + 1, pixels + 2, pixels + 3]) {
      for (const value of [() => 7, () => next() * 256]) {
        const bytes = Uint8Array.from({ length: n * stride + 1 }, value).subarray(1);
        const cells = channels.map(() => new Float64Array(256).fill(9));
        countBytes(cells, bytes, channels, stride, false);
        expect(cells).toEqual(channels.map((channel) => counted(bytes, channel, stride)));
        countBytes(cells, bytes, channels, stride, true);
        expect(cells).toEqual(
          channels.map((channel) => counted(bytes, channel, stride).map((count) => 2 * count)),
        );
      }
    }
  });
});
