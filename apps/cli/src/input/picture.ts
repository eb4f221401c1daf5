import { PolybinError } from "@polybin/core";
import type { Metadata, Sharp, SharpConstructor, SharpOptions } from "sharp";
import type { PictureFormat } from "./magic.ts";
import { pngDamage } from "./png-check.ts";
import { hasAssociatedAlpha, isWhiteZero } from "./tiff-check.ts";

/** Decoded pixels, interleaved, at the depth they were stored in. */
export interface Picture {
  readonly type: "u8" | "u16";
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array | Uint16Array;
  /** Interleaved samples a pixel. */
  readonly stride: number;
  /** The channels by name, and where in a pixel each lies. */
  readonly channels: readonly { readonly name: string; readonly at: number }[];
}

/** More pixels than this are refused: a small file can claim any size, and all are decoded into memory. */
const MOST_PIXELS: number = 2 ** 29;

const OPTIONS: SharpOptions = {
  // What is cut short or damaged is an error, never a partial count. Mere warnings (an odd profile) are not.
  failOn: "error",
  limitInputPixels: MOST_PIXELS,
  ignoreIcc: true,
};

/** Channels of the colour spaces that files store, alpha apart. */
const COLOURS: Readonly<Record<string, readonly string[]>> = {
  "b-w": ["grey"],
  grey16: ["grey"],
  srgb: ["r", "g", "b"],
  rgb16: ["r", "g", "b"],
  cmyk: ["c", "m", "y", "k"],
};

/**
 * Decodes a picture without changing a value: no colour conversion, no profile, no rotation, no scaling.
 * Palettes become the colours they stand for, 1-, 2- and 4-bit grey the full 8-bit range. Of several pages or
 * frames the first is taken.
 * @throws ERR_INPUT when it cannot be decoded whole; ERR_UNSUPPORTED for another depth or colour space.
 */
export async function decode(bytes: Uint8Array, format: PictureFormat, name: string): Promise<Picture> {
  const damage = format.name === "PNG" ? pngDamage(bytes) : null;
  if (damage !== null) throw asInputError(new Error(damage), format, name);
  const isTiff = format.name.endsWith("TIFF");
  if (isTiff && hasAssociatedAlpha(bytes)) {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `expected colours as they are but those of ${name} were multiplied by their alpha, and the decoder would ` +
        "divide them again; --raw counts the file's bytes",
    );
  }
  const sharp = await loadSharp();
  try {
    const metadata = await sharp(bytes, OPTIONS).metadata();
    const { type, colours, alpha } = layoutOf(metadata, format, name);
    // To say which space the output has is the only way to keep sharp from converting it to sRGB. Its raw
    // output of 8-bit grey drops the alpha, so that grey comes out as three equal channels where it has one.
    const spread = metadata.space === "b-w" && alpha;
    const pipeline: Sharp = sharp(bytes, OPTIONS)
      .toColourspace(spread ? "srgb" : metadata.space!)
      .raw({ depth: type === "u8" ? "uchar" : "ushort" });
    // CMYK goes through sRGB unless the whole pipeline is said to be CMYK; said of others, it would convert them.
    if (metadata.space === "cmyk") pipeline.pipelineColourspace("cmyk");
    const { data, info } = await pipeline.toBuffer({ resolveWithObject: true });
    const expected = spread ? 4 : colours.length + (alpha ? 1 : 0);
    const samples = info.width * info.height * info.channels;
    if (info.channels !== expected || data.length !== samples * (type === "u8" ? 1 : 2)) {
      throw new Error(`the decoder gave ${info.channels} channels and ${data.length} bytes`);
    }
    const pixels = new (type === "u8" ? Uint8Array : Uint16Array)(data.buffer, data.byteOffset, samples);
    if (isTiff && isWhiteZero(bytes)) complement(pixels, info.channels);
    return {
      type,
      width: info.width,
      height: info.height,
      pixels,
      stride: info.channels,
      channels: [
        ...colours.map((colour, at) => ({ name: colour, at })),
        ...(alpha ? [{ name: "a", at: info.channels - 1 }] : []),
      ],
    };
  } catch (error) {
    if (error instanceof PolybinError) throw error;
    throw asInputError(error as Error, format, name);
  }
}

/** Turns the first channel round: 0 becomes the greatest value, which brings back what a decoder turned. */
function complement(pixels: Uint8Array | Uint16Array, stride: number): void {
  for (let at = 0; at < pixels.length; at += stride) pixels[at] = ~pixels[at]!;
}

async function loadSharp(): Promise<SharpConstructor> {
  try {
    const { default: sharp } = await import("sharp");
    // Each picture is decoded once.
    sharp.cache(false);
    return sharp;
  } catch (error) {
    throw new PolybinError(
      "ERR_UNAVAILABLE",
      "pictures cannot be decoded here because sharp cannot be loaded; --raw counts a file's bytes without it",
      { cause: error },
    );
  }
}

function layoutOf(metadata: Metadata, format: PictureFormat, name: string) {
  const { depth, space, channels = 0, hasAlpha: alpha = false } = metadata;
  const colours = COLOURS[space ?? ""];
  const type = depth === "uchar" ? "u8" : depth === "ushort" ? "u16" : null;
  if (
    type === null ||
    colours === undefined ||
    channels !== colours.length + (alpha ? 1 : 0) ||
    channels > 4
  ) {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `expected 8 or 16 bits a sample and 1 to 4 channels of grey, RGB or CMYK but the ${format.name} picture ` +
        `${name} has ${channels} of ${depth} in ${space}; --raw counts the file's bytes`,
    );
  }
  return { type, colours, alpha } as const;
}

function asInputError(error: Error, format: PictureFormat, name: string): PolybinError {
  const why = error.message
    .trim()
    .split("\n")[0]!
    .replace(/[:\s]+$/, "");
  if (/pixel limit/i.test(why)) {
    return new PolybinError(
      "ERR_LIMIT",
      `expected at most ${MOST_PIXELS} pixels but ${name} has more; --raw counts the file's bytes`,
      { cause: error },
    );
  }
  if (/allocate|out of memory/i.test(why)) {
    return new PolybinError("ERR_OUT_OF_MEMORY", `${name} does not fit in memory: ${why}`, { cause: error });
  }
  return new PolybinError(
    "ERR_INPUT",
    `expected a whole ${format.name} picture but ${name} cannot be decoded: ${why}`,
    { cause: error },
  );
}
