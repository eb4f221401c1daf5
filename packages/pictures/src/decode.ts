import { PolybinError } from "@polybin/core";
import type { SharpConstructor } from "sharp";
import { damageIn } from "./damage.ts";
import { Damage, type Decoded, loadSharp, MOST_PIXELS, open } from "./decoder.ts";
import type { PictureFormat } from "./formats.ts";
import { tiffUnsupported } from "./tiff-check.ts";
import { hasAssociatedAlpha, isWhiteZero, pixelsOf, withoutMetadata } from "./tiff-directory.ts";

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
  /** What is damaged in a picture that was decoded leniently, in words; null for a whole one. */
  readonly damage: string | null;
}

/** How much a decoder forgives. */
export interface DecodeOptions {
  /** Take what can be decoded of a damaged picture; the decoder fills what is missing as it likes. */
  readonly lenient?: boolean;
}

/**
 * Decodes a picture without changing a value: no colour conversion, no profile, no rotation, no scaling.
 * Palettes become the colours they stand for, 1-, 2- and 4-bit grey the full 8-bit range. Of several pages or
 * frames the first is taken.
 * @throws ERR_INPUT when it is damaged: it cannot be decoded whole, its decoder warns of its pixels, or its parts do
 * not fit; leniently, when nothing can be decoded. ERR_UNSUPPORTED for another depth or colour space; ERR_LIMIT for too
 * many pixels.
 */
export async function decode(
  bytes: Uint8Array,
  format: PictureFormat,
  name: string,
  { lenient = false }: DecodeOptions = {},
): Promise<Picture> {
  if (isTiff(format) && hasAssociatedAlpha(bytes)) {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `expected colours as they are but those of ${name} were multiplied by their alpha, and the decoder would ` +
        "divide them again; --raw counts the file's bytes",
    );
  }
  // The decoder would say more than its one line of sizes that it cannot hold.
  if (isTiff(format) && pixelsOf(bytes) > MOST_PIXELS) throw tooMany(name);
  const unsupported = isTiff(format) ? tiffUnsupported(bytes, lenient) : null;
  if (unsupported !== null) {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `expected a ${format.name} picture that can be decoded here but ${name} cannot be: ${unsupported}; ` +
        "--raw counts the file's bytes",
    );
  }
  const sharp = await loadSharp();
  try {
    const decoded = await strictly(sharp, bytes, format, name);
    return pictureOf(decoded, bytes, format, null);
  } catch (error) {
    if (!(error instanceof Damage)) throw asPolybinError(error as Error, name);
    if (!lenient) throw damaged(error, format, name, "--lenient counts what can be decoded");
    try {
      const decoded = await (await open(sharp, bytes, format, name, "none")).run();
      return pictureOf(decoded, bytes, format, error.message);
    } catch {
      throw damaged(error, format, name, "nothing can be decoded of it; --raw counts the file's bytes");
    }
  }
}

/**
 * Decodes and, while the decoder works in its own thread, looks for what it does not see.
 * @throws Damage, or the error of what is no damage
 */
async function strictly(
  sharp: SharpConstructor,
  bytes: Uint8Array,
  format: PictureFormat,
  name: string,
): Promise<Decoded> {
  const opened = await settled(open(sharp, bytes, format, name, "warning"));
  const running = opened.status === "fulfilled" ? opened.value.run() : Promise.reject(opened.reason);
  const [decoded, damage] = await Promise.all([settled(running), damageIn(bytes, format.name)]);
  if (damage !== null) throw new Damage(damage);
  if (decoded.status === "fulfilled") return decoded.value;
  // An odd tag that says nothing of the pixels makes the decoder warn as damage does: it is asked again without.
  const plain = decoded.reason instanceof Damage && isTiff(format) ? withoutMetadata(bytes) : null;
  if (plain === null) throw decoded.reason;
  return (await open(sharp, plain, format, name, "warning")).run();
}

async function settled<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [result] = await Promise.allSettled([promise]);
  return result;
}

function pictureOf(
  { type, width, height, pixels, stride, colours, alpha }: Decoded,
  bytes: Uint8Array,
  format: PictureFormat,
  damage: string | null,
): Picture {
  if (isTiff(format) && isWhiteZero(bytes)) complement(pixels, stride);
  const channels = colours.map((colour, at) => ({ name: colour, at }));
  if (alpha) channels.push({ name: "a", at: stride - 1 });
  return { type, width, height, pixels, stride, channels, damage };
}

/** Turns the first channel round: 0 becomes the greatest value, which brings back what a decoder turned. */
function complement(pixels: Uint8Array | Uint16Array, stride: number): void {
  for (let at = 0; at < pixels.length; at += stride) pixels[at] = ~pixels[at]!;
}

function isTiff(format: PictureFormat): boolean {
  return format.name.endsWith("TIFF");
}

function damaged(damage: Damage, format: PictureFormat, name: string, remedy: string): PolybinError {
  return new PolybinError(
    "ERR_INPUT",
    `expected a whole ${format.name} picture but ${name} is damaged: ${damage.message}; ${remedy}`,
    { cause: damage },
  );
}

function asPolybinError(error: Error, name: string): Error {
  if (error instanceof PolybinError) return error;
  if (/pixel limit/i.test(error.message)) return tooMany(name, error);
  return new PolybinError("ERR_OUT_OF_MEMORY", `${name} does not fit in memory: ${error.message}`, {
    cause: error,
  });
}

function tooMany(name: string, cause?: Error): PolybinError {
  return new PolybinError(
    "ERR_LIMIT",
    `expected at most ${MOST_PIXELS} pixels but ${name} has more; --raw counts the file's bytes`,
    { cause },
  );
}
