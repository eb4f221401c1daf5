import type { Metadata, Sharp, SharpConstructor, SharpOptions } from "sharp";
import { PictureError, unsupported } from "./error.ts";
import type { PictureFormat } from "./formats.ts";
import { leavesLengths } from "./tiff-directory.ts";
import { hasOldLzw } from "./tiff-parts.ts";
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
  /** The memory for its pixels, if the caller has some. */
  readonly into?: Uint8Array | Uint16Array | undefined;
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
  subject: Subject,
  level: "none" | "warning",
): Promise<Opened> {
  const { format, name, maxPixels } = subject;
  const options: SharpOptions = {
    failOn: level === "warning" && judgedAfterwards(bytes, format) ? "error" : level,
    limitInputPixels: maxPixels,
    ignoreIcc: true,
  };
  const metadata = await guarded(() => sharp(bytes, options).metadata(), subject);
  const { type, names } = layoutOf(metadata, format, name);
  checkRoom(subject, type, [metadata.width, metadata.height, names.length]);
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
    const { data, info } = await guarded(() => pipeline.toBuffer({ resolveWithObject: true }), subject);
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
 * not need, and about an old compression.
 */
function judgedAfterwards(bytes: Uint8Array, { name }: PictureFormat): boolean {
  return name === "JPEG" || (name.endsWith("TIFF") && (leavesLengths(bytes) || hasOldLzw(bytes)));
}

/** Whether the decoder refused a picture for its number of pixels, which its header states. */
export const isTooLarge = ({ message }: Error): boolean => /pixel limit/i.test(message);

/** Returns what the decoder says at its strictest if it refuses these bytes, which are not to be counted, or null. */
export async function complaintOf(bytes: Uint8Array): Promise<string | null> {
  const sharp = await loadSharp();
  const options: SharpOptions = { failOn: "warning", limitInputPixels: MOST_PIXELS, ignoreIcc: true };
  try {
    await inTurn(() => sharp(bytes, options).raw().toBuffer());
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

let last: Promise<unknown> = Promise.resolve();

/** Runs one decoder at a time, because sharp reports the warnings of all of them to the next one that ends. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work);
  last = turn.catch(() => {});
  return turn;
}

/** The decoder's words for undamaged pictures that it cannot read, and what they are. */
const BEYOND: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/([\w-]+) compression support is not configured/, (codec) => `it is compressed with ${codec}`],
  [/has not been built in: (\w+)/, (codec) => `it is compressed with ${codec}`],
  [/Compression scheme (\d+) .*not implemented/, (scheme) => `its compression is TIFF's number ${scheme}`],
  [/Unsupported JPEG data precision (\d+)/, (bits) => `it has ${bits} bits per sample`],
  [/(separate planes) not supported/, () => "each of its tiles has only one channel"],
];

/** Returns what a picture is that the decoder cannot read, or null. */
function beyondDecoder(message: string): string | null {
  for (const [words, why] of BEYOND) {
    const found = words.exec(message);
    if (found !== null) return why(found[1]!);
  }
  return null;
}

/** @throws Damage; ERR_UNSUPPORTED; the decoder's own error if it concerns size or memory */
async function guarded<T>(work: () => Promise<T>, { format, name }: Subject): Promise<T> {
  try {
    return await inTurn(work);
  } catch (error) {
    const { message } = error as Error;
    // This is not the picture's fault.
    if (isTooLarge(error as Error) || /allocate|out of memory/i.test(message)) throw error;
    const why = beyondDecoder(message);
    if (why !== null) throw unsupported(format.name, name, why, { cause: error });
    // The decoder repeats itself if it warned before it failed.
    const lines = new Set(message.split("\n").map((line) => line.trim().replace(/[:\s]+$/, "")));
    const said = [...lines].filter((line) => line !== "" && !/^Warning treated as error/.test(line));
    throw new Damage(said[0] ?? "its decoder gives up", { cause: error });
  }
}

/** @throws ERR_INPUT if the caller's memory cannot hold the pixels */
function checkRoom(
  { name, into }: Subject,
  type: "u8" | "u16",
  [width, height, channels]: readonly [number, number, number],
): void {
  if (into === undefined) return;
  const bytes = type === "u8" ? 1 : 2;
  const needed = width * height * channels * bytes;
  const what = `${width} x ${height} pixels of ${channels} x ${type} in ${name}`;
  if (into.byteLength < needed) {
    throw new PictureError(
      "ERR_INPUT",
      `expected at least ${needed} bytes (${what}) for into but received ${into.byteLength}`,
    );
  }
  if (into.byteOffset % bytes !== 0) {
    throw new PictureError(
      "ERR_INPUT",
      `expected into to begin at an even byte of its buffer (${what}) but it begins at ${into.byteOffset}`,
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
    throw new PictureError(
      "ERR_UNSUPPORTED",
      `expected 8 or 16 bits per sample and 1 to 4 channels of grey, RGB or CMYK but the ${format.name} picture ` +
        `${name} has ${channels} of ${depth} in ${space}`,
    );
  }
  return { type, names: alpha ? [...colours, "a"] : colours } as const;
}
