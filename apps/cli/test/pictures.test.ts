import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { decode as decodePng, encode } from "fast-png";
import jpeg from "jpeg-js";
import sharp, { type PngOptions } from "sharp";
import { decode as decodeTiff } from "tiff";
import { expect, test } from "vitest";
import { file, hist, noise, type Printed, polybin, tally } from "./command.ts";
import { scene, sharpScene } from "./scene.ts";

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

test.for<[name: string, channels: 1 | 3, names: readonly string[], options: PngOptions]>([
  ["colours.png", 3, ["r", "g", "b"], { adaptiveFiltering: true }],
  ["interlaced.png", 3, ["r", "g", "b"], { progressive: true }],
  ["grey.png", 1, ["grey"], { adaptiveFiltering: true }],
  ["stored.png", 1, ["grey"], { compressionLevel: 0 }],
])("%s as another decoder reads it", async ([name, channels, names, options]) => {
  const source = file(name, await sharpScene(509, 381, channels, 8).png(options).toBuffer());
  const { data, width, height } = decodePng(readFileSync(source));
  expect({ width, height }).toEqual({ width: 509, height: 381 });
  expect([...data]).toEqual([...scene(width, height, channels, 255)]);
  for (const on of [[], ["--backend", "piscina"]]) {
    const found = await hist([source, ...on]);
    expect(found.input).toEqual({ name, kind: "image", type: "u8", samples: width * height, width, height });
    expectChannels(found, data, names, 256);
  }
});

test("a 16-bit grey TIFF keeps its values", async () => {
  const tiff = await sharpScene(400, 300, 1, 16).tiff({ compression: "none" }).toBuffer();
  const source = file("x.tif", tiff);
  const { data, width, height } = decodeTiff(tiff)[0]!;
  expect([...data]).toEqual([...scene(400, 300, 1, 65_535)]);
  for (const bins of [[], ["--bins", "65536"]]) {
    const found = await hist([source, ...bins]);
    expect(found.input).toMatchObject({ type: "u16", width, height });
    expect(found.axis).toMatchObject({ type: "integer", bins: 65_536 });
    expectChannels(found, data, ["grey"], 65_536);
  }
});

test("a JPEG with a colour profile is not converted: decoders differ by their rounding only", async () => {
  const picture = await sharpScene(872, 600, 3, 8).withIccProfile("p3").jpeg({ quality: 90 }).toBuffer();
  expect((await sharp(picture).metadata()).icc?.length).toBeGreaterThan(0);
  const source = file("x.jpg", picture);
  const { data, width, height } = jpeg.decode(picture, { useTArray: true, formatAsRGBA: false });
  const found = await hist([source]);
  expect(found.input).toMatchObject({ type: "u8", width, height });
  found.channels.forEach(({ counts }, i) => {
    const other = channel(data, i, 3, 256);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(width * height);
    const mean = (of: readonly number[]) =>
      of.reduce((sum, count, value) => sum + count * value, 0) / (width * height);
    // The transform may round either way: the means lie within half a value, and so do the distributions.
    expect(Math.abs(mean(counts) - mean(other))).toBeLessThan(0.5);
    let [ours, theirs] = [0, 0];
    for (let value = 0; value + 4 < 256; value++) {
      ours += counts[value]!;
      theirs = other.slice(0, value + 5).reduce((sum, count) => sum + count, 0);
      expect(ours).toBeLessThanOrEqual(theirs);
    }
  });
});

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
  expect(found.input).toMatchObject({ type: `u${depth}`, samples: 31 * 17, width: 31, height: 17 });
  expectChannels(found, data, names, 2 ** depth);
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

