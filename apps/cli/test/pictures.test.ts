import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { decode as decodePng, encode } from "fast-png";
import { expect, test } from "vitest";
import { file, hist, noise, type Printed, polybin, tally } from "./command.ts";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Every `stride`-th value from `first` on, counted. */
function channel(data: ArrayLike<number>, first: number, stride: number, bins: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (let i = first; i < data.length; i += stride) counts[data[i]!]! += 1;
  return counts;
}

function expectChannels(
  found: Printed,
  data: ArrayLike<number>,
  names: readonly string[],
  bins: number,
): void {
  expect(found.channels.map(({ name }) => name)).toEqual(names);
  found.channels.forEach(({ counts, underflow, overflow, nan }, i) => {
    expect(counts).toEqual(channel(data, i, names.length, bins));
    expect({ underflow, overflow, nan }).toEqual({ underflow: 0, overflow: 0, nan: 0 });
  });
}

test.for([
  [1, 8, ["grey"]],
  [2, 8, ["grey", "a"]],
  [3, 8, ["r", "g", "b"]],
  [4, 8, ["r", "g", "b", "a"]],
  [1, 16, ["grey"]],
  [2, 16, ["grey", "a"]],
  [3, 16, ["r", "g", "b"]],
  [4, 16, ["r", "g", "b", "a"]],
] as const)("a PNG of %i channels and %i bits", async ([channels, depth, names]) => {
  const bytes = noise(31 * 17 * channels * (depth / 8), channels);
  const data = depth === 8 ? bytes : new Uint16Array(bytes.buffer);
  const source = file("x.png", encode({ width: 31, height: 17, channels, depth, data }));
  const found = await hist([source]);
  const size = { samples: 31 * 17, width: 31, height: 17 };
  expect(found.input).toEqual({ name: "x.png", kind: "image", type: `u${depth}`, ...size });
  expectChannels(found, data, names, 2 ** depth);
  expectChannels(await hist([source, "--backend", "piscina"]), data, names, 2 ** depth);
  for (const [i, name] of names.entries()) {
    const one = await hist([source, "--channel", name]);
    expect(one.channels).toEqual([found.channels[i]]);
  }
});

test("the 16-bit fixture, from a file and from a pipe", async () => {
  const bytes = readFileSync(path("fixtures/grey16.png"));
  const { data } = decodePng(bytes);
  for (const found of [await hist([path("fixtures/grey16.png")]), await hist(["-"], bytes)]) {
    expect(found.input).toMatchObject({ kind: "image", type: "u16", width: 64, height: 48 });
    expectChannels(found, data, ["grey"], 65_536);
    expect(found.channels[0]!.counts[257]).toBe(256);
  }
});

test("the sample picture", async () => {
  const { data } = decodePng(readFileSync(path("../sample/evening.png")));
  expectChannels(await hist([path("../sample/evening.png")]), data, ["r", "g", "b"], 256);
});

test.for([8, 16] as const)("grey of %i-bit colours is Rec. 601 luma in integers", async (depth) => {
  const bytes = noise(31 * 17 * 4 * (depth / 8), 5);
  const data = depth === 8 ? bytes : new Uint16Array(bytes.buffer);
  const source = file("x.png", encode({ width: 31, height: 17, channels: 4, depth, data }));
  const luma = Array.from({ length: 31 * 17 }, (_, i) => {
    const [r, g, b] = [data[4 * i]!, data[4 * i + 1]!, data[4 * i + 2]!];
    return Math.floor((19_595 * r + 38_470 * g + 7_471 * b + 32_768) / 65_536);
  });
  const found = await hist([source, "--channel", "grey"]);
  expect(found.channels).toHaveLength(1);
  expect(found.channels[0]).toMatchObject({ name: "grey", counts: tally(luma, 2 ** depth) });
});

test("ranges and edges apply to pictures too", async () => {
  const data = noise(300);
  const source = file("x.png", encode({ width: 20, height: 15, channels: 1, depth: 8, data }));
  const parts = await hist([source, "--bins", "4"]);
  expect(parts.axis).toEqual({ type: "regular", bins: 4, edges: [0, 64, 128, 192, 256] });
  expect(parts.channels[0]!.counts).toEqual(
    tally(
      data.map((value) => value >> 6),
      4,
    ),
  );
  const [least, most] = [Math.min(...data), Math.max(...data)];
  for (const [range, ends] of [
    ["data", [least, most]],
    ["type", [0, 256]],
  ] as const) {
    const ranged = await hist([source, "--range", range, "--bins", "5"]);
    expect([ranged.axis.edges[0], ranged.axis.edges[5]]).toEqual(ends);
    expect(ranged.channels[0]).toMatchObject({ underflow: 0, overflow: 0 });
  }
  const edged = await hist([source, "--edges", "1,2,50"]);
  expect(edged.channels[0]).toEqual({
    name: "grey",
    counts: [data.filter((v) => v === 1).length, data.filter((v) => v >= 2 && v <= 50).length],
    underflow: data.filter((v) => v < 1).length,
    overflow: data.filter((v) => v > 50).length,
    nan: 0,
  });
});

test("a 16-bit picture has a bin a value over all of them, and 256 over the range of the data", async () => {
  const data = Uint16Array.from({ length: 12 }, (_, i) => 1000 + 50 * i);
  const source = file("x.png", encode({ width: 4, height: 3, channels: 1, depth: 16, data }));
  for (const args of [[], ["--range", "type"], ["--bins", "65536"]]) {
    const { axis, channels } = await hist([source, ...args]);
    expect(axis).toMatchObject({ type: "integer", bins: 65_536 });
    expect(channels[0]!.counts[1050]).toBe(1);
  }
  const { axis } = await hist([source, "--range", "data"]);
  expect([axis.bins, axis.edges[0], axis.edges[256]]).toEqual([256, 1000, 1550]);
});

test("a TIFF whose colours were multiplied by their alpha is refused, for its values would change", async () => {
  const { default: sharp } = await import("sharp");
  const raw = { width: 10, height: 10, channels: 4 } as const;
  const tiff = await sharp(noise(400), { raw }).tiff({ compression: "none" }).toBuffer();
  expect((await hist([file("x.tif", tiff)])).channels).toHaveLength(4);
  // The entry of tag 338: one 16-bit value, 2 for plain alpha, here made 1 for multiplied.
  const at = tiff.indexOf(Buffer.from([0x52, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x02, 0x00]));
  expect(at).toBeGreaterThan(0);
  tiff[at + 8] = 1;
  const { code, stderr } = await polybin(["hist", file("x.tif", tiff)]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error\[ERR_UNSUPPORTED\]: .*alpha/);
});
