import { deflateSync } from "node:zlib";
import { isPolybinError } from "@polybin/core";
import { encode } from "fast-png";
import { beforeAll, expect, test } from "vitest";
import { decode } from "../src/decode.ts";
import { decodeInPage } from "../src/page.ts";
import type { Picture } from "../src/picture.ts";
import { causeOf } from "./mutated/causes.ts";
import { corpus, FORMATS, type Format, type Sample } from "./mutated/corpus.ts";
import { chunk, jpegSegment, withChunks, withSegments } from "./mutated/oddities.ts";
import { Random } from "./mutated/random.ts";
import { cases, Judges, ours } from "./mutated/trial.ts";
import { tiffOf } from "./tiff.ts";

let samples: readonly Sample[];
beforeAll(async () => {
  samples = await corpus();
});

const sample = (format: Format, variant: string): Uint8Array =>
  samples.find((one) => one.format === format && one.variant === variant)!.bytes;

const wholePicture = async (bytes: Uint8Array): Promise<Picture> => {
  const found = await ours(bytes);
  if (typeof found === "string") throw new Error(found);
  return found;
};

/** The message with which bytes are refused. */
async function refusal(bytes: Uint8Array): Promise<string> {
  const found = await ours(bytes);
  if (typeof found !== "string") throw new Error(`counted: ${found.width} x ${found.height}`);
  return found;
}

test.for(FORMATS)("no undamaged %s is refused", async (format) => {
  const own = samples.filter((one) => one.format === format);
  expect(own.length).toBeGreaterThan(5);
  for (const { variant, bytes } of own) {
    const found = await ours(bytes);
    expect(typeof found === "string" ? found : found.damage, variant).toBeNull();
  }
});

test.for(FORMATS)(
  "no damaged %s is counted that its decoder or another one calls damaged",
  async (format) => {
    const judges = new Judges(false);
    let [refused, complained] = [0, 0];
    for await (const { sample, damage, seed, bytes, differs, ours: found } of cases(50, [format])) {
      const complaints = await judges.complaints(bytes, sample);
      if (complaints.size > 0) complained += 1;
      if (typeof found === "string") {
        expect(differs, `${sample.variant} ${seed}`).toBe(true);
        refused += 1;
      } else if (complaints.size > 0) {
        const cause = await causeOf(bytes, sample, await wholePicture(sample.bytes), found, judges);
        expect(cause, `${sample.variant}, ${damage}, ${seed}: ${[...complaints.values()]}`).not.toBeNull();
      }
    }
    expect(complained).toBeGreaterThan(5);
    expect(refused).toBeGreaterThanOrEqual(complained);
  },
);

const EOI = Uint8Array.of(0xff, 0xd9);
const zeroed = (bytes: Uint8Array, at: number, length: number): Uint8Array =>
  Uint8Array.from(bytes).fill(0, at, at + length);
const overwritten = (bytes: Uint8Array, at: number, length: number): Uint8Array => {
  const copy = Uint8Array.from(bytes);
  copy.set(new Random(9).bytes(length), at);
  return copy;
};

test("a truncated JPEG with an end marker appended", async () => {
  for (const variant of ["baseline", "progressive", "grey", "CMYK", "restart markers", "several scans"]) {
    const bytes = sample("JPEG", variant);
    for (const part of [0.3, 0.5, 0.9]) {
      const cut = Buffer.concat([bytes.subarray(0, Math.max(650, bytes.length * part)), EOI]);
      expect(await refusal(cut), `${variant} ${part}`).toMatch(/is damaged/);
    }
  }
});

test("a JPEG with 400 zero bytes, also in the last rows", async () => {
  const bytes = sample("JPEG", "4:4:4");
  for (const at of [1000, 3000, bytes.length - 402]) {
    expect(await refusal(zeroed(bytes, at, 400)), String(at)).toMatch(/is damaged/);
  }
});

