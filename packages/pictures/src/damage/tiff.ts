import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createInflate } from "node:zlib";
import { COMPRESSION, type Directory, directoryOf, TAG } from "../tiff-directory.ts";
import { type Parts, partsOf } from "../tiff-parts.ts";
import { jpegDamage } from "./jpeg.ts";

/** Parts that are inflated at the same time: one per available thread. */
const AT_ONCE = 4;

/**
 * The bytes of a strip or tile, packed or not, may exceed those of its pixels this many times, and by this many. Subsampled
 * colours are padded to whole blocks, and JPEG has tables. Without a limit, strips that share the same data, or unpack to
 * more than they hold, keep a processor busy for hours.
 */
const EXCESS = 2;
const EXCESS_BYTES = 4096;
const SEPARATE_PLANES = 2;

/** Bytes that are inflated and dropped at a time. */
const CHUNK_BYTES: number = 2 ** 18;
/** The smallest sizes in bytes of a directory's entry, and of a place in the list of its parts. */
const ENTRY_BYTES = 12;
const PLACE_BYTES = 2;

/**
 * Describes what is missing or damaged in a TIFF and ignored by its decoder, or returns null if it finds nothing. It
 * looks for pages, strips and tiles past the end. In the first page, which is the counted one, it also checks the
 * checksums of deflated parts and the data of JPEG-compressed parts.
 */
export async function tiffDamage(bytes: Uint8Array): Promise<string | null> {
  const first = directoryOf(bytes);
  let page = first;
  let listed = 0;
  for (let pages = 1; ; pages++) {
    if (page === null) return `the directory of page ${pages} lies outside the file`;
    const parts = partsOf(page, bytes);
    if (typeof parts === "string") return `page ${pages}: ${parts}`;
    // Places inside an entry are counted twice.
    listed += page.entries * ENTRY_BYTES + parts.bytes.length * PLACE_BYTES;
    if (listed > 2 * bytes.length) return "its pages form a circle or overlap";
    if (page.next === 0) break;
    page = directoryOf(bytes, page.next);
  }
  return pixelDamage(first!, bytes);
}

async function pixelDamage(directory: Directory, bytes: Uint8Array): Promise<string | null> {
  const compression = directory.values(TAG.compression)?.[0];
  const needed = neededParts(directory);
  const all = partsOf(directory, bytes) as Parts;
  const parts: Parts = { ...all, bytes: all.bytes.slice(0, needed.count) };
  const most = EXCESS * needed.bytes + EXCESS_BYTES;
  const isDeflated = compression === COMPRESSION.deflate || compression === COMPRESSION.adobeDeflate;
  if (isDeflated || compression === COMPRESSION.jpeg) {
    const long = parts.bytes.findIndex(({ length }) => length > most);
    if (long >= 0) return `${parts.word} ${long} has ${parts.bytes[long]!.length} bytes for ${needed.bytes}`;
  }
  if (isDeflated) return firstOf(parts, (part) => deflateDamage(part, most));
  if (compression === COMPRESSION.jpeg) {
    const tables = Uint8Array.from(directory.values(TAG.jpegTables) ?? []);
    return firstOf(parts, (part) => jpegDamage(withTables(part, tables)));
  }
  return null;
}

/** Returns the number of strips or tiles that a page's pixels need, and the bytes that one of them holds unpacked. */
function neededParts(directory: Directory): { readonly count: number; readonly bytes: number } {
  const value = (tag: number, otherwise: number): number => directory.values(tag)?.[0] || otherwise;
  const [width, height] = [value(TAG.width, 1), value(TAG.height, 1)];
  const tiled = directory.has(TAG.tileOffsets);
  const columns = tiled ? value(TAG.tileWidth, width) : width;
  const rows = tiled ? value(TAG.tileHeight, height) : Math.min(value(TAG.stripRows, height), height);
  const samples = value(TAG.samples, 1);
  const planes = value(TAG.planes, 1) === SEPARATE_PLANES ? samples : 1;
  const row = Math.ceil((columns * (samples / planes) * value(TAG.bits, 1)) / 8);
  return { count: Math.ceil(width / columns) * Math.ceil(height / rows) * planes, bytes: row * rows };
}

async function firstOf(
  { word, bytes: parts }: Parts,
  damageOf: (part: Uint8Array) => Promise<string | null>,
): Promise<string | null> {
  for (let at = 0; at < parts.length; at += AT_ONCE) {
    const found = await Promise.all(parts.slice(at, at + AT_ONCE).map(damageOf));
    const which = found.findIndex((damage) => damage !== null);
    if (which >= 0) return `${word} ${at + which}: ${found[which]}`;
  }
  return null;
}

/** Checks a checksum, because the decoder stops at the last pixel, before the checksum. */
async function deflateDamage(part: Uint8Array, most: number): Promise<string | null> {
  // GDAL omits tiles that are all background.
  if (part.length === 0) return null;
  try {
    const inflate = createInflate({ chunkSize: Math.min(CHUNK_BYTES, most) });
    await pipeline(Readable.from([part]), inflate, async (chunks: AsyncIterable<Uint8Array>) => {
      let bytes = 0;
      for await (const { length } of chunks) {
        bytes += length;
        if (bytes > most) throw new Error("its data unpack to more bytes than it holds");
      }
    });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns a complete JPEG: its own beginning, the tables that all parts share, the rest. */
function withTables(part: Uint8Array, tables: Uint8Array): Uint8Array {
  if (tables.length < 4) return part;
  return Buffer.concat([tables.subarray(0, -2), part.subarray(2)]);
}
