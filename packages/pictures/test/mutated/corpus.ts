import { readFileSync } from "node:fs";
import { encode } from "fast-png";
import sharp, { type Sharp } from "sharp";
import { chunk, jpegSegment, withAnimation, withChunks, withSegments, withTags } from "./oddities.ts";
import { Random } from "./random.ts";

/** An undamaged picture. */
export interface Sample {
  readonly format: Format;
  readonly variant: string;
  readonly bytes: Uint8Array;
}

export const FORMATS = ["PNG", "JPEG", "TIFF", "GIF", "WebP", "AVIF"] as const;
export type Format = (typeof FORMATS)[number];

const [WIDTH, HEIGHT] = [92, 70];

/** Slopes, edges and a little noise, so that no format compresses it trivially. */
function drawn(channels: number, frame = 0, seed = 5): Uint8Array {
  const random = new Random(seed + frame);
  return Uint8Array.from({ length: WIDTH * HEIGHT * channels }, (_, i) => {
    const [channel, x, y] = [
      i % channels,
      Math.floor(i / channels) % WIDTH,
      Math.floor(i / channels / WIDTH),
    ];
    const disc = (x - 40 - 5 * frame) ** 2 + (y - 30) ** 2 < 400 ? 90 : 0;
    const slope = (channel + 1) * x + (3 - channel) * y + disc + random.whole(0, 9);
    return channel === 3 ? 255 - ((2 * x) & 0xff) : slope & 0xff;
  });
}

const of = (channels: 1 | 2 | 3 | 4): Sharp =>
  sharp(drawn(channels), { raw: { width: WIDTH, height: HEIGHT, channels } });
const deep = (channels: 1 | 2 | 3 | 4): Uint16Array =>
  Uint16Array.from(drawn(channels), (value, i) => 251 * value + (i % 97));
const deepSharp = (channels: 1 | 3 | 4): Sharp =>
  sharp(deep(channels), { raw: { width: WIDTH, height: HEIGHT, channels } }).toColourspace(
    channels === 1 ? "grey16" : "rgb16",
  );
const frames = (): Sharp =>
  sharp(Buffer.concat([drawn(3), drawn(3, 1), drawn(3, 2)]), {
    raw: { width: WIDTH, height: 3 * HEIGHT, channels: 3, pageHeight: HEIGHT },
  });
const fixture = (name: string): Uint8Array => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));

/** Packs values of 1, 2 or 4 bits. Each row starts at a byte. */
function packed(depth: 1 | 2 | 4): Uint8Array {
  const row = Math.ceil((WIDTH * depth) / 8);
  const bytes = new Uint8Array(row * HEIGHT);
  drawn(1).forEach((value, i) => {
    const bit = (i % WIDTH) * depth;
    bytes[Math.floor(i / WIDTH) * row + (bit >> 3)]! |= (value >> (8 - depth)) << (8 - depth - (bit & 7));
  });
  return bytes;
}

async function png(): Promise<[string, Uint8Array][]> {
  const size = { width: WIDTH, height: HEIGHT };
  const plain = await of(3).png().toBuffer();
  const text = new TextEncoder();
  return [
    ["8 bits", plain],
    ["alpha", await of(4).png().toBuffer()],
    ["grey", encode({ ...size, channels: 1, depth: 8, data: drawn(1) })],
    ["grey and alpha", encode({ ...size, channels: 2, depth: 8, data: drawn(2) })],
    ["16 bits", await deepSharp(3).png().toBuffer()],
    ["16-bit grey and alpha", encode({ ...size, channels: 2, depth: 16, data: deep(2) })],
    ["palette", await of(3).png({ palette: true }).toBuffer()],
    ["palette of 4 bits with transparency", await of(4).png({ palette: true, colours: 16 }).toBuffer()],
    ["1 bit", encode({ ...size, channels: 1, depth: 1, data: packed(1) })],
    ["2 bits", encode({ ...size, channels: 1, depth: 2, data: packed(2) })],
    ["4 bits", encode({ ...size, channels: 1, depth: 4, data: packed(4) })],
    ["interlaced", await of(3).png({ progressive: true }).toBuffer()],
    ["interlaced 16 bits", await deepSharp(4).png({ progressive: true }).toBuffer()],
    [
      "profile, Exif, XMP",
      await of(3)
        .withIccProfile("p3")
        .withExif({ IFD0: { Copyright: "nobody" } })
        .png()
        .toBuffer(),
    ],
    [
      "unknown chunks",
      withChunks(plain, [chunk("teSt", new Uint8Array(40)), chunk("prVt", new Uint8Array(0))]),
    ],
    [
      "odd text and date",
      withChunks(plain, [
        chunk("tEXt", text.encode("Comment\0\x01\x02 \u00e9")),
        chunk("tIME", Uint8Array.of(7, 231, 13, 40, 25, 61, 61)),
        chunk("gAMA", Uint8Array.of(0, 0, 0, 0)),
      ]),
    ],
    ["a wrong profile", withChunks(plain, [chunk("iCCP", text.encode("x\0\0not zlib"))])],
    ["bytes behind the end", Buffer.concat([plain, Buffer.from("a trailer")])],
    ["animated", withAnimation(plain, drawn(3, 1))],
  ];
}