test("a JPEG without its end marker, without its last scan, with data left over", async () => {
  const bytes = sample("JPEG", "baseline");
  expect(await refusal(bytes.subarray(0, -2))).toMatch(/end marker/);
  expect(await refusal(Buffer.concat([bytes.subarray(0, -2), new Uint8Array(9), EOI]))).toMatch(/left over/);
  const progressive = Buffer.from(sample("JPEG", "progressive"));
  const lastScan = progressive.lastIndexOf(Buffer.of(0xff, 0xda));
  expect(await refusal(Buffer.concat([progressive.subarray(0, lastScan), EOI]))).toMatch(/last scan/);
  const scans = Buffer.from(sample("JPEG", "several scans"));
  const third = scans.lastIndexOf(Buffer.of(0xff, 0xda));
  expect(await refusal(Buffer.concat([scans.subarray(0, third), EOI]))).toMatch(/channel/);
});

test.for(["tiled lzw", "tiled deflate", "tiled jpeg", "deflate", "lzw", "jpeg"])(
  "a TIFF, %s, whose pixels are overwritten",
  async (variant) => {
    const bytes = sample("TIFF", variant);
    // sharp writes the pixels after the first 8 bytes, and the directory after the pixels.
    expect(await refusal(overwritten(bytes, 1200, 300))).toMatch(/is damaged/);
  },
);

test("a deflated TIFF whose damage only its checksum shows", async () => {
  const bytes = sample("TIFF", "deflate");
  let told = 0;
  for (let at = 200; at < 3000; at += 97) {
    const copy = Uint8Array.from(bytes);
    copy[at]! ^= 1;
    if (/incorrect data check/.test(await refusal(copy))) told += 1;
  }
  expect(told).toBeGreaterThan(0);
});

test("a JPEG without tables, as webcams send them, is counted, and checked with the standard tables of decoders", async () => {
  const { default: sharp } = await import("sharp");
  const raw = { width: 40, height: 32, channels: 3 } as const;
  const bytes = await sharp(new Random(1).bytes(40 * 32 * 3), { raw })
    .jpeg({ optimiseCoding: false })
    .toBuffer();
  const parts: Uint8Array[] = [bytes.subarray(0, 2)];
  let at = 2;
  for (; bytes[at + 1] !== 0xda; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes[at + 1] !== 0xc4) parts.push(bytes.subarray(at, at + 2 + bytes.readUInt16BE(at + 2)));
  }
  const bare = Buffer.concat([...parts, bytes.subarray(at)]);
  expect(bare.length).toBeLessThan(bytes.length - 400);
  expect((await wholePicture(bare)).data).toEqual((await wholePicture(bytes)).data);
  expect(await refusal(Buffer.concat([bare.subarray(0, -2), new Uint8Array(9), EOI]))).toMatch(/left over/);
});

test("a GIF with a zero byte between its blocks is counted", async () => {
  const bytes = sample("GIF", "plain");
  const zero = Buffer.concat([bytes.subarray(0, -1), Buffer.of(0, 0x3b)]);
  expect((await wholePicture(zero)).data).toEqual((await wholePicture(bytes)).data);
  expect(await refusal(Buffer.concat([bytes.subarray(0, -1), Buffer.of(7, 0x3b)]))).toMatch(/belong to none/);
});

test("a TIFF that ends before a later page", async () => {
  expect(await refusal(sample("TIFF", "pyramid").subarray(0, -900))).toMatch(/page \d|directory/);
});

test("a TIFF whose pages form a cycle", async () => {
  const bytes = Buffer.from(sample("TIFF", "pyramid"));
  const first = bytes.readUInt32LE(4);
  bytes.writeUInt32LE(first, first + 2 + 12 * bytes.readUInt16LE(first));
  expect(await refusal(bytes)).toMatch(/circle/);
});

const GREY = Uint8Array.from({ length: 256 }, (_, i) => i);
const STRIPS = [0, 64, 128, 192].map((at) => GREY.subarray(at, at + 64));

test("an uncompressed TIFF without its strip's length is counted; truncated, it is damaged", async () => {
  expect((await wholePicture(tiffOf(STRIPS, {}))).data).toEqual(GREY);
  expect((await wholePicture(tiffOf([GREY], { 278: [16], 279: null }))).data).toEqual(GREY);
  // With several strips, the decoder does not compute their lengths.
  expect(await refusal(tiffOf(STRIPS, { 279: null }))).toMatch(/cannot be: .* the lengths of its 4 strips/);
  expect(await refusal(tiffOf(STRIPS, { 257: [64], 278: [64], 273: [8], 279: null }))).toMatch(/is damaged/);
});

