import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import { decode } from "@polybin/pictures";
import { encode } from "fast-png";
import sharp from "sharp";
import { expect, test } from "vitest";
import { type Chunk, chunksOf, metadataChunks, pngOf } from "../src/tone/png-chunks.ts";
import { file, here, noise, polybin, refused, scratch } from "./command.ts";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const PHOTO = path("../sample/evening.png");
const GREY16 = path("fixtures/grey16.png");

/** SHA-256 of the pixels that OpenCV and scikit-image compute; vectors/tone.py writes them. */
const vectors = JSON.parse(readFileSync(path("vectors/tone.json"), "utf8")) as {
  readonly [picture: string]: { readonly [tone: string]: string };
};

/** Runs the command, which must succeed in silence. Returns the path of the PNG. */
async function tone(input: string, ...options: readonly string[]): Promise<string> {
  const to = join(scratch(), "out.png");
  const { code, stdout, stderr } = await here(["tone", input, to, ...options]);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: "" });
  return to;
}

async function hashOf(png: string): Promise<string> {
  const { data } = await decode(png);
  return createHash("sha256")
    .update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    .digest("hex");
}

const TONES = ["--equalize", "--clahe", "--clahe --clip-limit 2 --grid 5x3", "--stretch 1,99"];

test.for(TONES)("%s of 8 bits a channel is OpenCV's or scikit-image's, byte for byte", async (options) => {
  expect(await hashOf(await tone(PHOTO, ...options.split(" ")))).toBe(vectors["evening.png"]![options]);
});

test.for(TONES)("%s of 16 bits, too", async (options) => {
  const found = await tone(GREY16, ...options.split(" "));
  expect((await decode(found)).type).toBe("u16");
  expect(await hashOf(found)).toBe(vectors["grey16.png"]![options]);
});

test("--match with another picture", async () => {
  const reference = await tone(PHOTO, "--equalize");
  expect(await hashOf(await tone(PHOTO, "--match", reference))).toBe(vectors["evening.png"]!["--match"]);
});

test("every backend counts the same tones", async () => {
  for (const options of [["--equalize"], ["--clahe", "--clip-limit", "2", "--grid", "5x3"]]) {
    const found = await tone(PHOTO, ...options, "--backend", "piscina", "--threads", "2");
    expect(await hashOf(found)).toBe(vectors["evening.png"]![options.join(" ")]);
  }
});

test.for([
  [1, 8],
  [2, 8],
  [3, 8],
  [4, 8],
  [1, 16],
  [2, 16],
  [3, 16],
  [4, 16],
] as const)("%i channels of %i bits stay what they are, and alpha as it is", async ([channels, depth]) => {
  const bytes = noise(31 * 17 * channels * (depth / 8), channels);
  const data = depth === 8 ? bytes : new Uint16Array(bytes.buffer);
  const source = file("x.png", encode({ width: 31, height: 17, channels, depth, data }));
  const found = await decode(await tone(source, "--equalize"));
  const before = await decode(source);
  expect([found.type, found.names, found.width, found.height]).toEqual([`u${depth}`, before.names, 31, 17]);
  const alpha = before.names.indexOf("a");
  const changed = [...found.data.keys()].filter((i) => found.data[i] !== before.data[i]);
  expect(changed.length).toBeGreaterThan(31 * 17 * 0.5);
  if (alpha >= 0) expect(changed.filter((i) => i % channels === alpha)).toEqual([]);
});

const text = (value: string): Buffer => Buffer.from(value, "latin1");

test("the metadata of a PNG are kept, except for those that its pixels decide", async () => {
  const kept: Chunk[] = [
    { type: "gAMA", data: Uint8Array.of(0, 0, 0xb1, 0x8f) },
    { type: "iCCP", data: Buffer.concat([text("mine\0\0"), deflateSync(text("a profile"))]) },
    { type: "pHYs", data: Uint8Array.of(0, 0, 0x0b, 0x13, 0, 0, 0x0b, 0x13, 1) },
    { type: "tEXt", data: text("Author\0somebody") },
    { type: "eXIf", data: text("MM\0*\0\0\0\u0008\0\0\0\0\0\0") },
    { type: "prVt", data: Uint8Array.of(1, 2, 3) },
  ];
  const left: Chunk[] = [
    { type: "tIME", data: Uint8Array.of(7, 208, 1, 1, 0, 0, 0) },
    { type: "sBIT", data: Uint8Array.of(8, 8, 8) },
    { type: "prVT", data: Uint8Array.of(1, 2, 3) },
  ];
  const [header, ...rest] = chunksOf(readFileSync(PHOTO)).filter(({ type }) => /^[A-Z]/.test(type));
  const source = file("x.png", pngOf([header!, ...kept, ...left, ...rest]));
  const found = await tone(source, "--equalize");
  const chunks = chunksOf(readFileSync(found)).filter(({ type }) => /^[a-z]/.test(type));
  expect(chunks.map(({ type, data }) => [type, [...data]])).toEqual(
    kept.map(({ type, data }) => [type, [...data]]),
  );
  expect(await hashOf(found)).toBe(vectors["evening.png"]!["--equalize"]);
});