async function jpeg(): Promise<[string, Uint8Array][]> {
  const plain = await of(3).jpeg({ quality: 85, mozjpeg: false }).toBuffer();
  const app = (number: number, length: number) =>
    jpegSegment(0xe0 + number, new Random(number).bytes(length));
  return [
    ["baseline", plain],
    ["4:4:4", await of(3).jpeg({ chromaSubsampling: "4:4:4", quality: 95 }).toBuffer()],
    ["grey", await of(1).toColourspace("b-w").jpeg().toBuffer()],
    ["progressive", await of(3).jpeg({ progressive: true, quality: 85 }).toBuffer()],
    ["progressive grey", await of(1).toColourspace("b-w").jpeg({ progressive: true }).toBuffer()],
    ["optimised scans", await of(3).jpeg({ mozjpeg: true, quality: 85 }).toBuffer()],
    ["CMYK", await of(3).toColourspace("cmyk").jpeg().toBuffer()],
    ["progressive CMYK", await of(3).toColourspace("cmyk").jpeg({ progressive: true }).toBuffer()],
    ["restart markers", fixture("restart.jpg")],
    ["progressive with restart markers", fixture("restart-progressive.jpg")],
    ["several scans", fixture("scans.jpg")],
    ["arithmetic", fixture("arithmetic.jpg")],
    ["4:1:1 and odd sampling", fixture("sampling.jpg")],
    [
      "Exif, profile, XMP",
      await of(3)
        .withIccProfile("p3")
        .withExif({ IFD0: { Orientation: "6" } })
        .jpeg()
        .toBuffer(),
    ],
    [
      "many odd segments",
      withSegments(plain, [
        app(1, 0),
        app(3, 999),
        app(13, 60),
        app(15, 7),
        app(15, 8),
        jpegSegment(0xfe, new Uint8Array(70)),
      ]),
    ],
    ["fill bytes before a marker", withSegments(plain, [Uint8Array.of(0xff, 0xff, 0xff), app(5, 10)])],
    ["a second picture behind the end", Buffer.concat([plain, plain])],
    ["a trailer behind the end", Buffer.concat([plain, new Random(1).bytes(300)])],
  ];
}

async function tiff(): Promise<[string, Uint8Array][]> {
  const tile = { tile: true, tileWidth: 32, tileHeight: 32 } as const;
  const plain = await of(3).tiff({ compression: "none" }).toBuffer();
  const lzw = await of(3)
    .tiff({ compression: "lzw", ...tile })
    .toBuffer();
  const found: [string, Uint8Array][] = [
    ["strips", plain],
    ["big", await of(3).tiff({ compression: "lzw", bigtiff: true }).toBuffer()],
    [
      "tiled big",
      await of(3)
        .tiff({ compression: "deflate", bigtiff: true, ...tile })
        .toBuffer(),
    ],
    [
      "pyramid",
      await of(3)
        .tiff({ compression: "deflate", pyramid: true, ...tile })
        .toBuffer(),
    ],
    ["16 bits", await deepSharp(3).tiff({ compression: "deflate", predictor: "horizontal" }).toBuffer()],
    [
      "tiled 16-bit grey",
      await deepSharp(1)
        .tiff({ compression: "lzw", ...tile })
        .toBuffer(),
    ],
    ["1 bit", await of(1).toColourspace("b-w").tiff({ bitdepth: 1, compression: "none" }).toBuffer()],
    ["fax", await of(1).toColourspace("b-w").tiff({ bitdepth: 1, compression: "ccittfax4" }).toBuffer()],
    ["CMYK", await of(3).toColourspace("cmyk").tiff({ compression: "lzw" }).toBuffer()],
    [
      "alpha",
      await of(4)
        .tiff({ compression: "deflate", ...tile })
        .toBuffer(),
    ],
    [
      "profile, Exif, XMP",
      await of(3)
        .withIccProfile("p3")
        .withExif({ IFD0: { Make: "nobody" } })
        .tiff({ compression: "lzw" })
        .toBuffer(),
    ],
    ["private tags", withTags(plain)],
    ["private tags, tiled", withTags(lzw)],
  ];
  for (const compression of ["lzw", "deflate", "packbits", "jpeg"] as const) {
    const predictor = compression === "lzw" ? "horizontal" : "none";
    found.push([compression, await of(3).tiff({ compression, predictor }).toBuffer()]);
    found.push([
      `tiled ${compression}`,
      await of(3)
        .tiff({ compression, predictor, ...tile })
        .toBuffer(),
    ]);
  }
  return found;
}

