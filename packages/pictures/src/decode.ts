import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { PolybinError } from "@polybin/core";
import { checkNames, checkSwitch, expected } from "@polybin/core/backend";
import type { SharpConstructor } from "sharp";
import { damageIn } from "./damage/index.ts";
import { Damage, type Decoded, isTooLarge, loadSharp, MOST_PIXELS, open, type Subject } from "./decoder.ts";
import { PictureError, unsupported } from "./error.ts";
import { DECODABLE, type PictureFormat, pictureFormat } from "./formats.ts";
import { Picture } from "./picture.ts";
import { plainCopy } from "./plain.ts";
import { hasAssociatedAlpha, isWhiteZero, pixelsOf } from "./tiff-directory.ts";
import { tiffUnsupported } from "./tiff-unsupported.ts";

/** How a picture is decoded. */
export interface DecodeOptions {
  /**
   * Memory that receives the pixels from its first byte on, such as that of `engine.allocate`. The picture's `data` is a
   * part of it. If the call rejects, it is unchanged. Default: new memory.
   */
  readonly into?: Uint8Array | Uint16Array | undefined;
  /**
   * Whether to decode the undamaged parts of a damaged picture. The decoder fills the missing parts with arbitrary
   * values. Default: false.
   */
  readonly lenient?: boolean | undefined;
  /** The most pixels that the picture's header may state, at most 2^29. Default: 2^29. */
  readonly maxPixels?: number | undefined;
  /** The picture's name in error messages. Default: its path, or "it". */
  readonly name?: string | undefined;
  /** Rejects at once when it aborts. A decoder that has begun finishes in its own thread, and its result is dropped. */
  readonly signal?: AbortSignal | undefined;
}

const NAMES: readonly (keyof DecodeOptions)[] = ["into", "lenient", "maxPixels", "name", "signal"];

/**
 * Decodes a picture without changing a value: no colour conversion, no profile, no rotation, no scaling. Palette
 * entries become the colours that they stand for. Grey of 1, 2 and 4 bits becomes the full 8-bit range. If there are
 * several pages or frames, it decodes the first.
 * @param source the bytes of a file, its path or its file URL
 * @throws ERR_FORMAT if the source does not begin like a picture.
 * @throws ERR_INPUT if `into` is too small, before anything is decoded, or the picture is damaged: it cannot be decoded completely, its decoder warns
 * about its pixels, or its parts do not fit. With `lenient`, only if nothing can be decoded.
 * @throws ERR_UNSUPPORTED for another format, depth or colour space.
 * @throws ERR_LIMIT for more than `maxPixels` pixels, before anything is decoded.
 * @throws ERR_UNAVAILABLE if sharp cannot be loaded.
 * @throws ERR_OUT_OF_MEMORY if the pixels do not fit in memory.
 * @throws the file system's own error for a path that cannot be read.
 */
export async function decode(
  source: Uint8Array | ArrayBufferLike | string | URL,
  options: DecodeOptions = {},
): Promise<Picture> {
  checkNames(options, NAMES);
  const { into, lenient = false, maxPixels = MOST_PIXELS, signal } = options;
  checkSwitch(lenient, "lenient");
  if (!Number.isInteger(maxPixels) || maxPixels < 1 || maxPixels > MOST_PIXELS) {
    throw expected("ERR_INPUT", "maxPixels", `a whole number from 1 to ${MOST_PIXELS}`, maxPixels);
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw expected("ERR_INPUT", "signal", "an AbortSignal", signal);
  }
  if (into !== undefined && !(into instanceof Uint8Array) && !(into instanceof Uint16Array)) {
    throw expected("ERR_INPUT", "into", "a Uint8Array or a Uint16Array", into);
  }
  signal?.throwIfAborted();
  const path = source instanceof URL ? fileURLToPath(source) : typeof source === "string" ? source : null;
  const name = options.name ?? path ?? "it";
  const bytes =
    path === null ? bytesOf(source as Uint8Array | ArrayBufferLike) : await readFile(path, { signal });
  const format = pictureFormat(bytes);
  if (format === null) {
    throw new PictureError(
      "ERR_FORMAT",
      `expected a picture (${DECODABLE.join(", ")}) but ${name} does not begin like one`,
    );
  }
  if (!format.decodable) {
    throw new PictureError(
      "ERR_UNSUPPORTED",
      `${name} is a ${format.name} picture, which polybin cannot decode`,
    );
  }
  const picture = await unlessAborted(decodeAs({ format, name, maxPixels, into }, bytes, lenient), signal);
  return into === undefined ? picture : movedTo(into, picture);
}

function bytesOf(source: Uint8Array | ArrayBufferLike): Uint8Array {
  if (source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer || source instanceof SharedArrayBuffer) return new Uint8Array(source);
  throw expected("ERR_INPUT", "a picture", "its bytes, its path or its URL", source);
}

