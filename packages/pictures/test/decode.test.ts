// The public function: its arguments, its results, and that an engine accepts them unchanged.
import { pathToFileURL } from "node:url";
import { isPolybinError, openEngine } from "@polybin/core";
import { encode } from "fast-png";
import { expect, test } from "vitest";
import { decode, PictureError } from "../src/index.ts";
import { file } from "./files.ts";
import { noise, sharpScene } from "./scene.ts";

const data = noise(20 * 15 * 2);
const png = encode({ width: 20, height: 15, channels: 2, depth: 8, data });

test("bytes, a path, a URL and memory are the same picture", async () => {
  const path = file("x.png", png);
  const shared = new SharedArrayBuffer(png.length);
  new Uint8Array(shared).set(png);
  const all = [png, path, pathToFileURL(path), Uint8Array.from(png).buffer, shared];
  for (const source of all) {
    const found = await decode(source);
    expect(found).toMatchObject({ type: "u8", width: 20, height: 15, channels: 2 });
    expect(found.data).toEqual(data);
    expect([found.names, found.damage]).toEqual([["grey", "a"], null]);
  }
});

test("an engine accepts a picture of 8 and of 16 bits unchanged", async () => {
  await using engine = await openEngine();
  const deep = await decode(await sharpScene(40, 30, 1, 16).png().toBuffer());
  for (const picture of [await decode(png), deep]) {
    const histograms = await engine.histograms(picture, { bins: 64 });
    expect(histograms).toHaveLength(picture.channels);
    for (const [i, { counts }] of histograms.entries()) {
      const wanted = new Array<number>(64).fill(0);
      const step = picture.type === "u8" ? 4 : 1024;
      picture.data.forEach((value, at) => {
        if (at % picture.channels === i) wanted[Math.floor(value / step)]! += 1;
      });
      expect([...counts]).toEqual(wanted);
    }
  }
  const corner = { ...deep, region: { x: 1, y: 1, width: 2, height: 3 } };
  expect((await engine.histogram(corner)).sum()).toBe(6);
});

test("an error has a code, the reason and the picture's name", async () => {
  const code = async (source: Parameters<typeof decode>[0], options = {}) => {
    const error = await decode(source, options).then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!isPolybinError(error)) throw error;
    return `${error.code}: ${error.message}`;
  };
  expect(await code(Uint8Array.of(1, 2, 3))).toBe(
    "ERR_FORMAT: expected a picture (PNG, JPEG, TIFF, BigTIFF, WebP, GIF, AVIF, HEIF) but it does not begin like one",
  );
  expect(await code(Buffer.from("qoif1234"), { name: "x.qoi" })).toBe(
    "ERR_UNSUPPORTED: x.qoi is a QOI picture, which polybin cannot decode",
  );
  const path = file("cut.png", png.subarray(0, -20));
  expect(await code(path)).toMatch(`ERR_INPUT: expected a whole PNG picture but ${path} is damaged: `);
  expect(await code(path, { name: "cut" })).toMatch(
    /picture but cut is damaged: .*; lenient: true decodes what it can$/,
  );
  await expect(decode("/no/such/file.png")).rejects.toMatchObject({ code: "ENOENT" });
  await expect(decode(path)).rejects.toBeInstanceOf(PictureError);
});

test("arguments are checked", async () => {
  const wrong = (source: unknown, options: unknown) => decode(source as Uint8Array, options as object);
  await expect(wrong(png, { lenent: true })).rejects.toThrow(/did you mean lenient\? received lenent/);
  await expect(wrong(png, { lenient: "yes" })).rejects.toThrow(/true or false for lenient/);
  await expect(wrong(png, { signal: 5 })).rejects.toThrow(/an AbortSignal for signal/);
  for (const maxPixels of [0, 1.5, 2 ** 29 + 1, "9"]) {
    await expect(wrong(png, { maxPixels })).rejects.toThrow(
      /a whole number from 1 to 536870912 for maxPixels/,
    );
  }
  await expect(wrong(7, {})).rejects.toThrow(/its bytes, its path or its URL/);
});

