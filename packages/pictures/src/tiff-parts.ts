import { COMPRESSION, type Directory, directoryOf, TAG } from "./tiff-directory.ts";

/** The places of a page's strips or tiles. */
export interface Parts {
  readonly word: "tile" | "strip";
  readonly bytes: readonly Uint8Array[];
  /** Whether each part has neither a place nor a length. */
  readonly sparse: readonly boolean[];
}

/** Returns a page's strips or tiles, none if it lists none, or a sentence on why they are impossible. */
export function partsOf(directory: Directory, bytes: Uint8Array): Parts | string {
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

/**
 * Whether a TIFF is compressed with the LZW of old writers, which begin each code with its lowest bit. Data begin with
 * the code 256.
 */
export function hasOldLzw(bytes: Uint8Array): boolean {
  const directory = directoryOf(bytes);
  if (directory?.values(TAG.compression)?.[0] !== COMPRESSION.lzw) return false;
  const parts = partsOf(directory, bytes);
  const [first, second] = typeof parts === "string" ? [] : (parts.bytes[0] ?? []);
  return first === 0 && second !== undefined && (second & 1) === 1;
}
