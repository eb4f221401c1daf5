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
 * What is missing or damaged in a picture that its decoder does not notice, in words; null where nothing is found.
 * What decoders see themselves they say themselves.
 */
export async function damageIn(bytes: Uint8Array, format: string): Promise<string | null> {
  // A decoder that has been started gets to its thread before this one is kept busy.
  await setImmediate();
  return (await CHECKS[format]?.(bytes)) ?? null;
}