test("a palette stands for its colours", async () => {
  const { default: sharp } = await import("sharp");
  const colours = [
    [10, 20, 30],
    [200, 100, 0],
    [255, 255, 255],
  ];
  const pixels = Array.from({ length: 300 }, (_, i) => colours[(i * i) % 3]!).flat();
  const raw = { width: 30, height: 10, channels: 3 } as const;
  const png = await sharp(Uint8Array.from(pixels), { raw }).png({ palette: true, dither: 0 }).toBuffer();
  expect(decodePng(png).palette).toBeDefined();
  expectChannels(await hist([file("p.png", png)]), pixels, ["r", "g", "b"], 256);
});

test("1-bit grey spans the 8-bit range", async () => {
  const { default: sharp } = await import("sharp");
  const pixels = noise(320).map((value) => (value > 60 ? 255 : 0));
  const image = () => sharp(pixels, { raw: { width: 20, height: 16, channels: 1 } }).toColourspace("b-w");
  const bits = Uint8Array.from({ length: 3 * 16 }, (_, i) =>
    parseInt(
      Array.from({ length: 8 }, (_, bit) =>
        (i % 3) * 8 + bit < 20 && pixels[Math.floor(i / 3) * 20 + (i % 3) * 8 + bit] ? 1 : 0,
      ).join(""),
      2,
    ),
  );
  for (const bytes of [
    encode({ width: 20, height: 16, channels: 1, depth: 1, data: bits }),
    await image().tiff({ bitdepth: 1, compression: "none" }).toBuffer(),
  ]) {
    const found = await hist([file("bits", bytes)]);
    expect(found.input).toMatchObject({ kind: "image", type: "u8" });
    expectChannels(found, pixels, ["grey"], 256);
  }
});

test("other formats that lose nothing", async () => {
  const { default: sharp } = await import("sharp");
  const pixels = noise(40 * 30 * 3);
  const image = () => sharp(pixels, { raw: { width: 40, height: 30, channels: 3 } });
  for (const bytes of [
    await image().webp({ lossless: true }).toBuffer(),
    await image().tiff({ compression: "lzw" }).toBuffer(),
    await image().tiff({ compression: "deflate", tile: true, tileWidth: 16, tileHeight: 16 }).toBuffer(),
    await image().avif({ lossless: true, chromaSubsampling: "4:4:4" }).toBuffer(),
  ]) {
    const found = await hist([file("x", bytes)]);
    expect(found.input).toMatchObject({ kind: "image", width: 40, height: 30 });
    if (bytes.includes("ftypavif")) expect(found.channels.map(({ name }) => name)).toEqual(["r", "g", "b"]);
    else expectChannels(found, pixels, ["r", "g", "b"], 256);
  }
});

test("CMYK stays CMYK, a profile and an orientation change nothing", async () => {
  const { default: sharp } = await import("sharp");
  const pixels = noise(40 * 30 * 3);
  const image = () => sharp(pixels, { raw: { width: 40, height: 30, channels: 3 } });
  const cmyk = await image().toColourspace("cmyk").tiff({ compression: "none" }).toBuffer();
  const found = await hist([file("x.tif", cmyk)]);
  expect(found.channels.map(({ name }) => name)).toEqual(["c", "m", "y", "k"]);
  // Uncompressed, the pixels stand in the file as they are: one run of them is found there.
  const first = found.channels.map(({ counts }) =>
    counts.reduce((sum, count, value) => sum + count * value, 0),
  );
  const at = cmyk.readUInt32LE(4) > 8 ? 8 : cmyk.length - 40 * 30 * 4;
  const stored = cmyk.subarray(at, at + 40 * 30 * 4);
  expect(first).toEqual(
    [0, 1, 2, 3].map((i) => stored.reduce((sum, v, j) => (j % 4 === i ? sum + v : sum), 0)),
  );

  const turned = await image()
    .withIccProfile("p3")
    .withExif({ IFD0: { Orientation: "6" } })
    .png()
    .toBuffer();
  const { data } = decodePng(turned);
  const profiled = await hist([file("x.png", turned)]);
  expect(profiled.input).toMatchObject({ width: 40, height: 30 });
  expectChannels(profiled, data as Uint8Array, ["r", "g", "b"], 256);
});

