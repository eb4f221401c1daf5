import { setImmediate } from "node:timers/promises";
import { avifDamage } from "./avif.ts";
import { gifDamage } from "./gif.ts";
import { jpegDamage } from "./jpeg.ts";
import { pngDamage } from "./png.ts";
import { tiffDamage } from "./tiff.ts";
import { webpDamage } from "./webp.ts";

type Check = (bytes: Uint8Array) => string | null | Promise<string | null>;

const CHECKS: Readonly<Record<string, Check>> = {
  PNG: pngDamage,
  JPEG: jpegDamage,
  TIFF: tiffDamage,
  BigTIFF: tiffDamage,
  GIF: gifDamage,
  WebP: webpDamage,
  AVIF: avifDamage,
};

/**
 * Describes damage in a picture that its decoder does not notice, or returns null if there is none. Decoders report the
 * rest themselves.
 */
export async function damageIn(bytes: Uint8Array, format: string): Promise<string | null> {
  // A decoder that was started reaches its own thread before this one becomes busy.
  await setImmediate();
  return (await CHECKS[format]?.(bytes)) ?? null;
}
