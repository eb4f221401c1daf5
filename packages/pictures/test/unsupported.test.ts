// Undamaged pictures that cannot be decoded: the error says what they are, and does not call them damaged.
import sharp from "sharp";
import { expect, test } from "vitest";
import { decode } from "../src/decode.ts";
import { decodeInPage } from "../src/page.ts";
import { noise, sharpScene } from "./scene.ts";
import { tiffOf } from "./tiff.ts";

async function expectUnsupported(bytes: Uint8Array, why: RegExp): Promise<void> {
  for (const lenient of [false, true]) {
    await expect(decode(bytes, { lenient })).rejects.toMatchObject({
      code: "ERR_UNSUPPORTED",
      message: expect.stringMatching(why),
    });
  }
}

const RGB = { 262: [2], 277: [3], 278: [16] };
const STRIP = noise(16 * 16 * 3 * 8);

test.for<[string, Parameters<typeof tiffOf>[1], RegExp]>([
  ["64-bit integers", { 258: [64], 278: [16] }, /it has 64 bits per sample/],
  ["64-bit floats", { 258: [64], 278: [16], 339: [3] }, /it has 64 bits per sample/],
  ["1-bit colours", { ...RGB, 258: [1, 1, 1] }, /it has 3 channels of 1 bits per sample/],
  ["2-bit colours", { ...RGB, 258: [2, 2, 2] }, /it has 3 channels of 2 bits per sample/],
  ["4-bit colours", { ...RGB, 258: [4, 4, 4] }, /it has 3 channels of 4 bits per sample/],
  ["4-bit planes", { ...RGB, 258: [4, 4, 4], 284: [2] }, /it has 3 channels of 4 bits per sample/],
  ["unequal depths", { ...RGB, 258: [5, 6, 5] }, /its channels have 5, 6, 5 bits per sample/],
  ["L*a*b*", { ...RGB, 258: [8, 8, 8], 262: [8] }, /its colours are L\*a\*b\*/],
  ["old-style JPEG", { ...RGB, 258: [8, 8, 8], 259: [6], 262: [6] }, /it is compressed with old-style JPEG/],
  ["LZMA", { 259: [34_925], 278: [16] }, /it is compressed with LZMA/],
  ["Zstandard", { 259: [50_000], 278: [16] }, /it is compressed with ZSTD/],
  ["JPEG 2000", { 259: [34_712], 278: [16] }, /its compression is TIFF's number 34712/],
  [
    "tiles of one channel",
    { ...RGB, 258: [8, 8, 8], 273: null, 278: null, 279: null, 284: [2], 322: [16], 323: [16] },
    /each of its tiles has only one channel/,
  ],
])("a TIFF with %s", async ([, tags, why]) => {
  const tiles = 322 in tags ? { 324: [8, 264, 520], 325: [256, 256, 256] } : {};
  await expectUnsupported(tiffOf([STRIP], { ...tags, ...tiles }), why);
});

test("a JPEG of 12 bits per sample", async () => {
  const bytes = await sharpScene(40, 30, 3, 8).jpeg({ mozjpeg: false }).toBuffer();
  const frame = bytes.indexOf(Buffer.of(0xff, 0xc0));
  bytes[frame + 1] = 0xc1;
  bytes[frame + 4] = 12;
  await expectUnsupported(bytes, /it has 12 bits per sample/);
});

/** The same picture as if it were HEVC, whose configuration is longer. Only its data are wrong. */
function hevcOf(avif: Buffer): Buffer {
  const longer = 19;
  const codec = avif.indexOf("av1C") + 4;
  const end = codec + 4;
  const bytes = Buffer.concat([avif.subarray(0, end), Buffer.alloc(longer), avif.subarray(end)]);
  bytes[codec] = 1;
  for (const box of ["meta", "iprp", "ipco", "av1C"]) {
    const at = bytes.indexOf(box) - 4;
    bytes.writeUInt32BE(bytes.readUInt32BE(at) + longer, at);
  }
  const place = Buffer.alloc(4);
  place.writeUInt32BE(avif.indexOf("mdat") + 4);
  const at = bytes.indexOf(place, bytes.indexOf("iloc"));
  bytes.writeUInt32BE(place.readUInt32BE() + longer, at);
  bytes.write("heic", 8, "latin1");
  bytes.write("hvc1", bytes.indexOf("av01"), "latin1");
  bytes.write("hvcC", bytes.indexOf("av1C"), "latin1");
  return bytes;
}

test("a sequence of AVIF, and HEVC in HEIF", async () => {
  const avif = await sharpScene(40, 30, 3, 8).avif({ effort: 0 }).toBuffer();
  const sequence = Buffer.from(avif);
  sequence.write("avis", 8, "latin1");
  await expectUnsupported(sequence, /AVIF sequence picture, which polybin cannot decode/);
  const hevc = hevcOf(avif);
  await expectUnsupported(hevc, /it is compressed with HEVC/);
});

test("bytes that begin like no picture have a code of their own", async () => {
  for (const bytes of [
    Buffer.from("price,count\n1,2\n"),
    new Uint8Array(0),
    Uint8Array.of(0x89, 0x50, 0x4e),
  ]) {
    await expect(decode(bytes)).rejects.toMatchObject({ code: "ERR_FORMAT" });
    expect(() => decodeInPage(bytes, "it")).toThrow(expect.objectContaining({ code: "ERR_FORMAT" }));
  }
  const jpeg = await sharp(noise(12), { raw: { width: 2, height: 2, channels: 3 } })
    .jpeg()
    .toBuffer();
  expect(() => decodeInPage(jpeg, "it")).toThrow(expect.objectContaining({ code: "ERR_UNSUPPORTED" }));
});