/** LZW as old writers packed it, from the lowest bit on. All codes are bytes, and a clear code keeps their 9 bits. */
function oldLzw(values: Uint8Array): Uint8Array {
  const codes = [...values].flatMap((value, i) => (i % 200 === 0 ? [256, value] : [value]));
  const bytes = new Uint8Array(Math.ceil((9 * (codes.length + 1)) / 8));
  for (const [i, code] of [...codes, 257].entries()) {
    for (let bit = 0; bit < 9; bit++)
      bytes[(9 * i + bit) >> 3]! |= ((code >> bit) & 1) << ((9 * i + bit) & 7);
  }
  return bytes;
}

test("a TIFF with LZW of old writers is counted; damaged, it is refused", async () => {
  const strip = oldLzw(GREY);
  expect((await wholePicture(tiffOf([strip], { 259: [5], 278: [16] }))).data).toEqual(GREY);
  expect(await refusal(tiffOf([strip.subarray(0, 150)], { 259: [5], 278: [16] }))).toMatch(/is damaged/);
});

test("a TIFF with 12 bits per sample is not called damaged", async () => {
  for (const lenient of [false, true]) {
    const bytes = tiffOf([GREY], { 258: [12], 278: [16] });
    await expect(decode(bytes, { lenient })).rejects.toMatchObject({
      code: "ERR_UNSUPPORTED",
      message: expect.stringMatching(/12 bits per sample/),
    });
  }
});

test("a sparse TIFF is not called damaged; with lenient it is decoded", async () => {
  const bytes = tiffOf(STRIPS, { 273: [8, 0, 136, 200], 279: [64, 0, 64, 64] });
  await expect(decode(bytes)).rejects.toMatchObject({
    code: "ERR_UNSUPPORTED",
    message: expect.stringMatching(/1 of 4 strips are omitted.*lenient: true/),
  });
  const { data, damage } = await decode(bytes, { lenient: true });
  expect(damage).not.toBeNull();
  expect(data.subarray(0, 64)).toEqual(STRIPS[0]);
  // A missing length alone is damage.
  expect(await refusal(tiffOf(STRIPS, { 279: [64, 0, 64, 64] }))).toMatch(/is damaged/);
});

test.for([
  [8, 2, [0, 1, 1, 0], [0, 1, 2, 0]],
  [4, 10, [0x01, 0x29], [0x01, 0x2a]],
  [2, 3, [0b00011000], [0b00011100]],
  [1, 1, [0b0000 << 4], [0b0001 << 4]],
] as const)(
  "a PNG of %i-bit indices into %i colours: one that is past them is damage",
  async ([depth, colours, within, past]) => {
    const png = (row: readonly number[]) => {
      const ihdr = Buffer.from([0, 0, 0, 4, 0, 0, 0, 1, depth, 3, 0, 0, 0]);
      return Buffer.concat([
        Buffer.from("89504e470d0a1a0a", "hex"),
        chunk("IHDR", ihdr),
        chunk("PLTE", new Uint8Array(3 * colours).fill(9)),
        chunk("IDAT", deflateSync(Buffer.from([0, ...row]))),
        chunk("IEND", new Uint8Array()),
      ]);
    };
    expect((await wholePicture(png(within))).width).toBe(4);
    expect(await refusal(png(past))).toBe(
      `expected a whole PNG picture but it is damaged: its palette has ${colours} colours but it uses number ` +
        `${colours}, counted from 0; lenient: true decodes what it can`,
    );
  },
);

test("a GIF whose data end before its blocks do", async () => {
  for (const variant of ["plain", "interlaced", "transparent", "animated"]) {
    const bytes = sample("GIF", variant);
    // Each frame's data are its last blocks. Two of them are removed, and the end stays.
    const blocks = blocksOf(bytes);
    const [from, to] = [blocks.at(-2)!, blocks.at(-1)!];
    const short = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
    expect(await refusal(short), variant).toMatch(/data|frame/);
  }
});

