// Every depth and layout of pixels, compared with the original values or with the values of another decoder.
import { decode as decodePng, encode } from "fast-png";
import jpeg from "jpeg-js";
import sharp, { type PngOptions } from "sharp";
import { decode as decodeTiff } from "tiff";
import { expect, test } from "vitest";
import { decode } from "../src/decode.ts";
import type { Picture } from "../src/picture.ts";
import { noise, scene, sharpScene } from "./scene.ts";

/** Counts every `stride`-th value from `first` on. */
function channel(data: ArrayLike<number>, first: number, stride: number, bins: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (let i = first; i < data.length; i += stride) counts[data[i]!]! += 1;
  return counts;
}

function expectPixels(found: Picture, data: ArrayLike<number>, names: readonly string[]): void {
  expect(found.names).toEqual(names);
  expect(found.channels).toBe(names.length);
  expect(found.damage).toBeNull();
  // Comparing buffers takes one step, and comparing arrays of numbers takes one per element.
  const wanted = found.type === "u8" ? Uint8Array.from(data) : Uint16Array.from(data);
  expect(found.data.constructor).toBe(wanted.constructor);
  expect(Buffer.compare(octets(found.data), octets(wanted))).toBe(0);
}

const octets = ({ buffer, byteOffset, byteLength }: Uint8Array | Uint16Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

test.for<[name: string, channels: 1 | 3, names: readonly string[], options: PngOptions]>([
  ["colours.png", 3, ["r", "g", "b"], { adaptiveFiltering: true }],
  ["interlaced.png", 3, ["r", "g", "b"], { progressive: true }],
  ["grey.png", 1, ["grey"], { adaptiveFiltering: true }],
  ["stored.png", 1, ["grey"], { compressionLevel: 0 }],
])("%s as another decoder reads it", async ([, channels, names, options]) => {
  const source = await sharpScene(509, 381, channels, 8).png(options).toBuffer();
  const { data, width, height } = decodePng(source);
  expect({ width, height }).toEqual({ width: 509, height: 381 });
  expect([...data]).toEqual([...scene(width, height, channels, 255)]);
  const found = await decode(source);
  expect(found).toMatchObject({ type: "u8", width, height });
  expectPixels(found, data, names);
});

test("a 16-bit grey TIFF keeps its values", async () => {
  const tiff = await sharpScene(400, 300, 1, 16).tiff({ compression: "none" }).toBuffer();
  const { data, width, height } = decodeTiff(tiff)[0]!;
  expect([...data]).toEqual([...scene(400, 300, 1, 65_535)]);
  const found = await decode(tiff);
  expect(found).toMatchObject({ type: "u16", width, height });
  expectPixels(found, data, ["grey"]);
});

test("a JPEG with a colour profile is not converted: decoders differ by their rounding only", async () => {
  const picture = await sharpScene(872, 600, 3, 8).withIccProfile("p3").jpeg({ quality: 90 }).toBuffer();
  expect((await sharp(picture).metadata()).icc?.length).toBeGreaterThan(0);
  const { data, width, height } = jpeg.decode(picture, { useTArray: true, formatAsRGBA: false });
  const found = await decode(picture);
  expect(found).toMatchObject({ type: "u8", width, height });
  for (const i of [0, 1, 2]) {
    const counts = channel(found.data, i, 3, 256);
    const other = channel(data, i, 3, 256);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(width * height);
    const mean = (of: readonly number[]) =>
      of.reduce((sum, count, value) => sum + count * value, 0) / (width * height);
    // The transform may round either way. The means differ by less than half a value, and so do the distributions.
    expect(Math.abs(mean(counts) - mean(other))).toBeLessThan(0.5);
    let [ours, theirs] = [0, 0];
    for (let value = 0; value + 4 < 256; value++) {
      ours += counts[value]!;
      theirs = other.slice(0, value + 5).reduce((sum, count) => sum + count, 0);
      expect(ours).toBeLessThanOrEqual(theirs);
    }
  }
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
  const source = encode({ width: 31, height: 17, channels, depth, data });
  const found = await decode(source);
  expect(found).toMatchObject({ type: `u${depth}`, width: 31, height: 17 });
  expectPixels(found, data, names);
});

test("a palette is replaced by its colours", async () => {
  const colours = [
    [10, 20, 30],
    [200, 100, 0],
    [255, 255, 255],
  ];
  const pixels = Array.from({ length: 300 }, (_, i) => colours[(i * i) % 3]!).flat();
  const raw = { width: 30, height: 10, channels: 3 } as const;
  const png = await sharp(Uint8Array.from(pixels), { raw }).png({ palette: true, dither: 0 }).toBuffer();
  expect(decodePng(png).palette).toBeDefined();
  expectPixels(await decode(png), pixels, ["r", "g", "b"]);
});

test("1-bit grey spans the 8-bit range", async () => {
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
    const found = await decode(bytes);
    expect(found).toMatchObject({ type: "u8" });
    expectPixels(found, pixels, ["grey"]);
  }
});