test("the pixels come into the caller's memory", async () => {
  await using engine = await openEngine();
  const deepBytes = await sharpScene(40, 30, 1, 16).png().toBuffer();
  const deep = (await decode(deepBytes)).data;
  const memories = [
    engine.allocate(3000),
    new Uint8Array(new SharedArrayBuffer(3000)),
    new Uint8Array(3000).fill(7),
  ];
  for (const into of memories) {
    const found = await decode(png, { into });
    expect(found).toMatchObject({ type: "u8", width: 20, height: 15, channels: 2 });
    expect(found.data.buffer).toBe(into.buffer);
    expect(Buffer.compare(into.subarray(0, 600), data)).toBe(0);
    expect((await decode(deepBytes, { into })).data).toEqual(deep);
  }
  expect((await decode(deepBytes, { into: new Uint16Array(1200) })).data).toEqual(deep);
  // An offset that 16-bit numbers cannot have.
  const odd = new Uint8Array(3001).subarray(1);
  expect((await decode(png, { into: odd })).data.byteOffset).toBe(1);
  await expect(decode(deepBytes, { into: odd })).rejects.toMatchObject({
    code: "ERR_INPUT",
    message: expect.stringMatching(/to begin at an even byte of its buffer .* but it begins at 1/),
  });
});

test("memory that is too small, and refusals, leave the caller's memory alone", async () => {
  const small = new Uint8Array(599).fill(7);
  await expect(decode(png, { into: small, name: "x" })).rejects.toMatchObject({
    code: "ERR_INPUT",
    message: "expected at least 600 bytes (20 x 15 pixels of 2 x u8 in x) for into but received 599",
  });
  await expect(decode(png.subarray(0, -20), { into: small, lenient: true })).rejects.toMatchObject({
    message: expect.stringMatching(/at least 600 bytes/),
  });
  const into = new Uint8Array(600).fill(7);
  await expect(decode(png.subarray(0, -20), { into })).rejects.toThrow(/is damaged/);
  const controller = new AbortController();
  const decoding = decode(png, { into, signal: controller.signal });
  controller.abort(new Error("gone"));
  await expect(decoding).rejects.toThrow("gone");
  // The decoder of the aborted call has ended when a later one has.
  await decode(png);
  expect([small, into].every((memory) => memory.every((byte) => byte === 7))).toBe(true);
  const wrong = (memory: unknown) => decode(png, { into: memory as Uint8Array });
  await expect(wrong(new Float32Array(600))).rejects.toThrow(/a Uint8Array or a Uint16Array for into/);
});

test("an aborted signal rejects with its reason, before and during decoding", async () => {
  const gone = new Error("gone");
  await expect(decode(png, { signal: AbortSignal.abort(gone) })).rejects.toBe(gone);
  const controller = new AbortController();
  const large = await sharpScene(1200, 900, 3, 8).png().toBuffer();
  const decoding = decode(large, { signal: controller.signal });
  controller.abort(gone);
  await expect(decoding).rejects.toBe(gone);
  // Work that has started continues without a listener and does no harm.
  expect((await decode(large)).width).toBe(1200);
});

test("maxPixels refuses a picture by its header, in every format", async () => {
  const scene = () => sharpScene(40, 30, 3, 8);
  const all = [
    scene().png(),
    scene().jpeg(),
    scene().tiff({ compression: "deflate" }),
    scene().webp({ lossless: true }),
    scene().gif(),
    scene().avif(),
  ];
  for (const made of all) {
    const bytes = await made.toBuffer();
    expect((await decode(bytes, { maxPixels: 1200 })).width).toBe(40);
    const refused = { code: "ERR_LIMIT", message: "expected at most 1199 pixels but it has more" };
    await expect(decode(bytes, { maxPixels: 1199 })).rejects.toMatchObject(refused);
    await expect(decode(bytes, { maxPixels: 1199, lenient: true })).rejects.toMatchObject(refused);
    // Nothing behind the header is looked at: without the limit, the cut is the error.
    if (bytes.subarray(1, 4).toString() !== "PNG") continue;
    const cut = bytes.subarray(0, -20);
    await expect(decode(cut, { maxPixels: 1199 })).rejects.toMatchObject(refused);
    await expect(decode(cut)).rejects.toMatchObject({ code: "ERR_INPUT" });
  }
});
