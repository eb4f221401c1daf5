import { promisify } from "node:util";
import { inflate } from "node:zlib";
import { jpegDamage } from "./jpeg-check.ts";
import { directoryOf, TAG } from "./tiff-directory.ts";

const COMPRESSION = { jpeg: 7, deflate: 8, adobeDeflate: 32_946 } as const;
/** Parts that are inflated at once: as many as there are threads for it. */
const AT_ONCE = 4;

const inflated = promisify(inflate);

/**
 * What is missing or damaged in the first page of a TIFF that its decoder passes over, in words; null where nothing is
 * found: strips and tiles beyond the end, checksums of deflated ones, data of JPEG-compressed tiles.
 */
export async function tiffDamage(bytes: Uint8Array): Promise<string | null> {
  const directory = directoryOf(bytes);
  if (directory === null) return "its directory lies outside the file";
  const tiled = directory.values(TAG.tileOffsets) !== null;
  const offsets = directory.values(tiled ? TAG.tileOffsets : TAG.stripOffsets);
  const lengths = directory.values(tiled ? TAG.tileBytes : TAG.stripBytes);
  const word = tiled ? "tile" : "strip";
  if (offsets === null || lengths === null) return null;
  if (offsets.length !== lengths.length)
    return `it has ${offsets.length} ${word}s but ${lengths.length} lengths`;
  const outside = offsets.findIndex((offset, i) => offset + lengths[i]! > bytes.length);
  if (outside >= 0) return `${word} ${outside} lies beyond the end of the file`;
  const parts = offsets.map((offset, i) => bytes.subarray(offset, offset + lengths[i]!));
  const compression = directory.values(TAG.compression)?.[0];
  if (compression === COMPRESSION.deflate || compression === COMPRESSION.adobeDeflate) {
    return firstOf(parts, word, deflateDamage);
  }
  if (compression === COMPRESSION.jpeg) {
    const tables = Uint8Array.from(directory.values(TAG.jpegTables) ?? []);
    return firstOf(parts, word, async (part) => jpegDamage(withTables(part, tables)));
  }
  return null;
}

async function firstOf(
  parts: readonly Uint8Array[],
  word: string,
  damageOf: (part: Uint8Array) => Promise<string | null>,
): Promise<string | null> {
  for (let at = 0; at < parts.length; at += AT_ONCE) {
    const found = await Promise.all(parts.slice(at, at + AT_ONCE).map(damageOf));
    const which = found.findIndex((damage) => damage !== null);
    if (which >= 0) return `${word} ${at + which}: ${found[which]}`;
  }
  return null;
}

/** The decoder stops at the last pixel, before the checksum behind it. */
async function deflateDamage(part: Uint8Array): Promise<string | null> {
  // GDAL leaves tiles away that are all background.
  if (part.length === 0) return null;
  try {
    await inflated(part);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A JPEG that stands for itself: its own beginning, the tables that all parts share, the rest. */
function withTables(part: Uint8Array, tables: Uint8Array): Uint8Array {
  if (tables.length < 4) return part;
  return Buffer.concat([tables.subarray(0, -2), part.subarray(2)]);
}