/** The start of the last frame's data blocks, and the position of its end. */
function blocksOf(bytes: Uint8Array): number[] {
  const palette = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let found: number[] = [];
  for (let at = 13 + palette(bytes[10]!); bytes[at] !== 0x3b; ) {
    const isImage = bytes[at] === 0x2c;
    at += isImage ? 11 + palette(bytes[at + 9]!) : 2;
    const own: number[] = [];
    for (; bytes[at] !== 0; at += 1 + bytes[at]!) own.push(at);
    own.push(at);
    if (isImage) found = own;
    at += 1;
  }
  return found;
}

test("a checksum of a PNG that does not match, in any chunk", async () => {
  const bad = Buffer.from(chunk("tEXt", new Uint8Array(20)));
  bad[10]! ^= 1;
  expect(await refusal(withChunks(sample("PNG", "8 bits"), [bad]))).toMatch(/checksum.*tEXt/);
});

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/** A grey PNG of 4 x 1 pixels of these bits, with other chunks in between. */
function greyPng(
  depth: number,
  { before = [], within = [] }: { before?: Uint8Array[]; within?: Uint8Array[] },
) {
  const data = deflateSync(Buffer.of(0, 0b00011011, 7, 9, 9).subarray(0, depth === 8 ? 5 : 2));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", Buffer.from([0, 0, 0, 4, 0, 0, 0, 1, depth, 0, 0, 0, 0])),
    ...before,
    chunk("IDAT", data.subarray(0, 5)),
    ...within,
    chunk("IDAT", data.subarray(5)),
    chunk("IEND", new Uint8Array()),
  ]);
}

test("a PNG with a chunk at a wrong place, by its place", async () => {
  const header = chunk("IHDR", Buffer.from([0, 0, 0, 4, 0, 0, 0, 1, 8, 0, 0, 0, 0]));
  const text = chunk("tEXt", Buffer.from("a\0b"));
  const colours = chunk("PLTE", new Uint8Array(9));
  const whole = greyPng(8, {});
  const misplaced: readonly (readonly [Uint8Array, RegExp])[] = [
    [greyPng(8, { before: [header] }), /its chunk "IHDR" at byte 33 is the second one/],
    [greyPng(8, { before: [text, header] }), /its chunk "IHDR" at byte 48 is the second one/],
    [greyPng(8, { within: [header] }), /its chunk "IHDR" at byte 50 is the second one/],
    [greyPng(8, { within: [text] }), /its chunk "IDAT" at byte 65 is separated from the others by "tEXt"/],
    [greyPng(8, { within: [chunk("prVt", new Uint8Array())] }), /separated from the others by "prVt"/],
    [Buffer.concat([SIGNATURE, text, whole.subarray(8)]), /its first chunk is "tEXt" instead of "IHDR"/],
    [
      Buffer.concat([whole.subarray(0, -12), colours, whole.subarray(-12)]),
      /its chunk "PLTE" at byte \d+ follows the pixels/,
    ],
    [
      Buffer.concat([whole.subarray(0, -12), header, whole.subarray(-12)]),
      /"IHDR" at byte \d+ is the second one/,
    ],
  ];
  expect((await wholePicture(whole)).data).toEqual(Uint8Array.of(27, 7, 9, 9));
  for (const [bytes, why] of misplaced) {
    expect(await refusal(bytes)).toMatch(why);
    expect(() => decodeInPage(bytes, "it")).toThrow(why);
  }
});

test("a PNG is counted whose odd chunks do not concern its pixels", async () => {
  const odd: readonly Uint8Array[] = [
    // A histogram without a palette, an animation of no frames, a scale without numbers.
    chunk("hIST", new Uint8Array(2)),
    chunk("acTL", new Uint8Array(8)),
    chunk("sCAL", new Uint8Array(1)),
    // Colours of another space, a suggested palette that is cut.
    chunk("cICP", Buffer.of(99, 99, 99, 99)),
    chunk("sPLT", Buffer.from("n\0\b1234567")),
  ];
  for (const one of odd) {
    const found = await wholePicture(greyPng(8, { before: [one] }));
    expect([found.names, found.damage]).toEqual([["grey"], null]);
    expect(found.data).toEqual(Uint8Array.of(27, 7, 9, 9));
  }
  expect((await wholePicture(greyPng(8, { before: [...odd] }))).data).toEqual(Uint8Array.of(27, 7, 9, 9));
});

