import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createInflate } from "node:zlib";
import { COMPRESSION, type Directory, directoryOf, leavesLengths, TAG } from "../tiff-directory.ts";
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

/** The bits per sample that the decoder accepts. It calls other numbers in this range a corrupt header. */
const DECODED_BITS: readonly number[] = [1, 2, 4, 8, 16, 32, 64];

/** Why a TIFF without damage is not decoded, and whether the lenient mode would decode it. */
export interface Unsupported {
  readonly why: string;
  readonly lenientHelps: boolean;
}

/**
 * Describes why a TIFF without damage cannot be decoded although its decoder would call it damaged, or returns null.
 * The causes are depths that do not fill bytes, and omitted strips or tiles, which GDAL writes for background.
 */
export function tiffUnsupported(bytes: Uint8Array, lenient: boolean): Unsupported | null {
  const directory = directoryOf(bytes);
  if (directory === null) return null;
  const never = (why: string): Unsupported => ({ why, lenientHelps: false });
  const bits = directory.values(TAG.bits)?.[0] ?? 1;
  if (bits > 1 && bits < 64 && !DECODED_BITS.includes(bits)) return never(`it has ${bits} bits per sample`);
  const strips = leavesLengths(bytes) ? directory.values(TAG.stripOffsets)!.length : 1;
  if (strips > 1) return never(`it does not give the lengths of its ${strips} strips`);
  const parts = lenient ? null : partsOf(directory, bytes);
  if (parts === null || typeof parts === "string") return null;
  const left = parts.sparse.filter(Boolean).length;
  if (left === 0) return null;
  return {
    why: `${left} of ${parts.bytes.length} ${parts.word}s are omitted (sparse)`,
    lenientHelps: true,
  };
}

/** The places of a page's strips or tiles. */
interface Parts {
  readonly word: "tile" | "strip";
  readonly bytes: readonly Uint8Array[];
  /** Whether each part has neither a place nor a length. */
  readonly sparse: readonly boolean[];
}

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

/** Returns a page's strips or tiles, none if it lists none, or a sentence on why they are impossible. */
function partsOf(directory: Directory, bytes: Uint8Array): Parts | string {
  const tiled = directory.values(TAG.tileOffsets) !== null;
  const word = tiled ? "tile" : "strip";
  const offsets = directory.values(tiled ? TAG.tileOffsets : TAG.stripOffsets) ?? [];
  const lengths = directory.values(tiled ? TAG.tileBytes : TAG.stripBytes) ?? offsets.map(() => 0);
  if (offsets.length !== lengths.length) return `${offsets.length} ${word}s but ${lengths.length} lengths`;
  const outside = offsets.findIndex((offset, i) => offset + lengths[i]! > bytes.length);
  if (outside >= 0) return `${word} ${outside} lies beyond the end of the file`;
  return {
    word,
    bytes: offsets.map((offset, i) => bytes.subarray(offset, offset + lengths[i]!)),
    sparse: offsets.map((offset, i) => offset === 0 && lengths[i] === 0),
  };
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
    return firstOf(parts, async (part) => jpegDamage(withTables(part, tables)));
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
