import { COMPRESSION, type Directory, directoryOf, leavesLengths, TAG } from "./tiff-directory.ts";
import { partsOf } from "./tiff-parts.ts";

/** The bits per sample that the decoder reads. It calls the others in the range of TIFF a corrupt header. */
const DECODED_BITS: readonly number[] = [1, 2, 4, 8, 16, 32];
const MOST_BITS = 128;
const MOST_CHANNELS = 4;
/** The photometric interpretations of L*a*b* colours: CIE, ICC and ITU. */
const LAB: readonly number[] = [8, 9, 10];

/** Why a TIFF without damage is not decoded, and whether the lenient mode would decode it. */
export interface Unsupported {
  readonly why: string;
  readonly lenientHelps: boolean;
}

/**
 * Describes why a TIFF without damage cannot be decoded although its decoder would call it damaged, or returns null.
 * The causes are how its samples are stored, and omitted strips or tiles, which GDAL writes for background.
 */
export function tiffUnsupported(bytes: Uint8Array, lenient: boolean): Unsupported | null {
  const directory = directoryOf(bytes);
  if (directory === null) return null;
  const why = oddSamples(directory);
  if (why !== null) return { why, lenientHelps: false };
  const strips = leavesLengths(bytes) ? directory.values(TAG.stripOffsets)!.length : 1;
  if (strips > 1) return { why: `it does not give the lengths of its ${strips} strips`, lenientHelps: false };
  const parts = lenient ? null : partsOf(directory, bytes);
  if (parts === null || typeof parts === "string") return null;
  const left = parts.sparse.filter(Boolean).length;
  if (left === 0) return null;
  return {
    why: `${left} of ${parts.bytes.length} ${parts.word}s are omitted (sparse)`,
    lenientHelps: true,
  };
}

/** Describes samples that the decoder cannot read, or returns null. */
function oddSamples(directory: Directory): string | null {
  const channels = directory.values(TAG.samples)?.[0] ?? 1;
  const bits = (directory.values(TAG.bits) ?? [1]).slice(0, Math.min(channels, MOST_CHANNELS));
  const [first = 1] = bits;
  if (bits.some((one) => one !== first)) return `its channels have ${bits.join(", ")} bits per sample`;
  if (first > 0 && first <= MOST_BITS && !DECODED_BITS.includes(first))
    return `it has ${first} bits per sample`;
  if (first < 8 && channels > 1) return `it has ${channels} channels of ${first} bits per sample`;
  if (LAB.includes(directory.values(TAG.photometric)?.[0] ?? 1)) return "its colours are L*a*b*";
  // The decoder would warn about the tags of this compression first.
  const isOldJpeg = directory.values(TAG.compression)?.[0] === COMPRESSION.oldJpeg;
  return isOldJpeg ? "it is compressed with old-style JPEG" : null;
}