test("the profile, the Exif data and the XMP text of a JPEG become chunks", async () => {
  const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"></x:xmpmeta>';
  const jpeg = await sharp(noise(30 * 20 * 3), { raw: { width: 30, height: 20, channels: 3 } })
    .withExif({ IFD0: { Copyright: "somebody" } })
    .withIccProfile("p3")
    .withXmp(xmp)
    .jpeg()
    .toBuffer();
  const before = await sharp(jpeg).metadata();
  const found = await tone(file("x.jpg", jpeg), "--stretch", "0,100");
  const after = await sharp(found).metadata();
  expect(after.icc).toEqual(before.icc);
  // JPEG has "Exif" and two zeros before them.
  expect(after.exif).toEqual(before.exif!.subarray(6));
  expect(Buffer.from(after.xmp!).toString()).toContain("adobe:ns:meta");
  expect(metadataChunks({})).toEqual([]);
});

test("a pipe is read, and an old file is replaced", async () => {
  const to = file("old.png", "old");
  const { code, stderr } = await polybin(["tone", "-", to, "--equalize"], readFileSync(PHOTO));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(await hashOf(to)).toBe(vectors["evening.png"]!["--equalize"]);
});

test("wrong use and wrong input: one line, and nothing is written", async () => {
  const to = join(scratch(), "out.png");
  const text = file("t.txt", "not a picture");
  const cut = file("cut.png", readFileSync(PHOTO).subarray(0, 5000));
  const ink = file("ink.jpg", await sharp(PHOTO).toColourspace("cmyk").jpeg().toBuffer());
  const copy = file("copy.png", readFileSync(PHOTO));
  const small = file("small.png", await sharp(PHOTO).resize(7, 9, { fit: "fill" }).png().toBuffer());
  const cases: readonly (readonly [readonly string[], string, RegExp])[] = [
    [[PHOTO, to], "ERR_INPUT", /one of --equalize.* received none/],
    [[PHOTO, to, "--equalize", "--clahe"], "ERR_INPUT", /received --equalize and --clahe/],
    [[PHOTO, to, "--equalize", "--grid", "2x2"], "ERR_INPUT", /--clahe with --grid/],
    [[PHOTO, to, "--stretch", "1"], "ERR_INPUT", /two ascending percentiles/],
    [[PHOTO, to, "--stretch", "99,1"], "ERR_INPUT", /two ascending percentiles/],
    [[PHOTO, to, "--clahe", "--clip-limit", "-1"], "ERR_INPUT", /at least 0 for --clip-limit/],
    [[PHOTO, to, "--clahe", "--grid", "8"], "ERR_INPUT", /COLUMNSxROWS/],
    [[PHOTO, to, "--clahe", "--grid", "641x8"], "ERR_INPUT", /for --clahe .* pass --grid 640x8 or/],
    [
      [small, to, "--clahe"],
      "ERR_INPUT",
      /for --clahe but 8 x 8 tiles .* 7 x 9 pixels; pass --grid 7x8 or --equalize/,
    ],
    [[PHOTO, to, "--match", GREY16], "ERR_INPUT", /a picture of u8 with the channels r g b for --match/],
    [[PHOTO, to, "--match", join(scratch(), "none.png")], "ERR_INPUT", /no such file/],
    [[PHOTO, `${to}.jpg`, "--equalize"], "ERR_INPUT", /ends in .png/],
    [[copy, copy, "--equalize"], "ERR_INPUT", /is the input itself/],
    [[PHOTO, copy, "--match", copy], "ERR_INPUT", /is the reference/],
    [[text, to, "--equalize"], "ERR_FORMAT", /expected a picture/],
    [[cut, to, "--equalize"], "ERR_INPUT", /damaged/],
    [[ink, to, "--equalize"], "ERR_UNSUPPORTED", /c, m, y, k/],
  ];
  for (const [args, code, says] of cases) await refused(["tone", ...args], code, says);
  expect(() => statSync(to)).toThrow();
  expect(readFileSync(copy)).toEqual(readFileSync(PHOTO));
});
