import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createInflate } from "node:zlib";
import { COMPRESSION, type Directory, directoryOf, leavesLengths, TAG } from "../tiff-directory.ts";
import { jpegDamage } from "./jpeg.ts";

/** Parts that are inflated at once: as many as there are threads for it. */
const AT_ONCE = 4;

/** Bytes that are inflated, and thrown away, at a time. */
const CHUNK_BYTES: number = 2 ** 18;
/** Bytes of a directory's entry, and of a place in the list of its parts, at the least. */
const ENTRY_BYTES = 12;
const PLACE_BYTES = 2;

/** The bits of a sample that the decoder takes; what else there is in this range it calls a corrupt header. */
const DECODED_BITS: readonly number[] = [1, 2, 4, 8, 16, 32, 64];

/** Why a TIFF is not decoded though nothing of it is damaged, in words, and whether leniency would decode it. */
export interface Unsupported {
  readonly why: string;
  readonly lenientHelps: boolean;
}

/**
 * Why an undamaged TIFF cannot be decoded though its decoder would call it damaged; null for all others: depths that do
 * not fill bytes, and strips or tiles that were left away, as GDAL does with background.
 */
export function tiffUnsupported(bytes: Uint8Array, lenient: boolean): Unsupported | null {
  const directory = directoryOf(bytes);
  if (directory === null) return null;
  const never = (why: string): Unsupported => ({ why, lenientHelps: false });
  const bits = directory.values(TAG.bits)?.[0] ?? 1;
  if (bits > 1 && bits < 64 && !DECODED_BITS.includes(bits)) return never(`it has ${bits} bits a sample`);
  const strips = leavesLengths(bytes) ? directory.values(TAG.stripOffsets)!.length : 1;
  if (strips > 1) return never(`it does not say how long its ${strips} strips are`);
  const parts = lenient ? null : partsOf(directory, bytes);
  if (parts === null || typeof parts === "string") return null;
  const left = parts.sparse.filter(Boolean).length;
  if (left === 0) return null;
  return {
    why: `${left} of ${parts.bytes.length} ${parts.word}s were left out (sparse)`,
    lenientHelps: true,
  };
}

/** Where the strips or tiles of a page lie. */
interface Parts {
  readonly word: "tile" | "strip";
  readonly bytes: readonly Uint8Array[];
  /** Which of them have neither a place nor a length. */
  readonly sparse: readonly boolean[];
}

/**
 * What is missing or damaged in a TIFF that its decoder passes over, in words; null where nothing is found: pages,
 * strips and tiles beyond the end, and of the first page, the one that is counted, the checksums of deflated parts and
 * the data of JPEG-compressed ones.
 */
export async function tiffDamage(bytes: Uint8Array): Promise<string | null> {
  const first = directoryOf(bytes);
  let page = first;
  let listed = 0;
  for (let pages = 1; ; pages++) {
    if (page === null) return `the directory of page ${pages} lies outside the file`;
    const parts = partsOf(page, bytes);
    if (typeof parts === "string") return `page ${pages}: ${parts}`;
    // Places that lie in an entry are counted twice.
    listed += page.entries * ENTRY_BYTES + parts.bytes.length * PLACE_BYTES;
    if (listed > 2 * bytes.length) return "its pages lead in a circle or overlap";
    if (page.next === 0) break;
    page = directoryOf(bytes, page.next);
  }
  return pixelDamage(first!, bytes);
}

/** A page's strips or tiles; none where it does not say; or in words why they cannot be. */
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
  const parts = partsOf(directory, bytes) as Parts;
  if (compression === COMPRESSION.deflate || compression === COMPRESSION.adobeDeflate) {
    return firstOf(parts, deflateDamage);
  }
  if (compression === COMPRESSION.jpeg) {
    const tables = Uint8Array.from(directory.values(TAG.jpegTables) ?? []);
    return firstOf(parts, async (part) => jpegDamage(withTables(part, tables)));
  }
  return null;
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

/** The decoder stops at the last pixel, before the checksum behind it. */
async function deflateDamage(part: Uint8Array): Promise<string | null> {
  // GDAL leaves tiles away that are all background.
  if (part.length === 0) return null;
  try {
    await pipeline(Readable.from([part]), createInflate({ chunkSize: CHUNK_BYTES }), async (chunks) => {
      for await (const _ of chunks);
    });
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
