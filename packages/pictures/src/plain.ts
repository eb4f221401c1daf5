import { chunksOf, PIXEL_CHUNKS, SIGNATURE_BYTES } from "./damage/png-chunks.ts";
import { withoutMetadata } from "./tiff-directory.ts";

/** Copies of pictures without what only describes them, by format. */
const PLAIN: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array | null>> = {
  PNG: withoutAncillary,
  TIFF: withoutMetadata,
  BigTIFF: withoutMetadata,
};

/**
 * Returns a copy of a picture with only what defines its pixels, so that any warning of the decoder concerns them.
 * Returns null if there is nothing else in it, or its parts cannot be distinguished.
 */
export function plainCopy(bytes: Uint8Array, format: string): Uint8Array | null {
  return PLAIN[format]?.(bytes) ?? null;
}

/** Keeps the chunks that a reader must know, whose names begin with a capital, and the transparent colours. */
function withoutAncillary(bytes: Uint8Array): Uint8Array | null {
  const chunks = chunksOf(bytes);
  if (typeof chunks === "string") return null;
  const kept = chunks.filter(({ name }) => PIXEL_CHUNKS.has(name) || !/^[a-z]/.test(name));
  if (kept.length === chunks.length) return null;
  return Buffer.concat([bytes.subarray(0, SIGNATURE_BYTES), ...kept.map(({ all }) => all)]);
}