test("a PNG with a chunk that its decoder must know and does not is refused", async () => {
  const odd = [chunk("sPLT", Buffer.from("n\0\b1234567")), chunk("ABCD", new Uint8Array(2))];
  expect(await refusal(greyPng(8, { before: odd }))).toMatch(/is damaged/);
});

test("a transparent colour of a PNG has the low bits of its number", async () => {
  // 2 bits: 0x0101 means 1. The pixels are 0, 1, 2, 3.
  const found = await wholePicture(greyPng(2, { before: [chunk("tRNS", Buffer.of(1, 1))] }));
  expect(found.names).toEqual(["grey", "a"]);
  expect([...found.data]).toEqual([0, 255, 85, 0, 170, 255, 255, 255]);
});

test("data left over after the last pixel of an arithmetic-coded JPEG", async () => {
  const bytes = sample("JPEG", "arithmetic");
  for (const length of [2, 9, 300]) {
    const junk = Buffer.concat([bytes.subarray(0, -2), new Uint8Array(length).fill(0x55), EOI]);
    expect(await refusal(junk)).toMatch(/at least \d+ bytes of its data are left over after its last pixel/);
  }
  // Bytes after the end marker are no part of it, and odd segments are no damage.
  expect((await wholePicture(Buffer.concat([bytes, Buffer.from("more")]))).damage).toBeNull();
  const odd = withSegments(bytes, [jpegSegment(0xe5, new Uint8Array(9)), Uint8Array.of(0xff, 0xff)]);
  expect((await wholePicture(odd)).data).toEqual((await wholePicture(bytes)).data);
});

test.for([
  ["meta/hdlr", "hdlr", 8, 1, /its box meta\/hdlr is damaged/],
  ["a property's length", "pixi", -1, 0, /box \d in its box meta\/iprp\/ipco has a length of 0 bytes/],
  ["a property's name", "pixi", 0, 0x5f, /its item 1 lacks the box meta\/iprp\/ipco\/pixi/],
  ["the depths' version", "pixi", 4, 1, /its box meta\/iprp\/ipco\/pixi is damaged/],
  [
    "a depth",
    "pixi",
    9,
    12,
    /its box meta\/iprp\/ipco\/pixi states 12,8,8 bits for item 1 but its codec states 8/,
  ],
  ["the codec's mark", "av1C", 4, 1, /its box meta\/iprp\/ipco\/av1C is damaged/],
  ["the number of associations", "ipma", 11, 99, /its box meta\/iprp\/ipma is damaged/],
  ["an associated property", "ipma", 15, 99, /its box meta\/iprp\/ipma is damaged/],
  ["the target of a reference", "auxl", 9, 77, /its box meta\/iref\/auxl is damaged/],
] as const)("an AVIF whose description is damaged: %s", async ([, box, at, value, why]) => {
  const bytes = Buffer.from(sample("AVIF", "alpha"));
  bytes[bytes.indexOf(box) + at] = value;
  expect(await refusal(bytes)).toMatch(why);
});

test("a WebP that claims more bytes than it has", async () => {
  for (const variant of ["animated", "profile, Exif"]) {
    expect(await refusal(sample("WebP", variant).subarray(0, -4))).toMatch(/it says|damaged/);
  }
});

test("an AVIF whose alpha is no longer in the list of items", async () => {
  const bytes = Buffer.from(sample("AVIF", "alpha"));
  const second = bytes.indexOf("infe", bytes.indexOf("infe") + 1);
  bytes.writeUInt16BE(0, second + 8);
  expect(await refusal(bytes)).toMatch(/list of items/);
});

test("pictures that are decoded at once each have their own warnings", async () => {
  const whole = sample("JPEG", "4:4:4");
  // Only the last rows are damaged, so the warning comes when the decoder ends.
  const damaged = zeroed(whole, whole.length - 302, 300);
  const found = await Promise.allSettled(
    Array.from({ length: 24 }, (_, i) => {
      const bytes = i % 2 === 0 ? whole : damaged;
      return decode(bytes, { name: String(i) });
    }),
  );
  expect(found.map(({ status }) => status)).toEqual(
    found.map((_, i) => (i % 2 === 0 ? "fulfilled" : "rejected")),
  );
  for (const one of found) {
    if (one.status === "rejected") expect(isPolybinError(one.reason) && one.reason.code).toBe("ERR_INPUT");
  }
});