test("of several frames the first is counted", async () => {
  const { default: sharp } = await import("sharp");
  const frames = Buffer.concat([Buffer.alloc(300, 10), Buffer.alloc(300, 200)]);
  const raw = { width: 10, height: 20, channels: 3, pageHeight: 10 } as const;
  const webp = await sharp(frames, { raw }).webp({ lossless: true }).toBuffer();
  const found = await hist([file("x.webp", webp)]);
  expect(found.input).toMatchObject({ width: 10, height: 10 });
  expect(found.channels[0]!.counts[10]).toBe(100);
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
  for (const args of [[], ["--range", "type"]]) {
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

/** A grey TIFF in one uncompressed strip, in which 0 is white or black. */
function greyTiff(
  photometric: 0 | 1,
  [width, height, bits, extra]: readonly [number, number, 1 | 2 | 4 | 8 | 16, 0 | 1],
  pixels: Uint8Array,
  little: boolean,
): Uint8Array {
  const [short, long] = [3, 4];
  const values = 1 + extra;
  const entries = [
    [256, short, 1, width],
    [257, short, 1, height],
    // Two shorts stand side by side in an entry.
    [258, short, values, bits, bits],
    [259, short, 1, 1],
    // As odd writers do: the same number in 32 bits, which must not be taken for its upper half.
    [262, long, 1, photometric],
    [273, long, 1, 8],
    [277, short, 1, values],
    [278, short, 1, height],
    [279, long, 1, pixels.length],
    ...(extra ? [[338, short, 1, 2]] : []),
  ];
  const directory = 8 + pixels.length + (pixels.length & 1);
  const bytes = new Uint8Array(directory + 2 + 12 * entries.length + 4);
  const view = new DataView(bytes.buffer);
  bytes.set(little ? [0x49, 0x49] : [0x4d, 0x4d]);
  view.setUint16(2, 42, little);
  view.setUint32(4, directory, little);
  bytes.set(pixels, 8);
  view.setUint16(directory, entries.length, little);
  entries.forEach(([tag, type, count, ...value], i) => {
    const at = directory + 2 + 12 * i;
    view.setUint16(at, tag!, little);
    view.setUint16(at + 2, type!, little);
    view.setUint32(at + 4, count!, little);
    if (type === long) view.setUint32(at + 8, value[0]!, little);
    else for (let j = 0; j < count!; j++) view.setUint16(at + 8 + 2 * j, value[j]!, little);
  });
  return bytes;
}

test.for([
  [24, 10, 1, 0],
  [24, 10, 2, 0],
  [24, 10, 4, 0],
  [24, 10, 8, 0],
  [24, 10, 16, 0],
  [24, 10, 8, 1],
  [24, 10, 16, 1],
] as const)("a TIFF of %i x %i, %i bits and %i alpha in which 0 is white: as stored", async (shape) => {
  const [width, height, bits, extra] = shape;
  const pixels = noise((width * height * bits * (1 + extra)) / 8, 11);
  for (const little of [true, false]) {
    const view = new DataView(pixels.buffer);
    const stored = Array.from({ length: width * height * (1 + extra) }, (_, i) => {
      if (bits === 16) return view.getUint16(2 * i, little);
      const shift = 8 - bits - ((i * bits) % 8);
      const most = 2 ** bits - 1;
      return (((pixels[(i * bits) >> 3]! >> shift) & most) * 255) / most;
    });
    for (const photometric of [0, 1] as const) {
      const found = await hist([file("x.tif", greyTiff(photometric, shape, pixels, little))]);
      expect(found.input).toMatchObject({ width, height, type: bits === 16 ? "u16" : "u8" });
      expectChannels(found, stored, extra ? ["grey", "a"] : ["grey"], bits === 16 ? 65_536 : 256);
    }
  }
});
