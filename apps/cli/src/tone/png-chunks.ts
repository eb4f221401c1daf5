import { crc32, deflateSync } from "node:zlib";

/** A chunk of a PNG file. */
export interface Chunk {
  /** Four letters. */
  readonly type: string;
  readonly data: Uint8Array;
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Bytes of a chunk in addition to its data: length, type and checksum. */
const AROUND = 12;

/** Chunks that describe the colour space. New values are in the same space, so these stay true. */
const COLOUR_SPACE = new Set(["gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI"]);

/** Returns true for the first bytes of a PNG. */
export function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, i) => bytes[i] === byte);
}

/** Splits a whole PNG into its chunks. */
export function chunksOf(png: Uint8Array): Chunk[] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at + AROUND <= png.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    if (type === "IEND") break;
    at += AROUND + length;
  }
  return chunks;
}

/** Joins chunks to a PNG. */
export function pngOf(chunks: readonly Chunk[]): Uint8Array {
  return Buffer.concat([SIGNATURE, ...chunks.map(encoded)]);
}

function encoded({ type, data }: Chunk): Uint8Array {
  const bytes = Buffer.alloc(AROUND + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, "latin1");
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

/**
 * Returns true for chunks that stay true if the values of pixels change: those of the colour space, and those whose name
 * ends in a small letter, which the PNG specification calls safe to copy (texts, Exif, resolution).
 */
export function survivesChanges({ type }: Chunk): boolean {
  const [first, , , last] = type;
  const isAncillary = first! >= "a";
  return isAncillary && (last! >= "a" || COLOUR_SPACE.has(type));
}

/** Metadata as other formats store them. */
export interface Metadata {
  readonly icc?: Uint8Array | undefined;
  readonly exif?: Uint8Array | undefined;
  readonly xmp?: Uint8Array | undefined;
}

/** Bytes before the Exif data in other formats: "Exif" and two zeros. PNG has none. */
const EXIF_HEAD = 6;
/** After the keyword of an XMP text: not compressed, no language, no translated keyword. */
const XMP_HEAD = "XML:com.adobe.xmp\0\0\0\0\0";

/** The chunks that hold metadata of another format. */
export function metadataChunks({ icc, exif, xmp }: Metadata): Chunk[] {
  const chunks: Chunk[] = [];
  // The name of a profile, and the method of its compression.
  if (icc)
    chunks.push({ type: "iCCP", data: Buffer.concat([Buffer.from("ICC profile\0\0"), deflateSync(icc)]) });
  if (exif) {
    const isNamed = Buffer.from(exif.subarray(0, EXIF_HEAD)).toString("latin1") === "Exif\0\0";
    chunks.push({ type: "eXIf", data: isNamed ? exif.subarray(EXIF_HEAD) : exif });
  }
  if (xmp) chunks.push({ type: "iTXt", data: Buffer.concat([Buffer.from(XMP_HEAD), xmp]) });
  return chunks;
}
