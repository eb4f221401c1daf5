import { describeBackend } from "@polybin/conformance";
import { openEngine, type SegmentsInit } from "@polybin/core";
import { afterAll, describe, expect, it } from "vitest";
import { CudaDevice } from "../src/device.ts";
import { H200, hosted, hostedBackend, NOT_BUILT } from "./host/backend.ts";

// Two devices that each have a part of the samples. Both count the segments that the border cuts.
describeBackend(
  () => {
    const native = hosted();
    return {
      ...hostedBackend(),
      id: "two",
      open: async () =>
        new CudaDevice("two", H200, [new native!.Context(0, false), new native!.Context(0, false)]),
    };
  },
  { describe, it, afterAll },
  {
    filter: ({ topic, name }) => topic === "segments" || (topic === "large requests" && /segment/.test(name)),
  },
);

/** Slightly more than a piece, which is the amount that is copied to the device at a time. */
const WIDTH = 8_000;
const HEIGHT = 4_300;
const HOW: readonly SegmentsInit[] = [
  { every: 100_000 },
  { every: 30_000_000 },
  { offsets: [5, 5, 20_000_000, 33_554_400, 33_554_500, WIDTH * HEIGHT - 1] },
  { tiles: { width: 3_000, height: 500 } },
];

it.for(HOW)("pieces cut segments: %j", { timeout: 120_000 }, async (how, { skip }) => {
  if (hosted() === null) return skip(NOT_BUILT);
  await using engine = await openEngine({ backend: hostedBackend() });
  const data = new Uint8Array(WIDTH * HEIGHT);
  for (let i = 0; i < data.length; i++) data[i] = (i * 7 + (i >> 13)) & 255;
  const found = await engine.segments({ data, width: WIDTH }, how);
  const counts = new Uint32Array(found.segments * 256);
  for (let i = 0; i < data.length; i++) {
    const segment = segmentOf(how, i);
    if (segment >= 0) counts[segment * 256 + data[i]!]! += 1;
  }
  expect(found.counts).toEqual(counts);
});

it("rows that stay reuse freed memory, and have none of its content", async ({ skip }) => {
  if (hosted() === null) return skip(NOT_BUILT);
  await using engine = await openEngine({ backend: hostedBackend() });
  const leave = (value: number) =>
    engine.segments(new Uint8Array(5 * 4096 + 7).fill(value), { every: 4096 }, { leave: true });
  const first = await leave(3);
  const second = await leave(4);
  await first.free();
  // It has the size of the first. The others are held and have another size.
  const third = await leave(200);
  const fewer = await engine.segments(new Uint8Array(600).fill(1), { every: 600 }, { leave: true });
  for (const [left, value] of [
    [second, 4],
    [third, 200],
  ] as const) {
    const counts = new Uint32Array(6 * 256);
    for (let row = 0; row < 6; row++) counts[row * 256 + value] = row < 5 ? 4096 : 7;
    expect((await left.read()).counts).toEqual(counts);
  }
  await second.free();
  await third.free();
  expect((await fewer.read()).counts[1]).toBe(600);
  await expect(first.read()).rejects.toMatchObject({ code: "ERR_INPUT" });
});

function segmentOf({ every, offsets, tiles }: SegmentsInit, pixel: number): number {
  if (every !== undefined) return Math.floor(pixel / every);
  if (tiles !== undefined) {
    const columns = Math.ceil(WIDTH / tiles.width);
    const row = Math.floor(Math.floor(pixel / WIDTH) / tiles.height);
    return row * columns + Math.floor((pixel % WIDTH) / tiles.width);
  }
  let segment = -1;
  while (segment + 1 < offsets.length && offsets[segment + 1]! <= pixel) segment++;
  return segment < offsets.length - 1 ? segment : -1;
}
