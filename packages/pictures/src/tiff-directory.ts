/** Tags of a TIFF's directory, by their numbers. */
export const TAG = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  samples: 277,
  stripRows: 278,
  stripBytes: 279,
  planes: 284,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
} as const;

/**
 * The tags that define how pixels are stored: those of the baseline, of the extensions that this decoder supports, and
 * of the compressions. All others describe the picture.
 */
const PIXEL_TAGS: ReadonlySet<number> = new Set([
  ...[
    254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 274, 277, 278, 279, 284, 290, 291, 292, 293,
  ],
  ...[301, 317, 318, 319, 320, 321, 322, 323, 324, 325, 332, 334, 336, 338, 339, 340, 341],
  ...[347, 512, 513, 514, 515, 517, 518, 519, 520, 521, 529, 530, 531, 532],
]);

/** The compressions of pixels. */
export const COMPRESSION = {
  none: 1,
  lzw: 5,
  oldJpeg: 6,
  jpeg: 7,
  deflate: 8,
  adobeDeflate: 32_946,
} as const;

const WHITE_IS_ZERO = 0;
/** The kind of extra sample that is multiplied into the colours. */
const ASSOCIATED_ALPHA = 1;

/** The places in a directory: classic TIFF has 32-bit offsets, BigTIFF 64-bit ones. */
const CLASSIC = { first: 4, count: 2, entry: 12, countOf: 4, value: 8, inline: 4 };
const BIG = { first: 8, count: 8, entry: 20, countOf: 8, value: 12, inline: 8 };
const BIG_VERSION = 43;

/** Bytes of a whole number, by the number of its type: byte, short, long, undefined, long8, IFD8. */
const WIDTHS: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 7: 1, 16: 8, 18: 8 };

/** A directory of a TIFF, which is one page. */
export interface Directory {
  /** Whether the tag exists. */
  has(tag: number): boolean;
  /** Returns the whole numbers of a tag, or null if the tag is missing or its values lie outside the file. */
  values(tag: number): readonly number[] | null;
  /** The place of the entries. */
  readonly at: number;
  readonly entries: number;
  /** The place of the next directory, or 0 after the last. */
  readonly next: number;
  readonly big: boolean;
}

/**
 * Reads a directory.
 * @param place its place. Default: that of the first directory
 * @returns null if it does not lie in the file or has no tags
 */
export function directoryOf(bytes: Uint8Array, place?: number): Directory | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0x49;
  const whole = (at: number, width: number) => {
    if (width === 1) return view.getUint8(at);
    if (width === 2) return view.getUint16(at, little);
    if (width === 4) return view.getUint32(at, little);
    return Number(view.getBigUint64(at, little));
  };
  try {
    const big = view.getUint16(2, little) === BIG_VERSION;
    const layout = big ? BIG : CLASSIC;
    const directory = place ?? whole(layout.first, layout.inline);
    const entries = whole(directory, layout.count);
    const at = directory + layout.count;
    if (entries === 0) return null;
    const next = whole(at + entries * layout.entry, layout.inline);
    const places = new Map<number, number>();
    for (let i = entries - 1; i >= 0; i--) {
      places.set(view.getUint16(at + i * layout.entry, little), at + i * layout.entry);
    }
    const values = (tag: number): number[] | null => {
      const entry = places.get(tag);
      if (entry === undefined) return null;
      const width = WIDTHS[view.getUint16(entry + 2, little)];
      const count = whole(entry + layout.countOf, layout.inline);
      if (width === undefined) return null;
      const inline = count * width <= layout.inline;
      const from = inline ? entry + layout.value : whole(entry + layout.value, layout.inline);
      if (from + count * width > bytes.length) return null;
      return Array.from({ length: count }, (_, i) => whole(from + i * width, width));
    };
    return { has: (tag) => places.has(tag), values, at, entries, next, big };
  } catch {
    return null;
  }
}

/**
 * Whether the colours in the first page of this TIFF are multiplied by their alpha. Decoders divide them again, which
 * cannot restore the stored values. Returns false for a directory that cannot be read, because the decoder reports
 * that.
 */
export function hasAssociatedAlpha(bytes: Uint8Array): boolean {
  // Alpha is the first of the extra samples.
  return directoryOf(bytes)?.values(TAG.extraSamples)?.[0] === ASSOCIATED_ALPHA;
}

/** Returns the pixels of the first page of this TIFF, or 0 if it does not give its size. */
export function pixelsOf(bytes: Uint8Array): number {
  const directory = directoryOf(bytes);
  return (directory?.values(TAG.width)?.[0] ?? 0) * (directory?.values(TAG.height)?.[0] ?? 0);
}

/** Whether 0 is white in the first page of this TIFF. Decoders complement its grey, so that 0 is black. */
export function isWhiteZero(bytes: Uint8Array): boolean {
  return directoryOf(bytes)?.values(TAG.photometric)?.[0] === WHITE_IS_ZERO;
}

/**
 * Whether an uncompressed TIFF omits the lengths of its strips. Old writers do so. The lengths follow from the
 * picture's size, but the decoder warns about this as it does about damage.
 */
export function leavesLengths(bytes: Uint8Array): boolean {
  const directory = directoryOf(bytes);
  if (directory === null || directory.values(TAG.stripOffsets) === null) return false;
  const compression = directory.values(TAG.compression)?.[0] ?? COMPRESSION.none;
  return compression === COMPRESSION.none && !directory.has(TAG.stripBytes);
}

/** The last type of a value: a directory's offset in 64 bits. */
const LAST_TYPE = 18;

/**
 * Returns a copy of this TIFF whose first directory has only the tags that define how pixels are stored. Any warning of
 * the decoder then concerns them. Returns null if there are no other tags, or if the directory itself is damaged: its
 * tags do not ascend, or one has an undefined type.
 */
export function withoutMetadata(bytes: Uint8Array): Uint8Array | null {
  const directory = directoryOf(bytes);
  if (directory === null) return null;
  const { at, entries, big } = directory;
  const { entry, count, inline } = big ? BIG : CLASSIC;
  const little = bytes[0] === 0x49;
  // A Buffer's own slice would share its memory.
  const copy = new Uint8Array(bytes);
  const view = new DataView(copy.buffer);
  let kept = 0;
  let before = 0;
  for (let i = 0; i < entries; i++) {
    const tag = view.getUint16(at + i * entry, little);
    const type = view.getUint16(at + i * entry + 2, little);
    if (tag <= before || type === 0 || type > LAST_TYPE) return null;
    before = tag;
    if (!PIXEL_TAGS.has(tag)) continue;
    copy.copyWithin(at + kept * entry, at + i * entry, at + (i + 1) * entry);
    kept += 1;
  }
  if (kept === entries) return null;
  if (big) view.setBigUint64(at - count, BigInt(kept), little);
  else view.setUint16(at - count, kept, little);
  // No other page is decoded.
  copy.fill(0, at + kept * entry, at + kept * entry + inline);
  return copy;
}