/** Copies a picture's pixels. Their size has been checked. */
function movedTo({ buffer, byteOffset }: Uint8Array | Uint16Array, picture: Picture): Picture {
  const { type, width, height, names, damage } = picture;
  const samples = picture.data.length;
  const data =
    type === "u8"
      ? new Uint8Array(buffer, byteOffset, samples)
      : new Uint16Array(buffer, byteOffset, samples);
  data.set(picture.data);
  return new Picture({ type, width, height, data, names, damage });
}

/** Returns the work's result, or rejects with an abort's reason if that comes first. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

async function decodeAs(subject: Subject, bytes: Uint8Array, lenient: boolean): Promise<Picture> {
  const { format } = subject;
  if (isTiff(format)) checkTiff(subject, bytes, lenient);
  const sharp = await loadSharp();
  try {
    const decoded = await strictly(sharp, bytes, subject);
    return pictureOf(decoded, bytes, format, null);
  } catch (error) {
    if (!(error instanceof Damage)) throw asPolybinError(error as Error, subject);
    if (!lenient) throw damaged(error, subject);
    try {
      const decoded = await (await open(sharp, bytes, subject, "none")).run();
      return pictureOf(decoded, bytes, format, error.message);
    } catch {
      throw new PictureError("ERR_INPUT", `${damaged(error, subject).said}; no part of it can be decoded`, {
        cause: error,
      });
    }
  }
}

/** Checks for what a TIFF's decoder would do wrong or report differently. @throws ERR_UNSUPPORTED; ERR_LIMIT */
function checkTiff({ format, name, maxPixels }: Subject, bytes: Uint8Array, lenient: boolean): void {
  if (hasAssociatedAlpha(bytes)) {
    throw new PictureError(
      "ERR_UNSUPPORTED",
      `expected unmultiplied colours but those of ${name} are multiplied by their alpha, and the decoder would ` +
        "divide them again",
    );
  }
  // For sizes that the decoder cannot hold it would print more than its one line.
  if (pixelsOf(bytes) > maxPixels) throw tooMany(name, maxPixels);
  const found = tiffUnsupported(bytes, lenient);
  if (found !== null) throw unsupported(format.name, name, found.why, found);
}

/**
 * Decodes a picture and, while the decoder works in its own thread, looks for damage that it does not notice.
 * @throws Damage, or an error that is no damage
 */
async function strictly(sharp: SharpConstructor, bytes: Uint8Array, subject: Subject): Promise<Decoded> {
  const { format } = subject;
  const opened = await settled(open(sharp, bytes, subject, "warning"));
  // A giant costs no more than its header: nobody looks for damage in it, nor in what cannot be decoded anyway.
  if (opened.status === "rejected" && !(opened.reason instanceof Damage)) throw opened.reason;
  const running = opened.status === "fulfilled" ? opened.value.run() : Promise.reject(opened.reason);
  const [decoded, damage] = await Promise.all([settled(running), damageIn(bytes, format.name)]);
  if (damage !== null) throw new Damage(damage);
  if (decoded.status === "fulfilled") return decoded.value;
  // An unusual tag or chunk that does not concern the pixels causes the same warning as damage. So decode again
  // without them.
  const plain = decoded.reason instanceof Damage ? plainCopy(bytes, format.name) : null;
  if (plain === null) throw decoded.reason;
  return (await open(sharp, plain, subject, "warning")).run();
}

async function settled<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [result] = await Promise.allSettled([promise]);
  return result;
}

function pictureOf(
  decoded: Decoded,
  bytes: Uint8Array,
  format: PictureFormat,
  damage: string | null,
): Picture {
  if (isTiff(format) && isWhiteZero(bytes)) complement(decoded.data, decoded.names.length);
  return new Picture({ ...decoded, damage });
}

/** Complements the first channel: 0 becomes the largest value. This undoes the decoder's complement. */
function complement(pixels: Uint8Array | Uint16Array, channels: number): void {
  for (let at = 0; at < pixels.length; at += channels) pixels[at] = ~pixels[at]!;
}

function isTiff(format: PictureFormat): boolean {
  return format.name.endsWith("TIFF");
}

function damaged(damage: Damage, { format, name }: Subject): PictureError {
  return new PictureError(
    "ERR_INPUT",
    `expected a whole ${format.name} picture but ${name} is damaged: ${damage.message}`,
    { lenientHelps: true, cause: damage },
  );
}

function asPolybinError(error: Error, { name, maxPixels }: Subject): Error {
  if (error instanceof PolybinError) return error;
  if (isTooLarge(error)) return tooMany(name, maxPixels, error);
  return new PolybinError("ERR_OUT_OF_MEMORY", `${name} does not fit in memory: ${error.message}`, {
    cause: error,
  });
}

function tooMany(name: string, maxPixels: number, cause?: Error): PictureError {
  return new PictureError("ERR_LIMIT", `expected at most ${maxPixels} pixels but ${name} has more`, {
    cause,
  });
}