async function gif(): Promise<[string, Uint8Array][]> {
  const plain = await of(3).gif().toBuffer();
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 5]), Buffer.from("hello"), Buffer.from([0])]);
  const behindScreen = 13 + 3 * 2 ** ((plain[10]! & 7) + 1);
  return [
    ["plain", plain],
    ["few colours", await of(3).gif({ colours: 4, dither: 0 }).toBuffer()],
    ["grey", await of(1).toColourspace("b-w").gif().toBuffer()],
    ["transparent", await of(4).gif().toBuffer()],
    ["interlaced", await of(3).gif({ progressive: true }).toBuffer()],
    [
      "animated",
      await frames()
        .gif({ loop: 0, delay: [50, 60, 70] })
        .toBuffer(),
    ],
    ["a comment", Buffer.concat([plain.subarray(0, behindScreen), comment, plain.subarray(behindScreen)])],
    ["bytes behind the trailer", Buffer.concat([plain, Buffer.from("\0\0more")])],
  ];
}

async function webp(): Promise<[string, Uint8Array][]> {
  const plain = await of(3).webp().toBuffer();
  return [
    ["lossy", plain],
    ["lossless", await of(3).webp({ lossless: true }).toBuffer()],
    ["near lossless", await of(4).webp({ nearLossless: true }).toBuffer()],
    ["alpha", await of(4).webp().toBuffer()],
    ["lossless alpha", await of(4).webp({ lossless: true }).toBuffer()],
    ["animated", await frames().webp({ loop: 0 }).toBuffer()],
    ["animated lossless", await frames().webp({ lossless: true }).toBuffer()],
    [
      "profile, Exif",
      await of(3)
        .withIccProfile("p3")
        .withExif({ IFD0: { Make: "nobody" } })
        .webp()
        .toBuffer(),
    ],
    ["bytes behind the end", Buffer.concat([plain, Buffer.from("more")])],
  ];
}

async function avif(): Promise<[string, Uint8Array][]> {
  return [
    ["lossy", await of(3).avif({ effort: 1 }).toBuffer()],
    ["4:2:0", await of(3).avif({ chromaSubsampling: "4:2:0", effort: 1 }).toBuffer()],
    ["lossless", await of(3).avif({ lossless: true, effort: 1 }).toBuffer()],
    ["alpha", await of(4).avif({ effort: 1 }).toBuffer()],
    ["grey", await of(1).toColourspace("b-w").avif({ effort: 1 }).toBuffer()],
    [
      "profile, Exif",
      await of(3)
        .withIccProfile("p3")
        .withExif({ IFD0: { Make: "nobody" } })
        .avif({ effort: 1 })
        .toBuffer(),
    ],
  ];
}

const DRAWERS = { PNG: png, JPEG: jpeg, TIFF: tiff, GIF: gif, WebP: webp, AVIF: avif } as const;

/** Undamaged pictures of six formats in many variants. The bytes are the same for the same version of sharp. */
export async function corpus(): Promise<Sample[]> {
  const found: Sample[] = [];
  for (const format of FORMATS) {
    for (const [variant, bytes] of await DRAWERS[format]()) found.push({ format, variant, bytes });
  }
  return found;
}
