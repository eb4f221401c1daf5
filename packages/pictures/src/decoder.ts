import type { Metadata, Sharp, SharpConstructor, SharpOptions } from "sharp";
import { PictureError } from "./error.ts";
import type { PictureFormat } from "./formats.ts";
import { leavesLengths } from "./tiff-directory.ts";
import { tellsOfPixels } from "./warnings.ts";

/** A picture is not whole. The message says why. */
export class Damage extends Error {}

/** The decoder's result. */
export interface Decoded {
  readonly type: "u8" | "u16";
  readonly width: number;
  readonly height: number;
  /** The samples of each pixel side by side, in the order of the names. */
  readonly data: Uint8Array | Uint16Array;
  readonly names: readonly string[];
}

/** The picture that is about to be decoded. */
export interface Subject {
  readonly format: PictureFormat;
  /** Its name in error messages. */
  readonly name: string;
  /** The most pixels that it may have. */
  readonly maxPixels: number;
}

/** A picture whose header has been read. */
export interface Opened {
  /** Decodes it in a thread of the decoder. */
  run(): Promise<Decoded>;
}

/** The most pixels that `maxPixels` may be. A small file can claim any size, and all pixels are decoded into memory. */
export const MOST_PIXELS: number = 2 ** 29;

/** Channels of the colour spaces in files, without alpha. */
const COLOURS: Readonly<Record<string, readonly string[]>> = {
  "b-w": ["grey"],
  grey16: ["grey"],
  srgb: ["r", "g", "b"],
  rgb16: ["r", "g", "b"],
  cmyk: ["c", "m", "y", "k"],
};

export async function loadSharp(): Promise<SharpConstructor> {
  try {
    const { default: sharp } = await import("sharp");
    // Each picture is decoded only once.
    sharp.cache(false);
    return sharp;
  } catch (error) {
    throw new PictureError("ERR_UNAVAILABLE", "cannot decode pictures because sharp cannot be loaded", {
      cause: error,
    });
  }
}

/**
 * Reads a picture's header.
 * @param level `warning` tolerates no problem with the pixels; `none` tolerates everything possible
 * @throws Damage; ERR_UNSUPPORTED; the decoder's own error if it concerns size or memory.
 */
export async function open(
  sharp: SharpConstructor,
  bytes: Uint8Array,
  { format, name, maxPixels }: Subject,
  level: "none" | "warning",
): Promise<Opened> {
  const options: SharpOptions = {
    failOn: level === "warning" && judgedAfterwards(bytes, format) ? "error" : level,
    limitInputPixels: maxPixels,
    ignoreIcc: true,
  };
  const metadata = await guarded(() => sharp(bytes, options).metadata());
  const { type, names } = layoutOf(metadata, format, name);
  // Only a given output space keeps sharp from converting to sRGB. Its raw output of 8-bit grey drops the alpha, so
  // grey with alpha is decoded to three equal channels.
  const spread = metadata.space === "b-w" && names.length === 2;
  const pipeline: Sharp = sharp(bytes, options)
    .toColourspace(spread ? "srgb" : metadata.space!)
    .raw({ depth: type === "u8" ? "uchar" : "ushort" });
  // CMYK passes through sRGB unless the whole pipeline is declared as CMYK. For other spaces that declaration would
  // convert them.
  if (metadata.space === "cmyk") pipeline.pipelineColourspace("cmyk");
  const warnings: string[] = [];
  pipeline.on("warning", (warning: string) => warnings.push(warning));
  const run = async (): Promise<Decoded> => {
    const { data, info } = await guarded(() => pipeline.toBuffer({ resolveWithObject: true }));
    if (level === "warning") {
      const told = tellsOfPixels(warnings, format.name);
      if (told !== null) throw new Damage(told);
    }
    const given = spread ? 4 : names.length;
    const samples = info.width * info.height * info.channels;
    if (info.channels !== given || data.length !== samples * (type === "u8" ? 1 : 2)) {
      throw new Damage(`the decoder returned ${info.channels} channels and ${data.length} bytes`);
    }
    const pixels = new (type === "u8" ? Uint8Array : Uint16Array)(data.buffer, data.byteOffset, samples);
    const { width, height } = info;
    return { type, width, height, data: spread ? greyAndAlpha(pixels) : pixels, names };
  };
  return { run };
}

/** Extracts grey and alpha from three equal channels and alpha. */
function greyAndAlpha(spread: Uint8Array | Uint16Array): Uint8Array {
  const pixels = new Uint8Array(spread.length / 2);
  for (let to = 0, from = 0; to < pixels.length; to += 2, from += 4) {
    pixels[to] = spread[from]!;
    pixels[to + 1] = spread[from + 3]!;
  }
  return pixels;
}

/**
 * JPEG's decoder reports its warnings only if it continues to the end. TIFF's decoder warns about lengths that it does
 * not need.
 */
function judgedAfterwards(bytes: Uint8Array, { name }: PictureFormat): boolean {
  return name === "JPEG" || (name.endsWith("TIFF") && leavesLengths(bytes));
}

/** Whether the decoder refused a picture for its number of pixels, which its header states. */
export const isTooLarge = ({ message }: Error): boolean => /pixel limit/i.test(message);

let last: Promise<unknown> = Promise.resolve();

/** Runs one decoder at a time, because sharp reports the warnings of all of them to the next one that ends. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work);
  last = turn.catch(() => {});
  return turn;
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await inTurn(work);
  } catch (error) {
    const { message } = error as Error;
    // This is not the picture's fault.
    if (isTooLarge(error as Error) || /allocate|out of memory/i.test(message)) throw error;
    // The decoder repeats itself if it warned before it failed.
    const lines = new Set(message.split("\n").map((line) => line.trim().replace(/[:\s]+$/, "")));
    const said = [...lines].filter((line) => line !== "" && !/^Warning treated as error/.test(line));
    throw new Damage(said[0] ?? "its decoder gives up", { cause: error });
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
    throw new PictureError(
      "ERR_UNSUPPORTED",
      `expected 8 or 16 bits per sample and 1 to 4 channels of grey, RGB or CMYK but the ${format.name} picture ` +
        `${name} has ${channels} of ${depth} in ${space}`,
    );
  }
  return { type, names: alpha ? [...colours, "a"] : colours } as const;
}
