/**
 * Decodes pictures of 8 and 16 bits in a web page, which has no sharp: PNG and TIFF, as they are stored. A page's own
 * decoder returns 8 bits, multiplied by alpha.
 */
import { convertIndexedToRgb, type DecodedPng, decode as decodePng } from "fast-png";
import { decode as decodeTiff } from "tiff";
import { chunksOf, orderDamage } from "./damage/png-chunks.ts";
import { PictureError } from "./error.ts";
import { pictureFormat } from "./formats.ts";
import { Picture } from "./picture.ts";
import { type Directory, directoryOf, hasAssociatedAlpha, isWhiteZero, TAG } from "./tiff-directory.ts";

export type { Picture } from "./picture.ts";

const NAMES: readonly (readonly string[])[] = [
  ["grey"],
  ["grey", "a"],
  ["r", "g", "b"],
  ["r", "g", "b", "a"],
];

/**
 * Decodes a PNG or a TIFF without changing a value, like `decode` of this package. It decodes on the calling thread.
 * @param name the picture's name in error messages
 * @throws ERR_FORMAT if the bytes are no picture. ERR_INPUT if it is damaged.
 * @throws ERR_UNSUPPORTED for another format, depth, compression or colour space.
 */
export function decodeInPage(bytes: Uint8Array, name: string): Picture {
  const format = pictureFormat(bytes)?.name ?? null;
  if (format === null) {
    throw new PictureError(
      "ERR_FORMAT",
      `expected a PNG or TIFF picture but ${name} does not begin like one`,
    );
  }
  if (format !== "PNG" && format !== "TIFF") {
    throw new PictureError("ERR_UNSUPPORTED", `expected a PNG or TIFF picture but ${name} is ${format}`);
  }
  try {
    return format === "PNG" ? pictureOfPng(bytes, name) : pictureOfTiff(bytes, name);
  } catch (error) {
    if (error instanceof PictureError) throw error;
    const { message } = error as Error;
    if (message.startsWith("Unsupported")) throw unsupported(name, message.toLowerCase());
    throw new PictureError(
      "ERR_INPUT",
      `expected a whole ${format} picture but ${name} is damaged: ${message}`,
      {
        cause: error,
      },
    );
  }
}

const unsupported = (name: string, why: string): PictureError =>
  new PictureError("ERR_UNSUPPORTED", `a page cannot decode ${name}: ${why}`);

function pictureOfPng(bytes: Uint8Array, name: string): Picture {
  const chunks = chunksOf(bytes);
  const damage = typeof chunks === "string" ? chunks : orderDamage(chunks);
  if (damage !== null) throw new Error(damage);
  const decoded = decodePng(bytes, { checkCrc: true });
  const { width, height, depth } = decoded;
  if (decoded.palette !== undefined) {
    const data = convertIndexedToRgb(decoded) as Uint8Array;
    return made({ width, height, data, channels: data.length / (width * height) });
  }
  if (depth < 8) throw unsupported(name, `it has ${depth} bits per sample`);
  return made(decoded.transparency === undefined ? decoded : withAlpha(decoded, decoded.transparency));
}

/** Makes the pixels of one colour transparent, as the chunk tRNS demands. All others are opaque. */
function withAlpha({ width, height, data, channels }: DecodedPng, colour: Uint16Array) {
  const most = data instanceof Uint16Array ? 65_535 : 255;
  const into = new (data instanceof Uint16Array ? Uint16Array : Uint8Array)(width * height * (channels + 1));
  for (let from = 0, to = 0; from < data.length; from += channels, to += channels + 1) {
    let isColour = true;
    for (let channel = 0; channel < channels; channel++) {
      const value = data[from + channel]!;
      into[to + channel] = value;
      isColour &&= value === colour[channel];
    }
    into[to + channels] = isColour ? 0 : most;
  }
  return { width, height, data: into, channels: channels + 1 };
}

function pictureOfTiff(bytes: Uint8Array, name: string): Picture {
  const directory = directoryOf(bytes);
  if (directory === null) throw new Error("it has no directory");
  const why = tiffProblem(directory, bytes);
  if (why !== null) throw unsupported(name, why);
  const { width, height, data, samplesPerPixel } = decodeTiff(bytes, { pages: [0] })[0]!;
  const pixels = data as Uint8Array | Uint16Array;
  // The decoder complements such pictures. This restores the stored values.
  if (isWhiteZero(bytes)) for (let at = 0; at < pixels.length; at++) pixels[at] = ~pixels[at]!;
  return made({ width, height, data: pixels, channels: samplesPerPixel });
}

const INTEGERS = 1;
const INTERLEAVED = 1;
/** Grey with 0 as white or black, and RGB. */
const COLOURS = [0, 1, 2];

/** Describes what the decoder for pages lacks or would do wrong, or returns null. */
function tiffProblem(directory: Directory, bytes: Uint8Array): string | null {
  const first = (tag: number, fallback: number) => directory.values(tag)?.[0] ?? fallback;
  const [bits, samples] = [first(TAG.bits, 1), first(TAG.samples, 1)];
  if (hasAssociatedAlpha(bytes)) return "its colours are multiplied by their alpha";
  if (first(TAG.sampleFormat, INTEGERS) !== INTEGERS) return "its samples are no unsigned integers";
  if (bits !== 8 && bits !== 16) return `it has ${bits} bits per sample`;
  if (!COLOURS.includes(first(TAG.photometric, 1))) return "its colours are neither grey nor RGB";
  if (samples > 4) return `it has ${samples} channels`;
  if (samples > 1 && first(TAG.planes, INTERLEAVED) !== INTERLEAVED) return "its channels lie apart";
  if (samples > 1 && directory.has(TAG.tileOffsets)) return "it has tiles of several channels";
  return null;
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray | Uint16Array;
  readonly channels: number;
}

function made({ width, height, data, channels }: Pixels): Picture {
  const type = data instanceof Uint16Array ? "u16" : "u8";
  const samples =
    data instanceof Uint16Array ? data : new Uint8Array(data.buffer, data.byteOffset, data.length);
  return new Picture({ type, width, height, data: samples, names: NAMES[channels - 1]!, damage: null });
}