test("other lossless formats", async () => {
  const pixels = noise(40 * 30 * 3);
  const image = () => sharp(pixels, { raw: { width: 40, height: 30, channels: 3 } });
  for (const bytes of [
    await image().webp({ lossless: true }).toBuffer(),
    await image().tiff({ compression: "lzw" }).toBuffer(),
    await image().tiff({ compression: "deflate", tile: true, tileWidth: 16, tileHeight: 16 }).toBuffer(),
    await image().avif({ lossless: true, chromaSubsampling: "4:4:4" }).toBuffer(),
  ]) {
    const found = await decode(bytes);
    expect(found).toMatchObject({ width: 40, height: 30 });
    if (bytes.includes("ftypavif")) expect(found.names).toEqual(["r", "g", "b"]);
    else expectPixels(found, pixels, ["r", "g", "b"]);
  }
});

test("CMYK stays CMYK, a profile and an orientation change nothing", async () => {
  const pixels = noise(40 * 30 * 3);
  const image = () => sharp(pixels, { raw: { width: 40, height: 30, channels: 3 } });
  const cmyk = await image().toColourspace("cmyk").tiff({ compression: "none" }).toBuffer();
  const found = await decode(cmyk);
  // Without compression the file contains the pixels unchanged, so one run of them can be found in it.
  const at = cmyk.readUInt32LE(4) > 8 ? 8 : cmyk.length - 40 * 30 * 4;
  const stored = cmyk.subarray(at, at + 40 * 30 * 4);
  expectPixels(found, stored, ["c", "m", "y", "k"]);

  const turned = await image()
    .withIccProfile("p3")
    .withExif({ IFD0: { Orientation: "6" } })
    .png()
    .toBuffer();
  const { data } = decodePng(turned);
  const profiled = await decode(turned);
  expect(profiled).toMatchObject({ width: 40, height: 30 });
  expectPixels(profiled, data as Uint8Array, ["r", "g", "b"]);
});

test("the first of several frames is decoded", async () => {
  const frames = Buffer.concat([Buffer.alloc(300, 10), Buffer.alloc(300, 200)]);
  const raw = { width: 10, height: 20, channels: 3, pageHeight: 10 } as const;
  const webp = await sharp(frames, { raw }).webp({ lossless: true }).toBuffer();
  const found = await decode(webp);
  expect(found).toMatchObject({ width: 10, height: 10 });
  expect(new Set(found.data)).toEqual(new Set([10]));
});

test("a TIFF with premultiplied alpha is refused, because its values would change", async () => {
  const raw = { width: 10, height: 10, channels: 4 } as const;
  const tiff = await sharp(noise(400), { raw }).tiff({ compression: "none" }).toBuffer();
  expect((await decode(tiff)).channels).toBe(4);
  // The entry of tag 338 has one 16-bit value: 2 for plain alpha, here changed to 1 for premultiplied.
  const at = tiff.indexOf(Buffer.from([0x52, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x02, 0x00]));
  expect(at).toBeGreaterThan(0);
  tiff[at + 8] = 1;
  await expect(decode(tiff)).rejects.toMatchObject({
    code: "ERR_UNSUPPORTED",
    message: expect.stringMatching(/alpha/),
  });
});

/** A grey TIFF in one uncompressed strip. 0 is white or black. */
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
    // Two 16-bit values share an entry.
    [258, short, values, bits, bits],
    [259, short, 1, 1],
    // Some writers store the same number in 32 bits. The reader must not take its upper half.
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
      const found = await decode(greyTiff(photometric, shape, pixels, little));
      expect(found).toMatchObject({ width, height, type: bits === 16 ? "u16" : "u8" });
      expectPixels(found, stored, extra ? ["grey", "a"] : ["grey"]);
    }
  }
});
