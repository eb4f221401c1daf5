import { pictureFormat } from "./formats.ts";
import { ascii, numbers } from "./head.ts";
import { directoryOf, TAG } from "./tiff-directory.ts";

export { pngEnd } from "./damage/png-chunks.ts";

/** The properties of a picture that its header states. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
  /** Bits per sample. */
  readonly bits: number;
  /** Whether some pixels may be translucent. */
  readonly alpha: boolean;
  /** Whether it stores grey instead of colours. */
  readonly grey: boolean;
}

/** The number of bytes that the header of a picture of another format than TIFF lies in. Photos have previews before it. */
export const SIZE_BYTES: number = 2 ** 20;

type Reader = (bytes: Uint8Array) => PictureSize | null;

const READERS: Readonly<Record<string, Reader>> = {
  PNG: pngSize,
  JPEG: jpegSize,
  GIF: gifSize,
  WebP: webpSize,
  BMP: bmpSize,
  AVIF: avifSize,
  "AVIF sequence": avifSize,
  TIFF: tiffSize,
  BigTIFF: tiffSize,
};

/**
 * Reads the size that a picture's header states, without decoding anything. A small file can state any size.
 * @param bytes the first `SIZE_BYTES` bytes of the file, or all bytes of a TIFF, whose header may lie at its end
 * @returns null if the format is unknown, or the header is damaged or lies further on
 */
export function pictureSize(bytes: Uint8Array): PictureSize | null {
  try {
    return READERS[pictureFormat(bytes)?.name ?? ""]?.(bytes) ?? null;
  } catch (error) {
    // The header ends early.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Bits of a PNG's colour type. */
const PALETTE = 1;
const COLOUR = 2;
const ALPHA = 4;

function pngSize(bytes: Uint8Array): PictureSize {
  const view = numbers(bytes);
  const type = view.getUint8(25);
  return {
    width: view.getUint32(16),
    height: view.getUint32(20),
    // The colours of a palette have 8 bits.
    bits: (type & PALETTE) === 0 ? view.getUint8(24) : 8,
    alpha: (type & ALPHA) !== 0 || hasTransparency(bytes),
    grey: (type & COLOUR) === 0,
  };
}

/** Whether a PNG has the chunk that makes some of its colours transparent. The chunk precedes the pixels. */
function hasTransparency(bytes: Uint8Array): boolean {
  const view = numbers(bytes);
  for (let at = 8; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const name = ascii(bytes, at + 4, at + 8);
    if (name === "tRNS") return true;
    if (name === "IDAT") return false;
  }
  return false;
}

/** Whether a JPEG's marker begins a frame. Three of these numbers mean something else. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function jpegSize(bytes: Uint8Array): PictureSize | null {
  const view = numbers(bytes);
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker)) {
      return {
        width: view.getUint16(at + 7),
        height: view.getUint16(at + 5),
        bits: view.getUint8(at + 4),
        alpha: false,
        grey: view.getUint8(at + 9) === 1,
      };
    }
    at += 2 + view.getUint16(at + 2);
  }
}

function gifSize(bytes: Uint8Array): PictureSize {
  const view = numbers(bytes);
  return {
    width: view.getUint16(6, true),
    height: view.getUint16(8, true),
    bits: 8,
    alpha: true,
    grey: false,
  };
}

function webpSize(bytes: Uint8Array): PictureSize | null {
  const view = numbers(bytes);
  const [width, height] = webpSides(ascii(bytes, 12, 16), view) ?? [];
  return width === undefined || height === undefined
    ? null
    : { width, height, bits: 8, alpha: true, grey: false };
}

function webpSides(chunk: string, view: DataView): readonly [number, number] | null {
  const low = 0x3fff;
  if (chunk === "VP8 ") return [view.getUint16(26, true) & low, view.getUint16(28, true) & low];
  if (chunk === "VP8L") {
    const packed = view.getUint32(21, true);
    return [(packed & low) + 1, ((packed >>> 14) & low) + 1];
  }
  if (chunk !== "VP8X") return null;
  const side = (at: number) => (view.getUint16(at, true) | (view.getUint8(at + 2) << 16)) + 1;
  return [side(24), side(27)];
}

/** A negative height means that the rows go downwards. */
function bmpSize(bytes: Uint8Array): PictureSize {
  const view = numbers(bytes);
  return {
    width: Math.abs(view.getInt32(18, true)),
    height: Math.abs(view.getInt32(22, true)),
    bits: 8,
    alpha: view.getUint16(28, true) === 32,
    grey: false,
  };
}

/** Boxes state the sizes of the whole picture, of its tiles and of previews. The largest is that of the picture. */
function avifSize(bytes: Uint8Array): PictureSize | null {
  const view = numbers(bytes);
  const sizes: PictureSize[] = [];
  for (let at = 4; at + 16 <= bytes.length; at++) {
    if (view.getUint32(at) !== 0x69737065) continue;
    const [width, height] = [view.getUint32(at + 8), view.getUint32(at + 12)];
    sizes.push({ width, height, bits: 8, alpha: true, grey: false });
  }
  return sizes.toSorted((a, b) => b.width * b.height - a.width * a.height)[0] ?? null;
}

function tiffSize(bytes: Uint8Array): PictureSize | null {
  const directory = directoryOf(bytes);
  const [width] = directory?.values(TAG.width) ?? [];
  const [height] = directory?.values(TAG.height) ?? [];
  if (directory === null || width === undefined || height === undefined) return null;
  return {
    width,
    height,
    bits: directory.values(TAG.bits)?.[0] ?? 1,
    alpha: directory.has(TAG.extraSamples),
    grey: (directory.values(TAG.photometric)?.[0] ?? 1) <= 1,
  };
}