/** A grey TIFF of one pixel per strip. All strips share the same deflated data, of this many bytes. */
function sharingTiff(strips: number, bytes: number): Buffer {
  const data = deflateSync(Buffer.alloc(bytes), { level: 9 });
  const start = 8;
  const lists = start + data.length + (data.length % 2);
  const offsets = Buffer.alloc(4 * strips);
  const lengths = Buffer.alloc(4 * strips);
  for (let i = 0; i < strips; i++) {
    offsets.writeUInt32LE(start, 4 * i);
    lengths.writeUInt32LE(data.length, 4 * i);
  }
  const entries: readonly (readonly [tag: number, count: number, value: number])[] = [
    [256, 1, 1],
    [257, 1, strips],
    [258, 1, 8],
    [259, 1, 8],
    [262, 1, 1],
    [273, strips, lists],
    [277, 1, 1],
    [278, 1, 1],
    [279, strips, lists + offsets.length],
  ];
  const directory = Buffer.alloc(2 + 12 * entries.length + 4);
  directory.writeUInt16LE(entries.length);
  for (const [i, [tag, count, value]] of entries.entries()) {
    directory.writeUInt16LE(tag, 2 + 12 * i);
    directory.writeUInt16LE(4, 4 + 12 * i);
    directory.writeUInt32LE(count, 6 + 12 * i);
    directory.writeUInt32LE(value, 10 + 12 * i);
  }
  const head = Buffer.from("II*\0\0\0\0\0", "latin1");
  head.writeUInt32LE(lists + offsets.length + lengths.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2), offsets, lengths, directory]);
}

test("a TIFF whose strips share data that unpack to far more than they hold is refused at the first", async () => {
  expect((await wholePicture(sharingTiff(20, 1))).height).toBe(20);
  expect(await refusal(sharingTiff(20, 100_000))).toMatch(
    /damaged: strip 0: its data unpack to more bytes than it holds/,
  );
  expect(await refusal(sharingTiff(20, 2 ** 24))).toMatch(/damaged: strip 0 has 16\d{3} bytes for 1;/);
});

test("a TIFF that claims more pixels than fit is refused in one line", async () => {
  const bytes = Buffer.from(sample("TIFF", "strips"));
  const directory = bytes.readUInt32LE(4);
  for (let at = directory + 2; ; at += 12) {
    if (bytes.readUInt16LE(at) !== 257) continue;
    bytes.writeUInt16LE(4, at + 2);
    bytes.writeUInt32LE(2 ** 30, at + 8);
    break;
  }
  await expect(decode(bytes)).rejects.toMatchObject({
    code: "ERR_LIMIT",
    message: expect.stringMatching(/^expected at most 536870912 pixels but it has more$/),
  });
});

test("with lenient, the decodable part of a damaged picture is returned together with its damage", async () => {
  const bytes = sample("JPEG", "baseline");
  const cut = Buffer.concat([bytes.subarray(0, 1500), EOI]);
  const found = await decode(cut, { lenient: true });
  expect([found.width, found.height, found.data.length]).toEqual([92, 70, 92 * 70 * 3]);
  expect(await refusal(cut)).toBe(
    `expected a whole JPEG picture but it is damaged: ${found.damage}; lenient: true decodes what it can`,
  );
  // An undamaged picture decodes the same with and without `lenient`.
  const whole = await decode(bytes, { lenient: true });
  expect(whole.damage).toBeNull();
  expect(whole.data).toEqual((await wholePicture(bytes)).data);
  const head = sample("PNG", "8 bits").subarray(0, 40);
  await expect(decode(head, { lenient: true })).rejects.toMatchObject({
    code: "ERR_INPUT",
    lenientHelps: false,
    message: expect.stringMatching(/ is damaged: .*; no part of it can be decoded$/),
  });
});

test("grey that was stored with a wrong profile is still decoded unchanged", async () => {
  const data = new Random(3).bytes(320);
  const png = withChunks(encode({ width: 20, height: 16, channels: 1, depth: 8, data }), [
    chunk("iCCP", Buffer.from("x\0\0not zlib")),
  ]);
  expect((await wholePicture(png)).data).toEqual(data);
});
